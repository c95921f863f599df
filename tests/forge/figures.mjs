import { sum } from "./engines.mjs";
import { GENUINE_SHARE } from "./page/messages.js";

/** Whether each engine sent enough messages, accepted no forged one, and delivered every genuine one. */
export function isClean({ count, engines }) {
  const isEnough = (forged, said) => sum(forged) >= count && said >= GENUINE_SHARE * count;
  const isCleanIn = ({ forged, accepted, genuine: { said, arrived }, troubles }) =>
    isEnough(forged, said) && sum(accepted) === 0 && arrived === said && troubles.length === 0;
  return Object.values(engines).length > 0 && Object.values(engines).every(isCleanIn);
}

/** Whether a forged message was accepted. That a genuine one is late may be the machine's fault. */
export function isBroken({ engines }) {
  return Object.values(engines).some(({ accepted }) => sum(accepted) > 0);
}

export function lineOf({ seed, weakness, engines, missing }) {
  const parts = Object.entries(engines).map(([name, { forged, accepted, genuine, troubles }]) => {
    const sent = `${name} ${sum(forged)} forged of ${Object.keys(forged).length} kinds`;
    const received = `accepted ${sum(accepted)}, genuine ${genuine.arrived} of ${genuine.said} in order`;
    return `${sent}, ${received}${troubles.length > 0 ? `, troubles ${troubles.length}` : ""}`;
  });
  parts.push(...missing.map((engine) => `${engine} is not there`));
  if (weakness) parts.push(`without ${weakness}`);
  return `forge: ${[...parts, `seed ${seed}`].join("; ")}`;
}

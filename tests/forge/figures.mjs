import { sum } from "./engines.mjs";

/** Returns the figures of a run: those of each engine, and the missing engines. */
export function figuresOf({ seed, weakness, count, runs, missing }) {
  const figures = ({ forged, accepted, genuine, troubles, seconds }) => ({
    forged: sum(forged),
    kinds: Object.values(forged).filter((sent) => sent > 0).length,
    forgedByKind: forged,
    accepted: sum(accepted),
    acceptedByKind: accepted,
    genuine: genuine.said,
    arrived: genuine.arrived,
    troubles: troubles.length,
    seconds,
  });
  const engines = Object.fromEntries(Object.entries(runs).map(([engine, run]) => [engine, figures(run)]));
  const noticed = weakness && Object.values(engines).some(({ accepted }) => accepted > 0);
  return { seed, weakness, noticed, count, engines, missing };
}

/** Whether each engine sent all messages, accepted no forged one, and delivered every genuine one. */
export function isClean({ count, engines }) {
  const isCleanIn = ({ forged, accepted, genuine, arrived, troubles }) =>
    forged === count && accepted === 0 && genuine > 0 && arrived === genuine && troubles === 0;
  return Object.values(engines).length > 0 && Object.values(engines).every(isCleanIn);
}

export function lineOf({ seed, weakness, engines, missing }) {
  const parts = Object.entries(engines).map(([name, { forged, kinds, accepted, genuine, arrived, troubles }]) => {
    const sent = `${name} ${forged} forged of ${kinds} kinds`;
    const received = `accepted ${accepted}, genuine ${arrived} of ${genuine} in order`;
    return `${sent}, ${received}${troubles > 0 ? `, troubles ${troubles}` : ""}`;
  });
  parts.push(...missing.map((engine) => `${engine} is not there`));
  if (weakness) parts.push(`without ${weakness}`);
  return `forge: ${[...parts, `seed ${seed}`].join("; ")}`;
}

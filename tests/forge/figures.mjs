/** The figures of a run: those of each engine, and that others are missing. */
export function figuresOf({ seed, weakness, count, runs, missing }) {
  const engines = Object.fromEntries(Object.entries(runs).map(([engine, run]) => [engine, engineFigures(run)]));
  return { seed, weakness, count, engines, missing };
}

function engineFigures({ forged, accepted, genuine, troubles, seconds }) {
  return {
    forged: sum(forged),
    kinds: Object.keys(forged).filter((kind) => forged[kind] > 0).length,
    forgedByKind: forged,
    accepted: sum(accepted),
    acceptedByKind: accepted,
    genuine: genuine.said,
    arrived: genuine.arrived,
    troubles: troubles.length,
    seconds,
  };
}

/** Whether each engine sent all messages, and accepted nothing forged and everything genuine. */
export function isClean({ count, engines }) {
  const all = Object.values(engines);
  return all.length > 0 && all.every((engine) => engine.forged === count && isCleanIn(engine));
}

function isCleanIn({ accepted, genuine, arrived, troubles }) {
  return accepted === 0 && genuine > 0 && arrived === genuine && troubles === 0;
}

export function lineOf({ seed, weakness, engines, missing }) {
  const parts = Object.entries(engines).map(([name, { forged, kinds, accepted, genuine, arrived, troubles }]) => {
    const rest = troubles > 0 ? `, troubles ${troubles}` : "";
    return `${name} ${forged} forged of ${kinds} kinds, accepted ${accepted}, genuine ${arrived} of ${genuine} in order${rest}`;
  });
  parts.push(...missing.map((engine) => `${engine} is not there`));
  if (weakness) parts.push(`without ${weakness}`);
  return `forge: ${[...parts, `seed ${seed}`].join("; ")}`;
}

function sum(counts) {
  return Object.values(counts).reduce((total, value) => total + value, 0);
}

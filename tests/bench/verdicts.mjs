// Holds a run's figures against their budgets, and against the recorded ones.

import { ENGINES, FIGURES } from "./figures.mjs";

/** A ratio may be so much worse than recorded: machines differ, and one machine from hour to hour. */
export const MARGIN = 1.6;
/** So may milliseconds, which are a difference and may be near 0. */
export const MARGIN_MS = 0.5;

/**
 * Returns what was measured of each figure, by `keyOf`: `{ value, p25?, p75?, ours?, theirs? }`.
 * @param isTimed whether times count
 */
export function foundIn(measured, isTimed) {
  const found = {};
  for (const { of, ...figure } of each()) {
    const one = isTimed || figure.isCount ? of(measured, figure.engine) : undefined;
    if (one) found[keyOf(figure)] = one;
  }
  return found;
}

/**
 * Returns each figure that was found, as `figures.mjs` declares it, with what was found and
 * `{ meetsMust?, meetsAim?, recorded?, isWorse? }`.
 * @param found by `foundIn` @param recorded the same of the recorded run
 */
export function judge(found, recorded) {
  const measured = each().filter((figure) => keyOf(figure) in found);
  return measured.map(({ of, ...figure }) => {
    const key = keyOf(figure);
    const { value } = found[key];
    const { higher, unit, isCount, must, aim } = figure;
    const verdict = { ...figure, ...found[key] };
    if (must !== undefined) verdict.meetsMust = value <= must;
    if (aim !== undefined) verdict.meetsAim = value <= aim;
    const before = recorded[key]?.value;
    if (before === undefined || isCount) return verdict;
    const worst = unit === "ms" ? Math.max(before * MARGIN, before + MARGIN_MS) : before * MARGIN;
    return { ...verdict, recorded: before, isWorse: higher ? value < before / MARGIN : value > worst };
  });
}

/** Returns the figures; one that each engine has, once for each. */
function each() {
  const engines = Object.keys(ENGINES);
  return FIGURES.flatMap(({ inEachEngine, ...figure }) =>
    inEachEngine ? engines.map((engine) => ({ ...figure, engine })) : [figure],
  );
}

/** Returns the words for a figure, which it shares with that of other engines. */
export function titleOf({ name, beside, unit }) {
  if (beside === undefined) return name;
  return unit === "ms" ? `${name}, more than ${beside}` : `${name} / ${beside}`;
}

/** Returns the words for a figure that no other one has. */
export function keyOf(figure) {
  return figure.engine ? `${titleOf(figure)}, ${ENGINES[figure.engine]}` : titleOf(figure);
}

/** Returns `[{ key, before, after }]` of what has moved by more than a tenth since it was recorded. */
export function movedFrom(recorded, found) {
  const moved = Object.entries(found).map(([key, { value }]) => ({ key, before: recorded[key]?.value, after: value }));
  return moved.filter(({ before, after }) => Math.abs(after - before) > Math.abs(before) / 10);
}

export function isClean(verdicts) {
  const isGood = ({ meetsMust = true, isWorse = false }) => meetsMust && !isWorse;
  return verdicts.length > 0 && verdicts.every(isGood);
}

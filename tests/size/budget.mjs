// How many bytes of brotli each figure may have.

/** The project's promise for a moment, and its aim. */
export const PROMISES = {
  firstQuote: { most: 68_000, aim: 60_000 },
  cardForm: { most: 82_000, aim: 72_000 },
  everything: { most: 140_000, aim: 120_000 },
};

/**
 * rustc on another system lays code out a little differently, and what an entry point adds is a difference of two
 * pages, which moves by some tens of bytes whenever names or the order of functions change.
 */
const allowed = (budget) => budget + Math.max(64, Math.ceil(budget / 200));

export const grouped = (number) => number.toLocaleString("en-US");

const FILE = "tests/size/budget.json";

/** Returns the figures over budget or without one, and the budgets without a figure. */
export function problemsOf(budget, weighed) {
  const problems = [];
  for (const [name, bytes] of Object.entries(weighed)) {
    if (!(name in budget)) problems.push(`${FILE} has no budget for ${name}`);
    else if (bytes > allowed(budget[name])) {
      const [growth, before, after] = [bytes - budget[name], budget[name], bytes].map(grouped);
      problems.push(`${name} grew by ${growth} bytes, from ${before} to ${after}`);
    }
  }
  const unused = Object.keys(budget).filter((name) => !(name in weighed));
  return [...problems, ...unused.map((name) => `${FILE} has a budget for ${name}, which is not weighed`)];
}

/** Returns the budgets that could be lowered. */
export function shrunkOf(budget, weighed) {
  const shrunk = Object.keys(weighed).filter((name) => budget[name] > allowed(weighed[name]));
  return shrunk.map((name) => {
    const saved = grouped(budget[name] - weighed[name]);
    return `${name} is ${saved} bytes below its budget: record it with \`cargo xtask size --record\``;
  });
}

/** Returns the promises that the budget keeps and these figures would break: they are not recorded. */
export function brokenOf(budget, weighed) {
  const moments = Object.keys(PROMISES).filter((moment) => {
    const { most } = PROMISES[moment];
    return budget[moment] <= most && weighed[moment] > most;
  });
  return moments.map((moment) => {
    const [bytes, most] = [weighed[moment], PROMISES[moment].most].map(grouped);
    return `${moment} is ${bytes} bytes, more than the promised ${most}: not recorded`;
  });
}

/** Says how many bytes a moment has, and whether that keeps the promise. */
export function verdictOf(moment, bytes) {
  const { most, aim } = PROMISES[moment];
  const over = `${grouped(bytes - most)} more than promised`;
  const verdict = bytes <= aim ? "as aimed at" : bytes <= most ? "as promised" : over;
  return `${moment} ${grouped(bytes)} (${verdict})`;
}

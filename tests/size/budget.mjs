// What each figure may come to, in bytes of brotli.

/** What the project promises of a moment, and what it aims at. */
export const PROMISES = {
  firstQuote: { most: 52_000, aim: 44_000 },
  cardForm: { most: 60_000, aim: 52_000 },
  everything: { most: 88_000, aim: 80_000 },
};

/** rustc on another system lays code out a little differently. */
const allowed = (budget) => budget + Math.ceil(budget / 200);

export const grouped = (number) => number.toLocaleString("en-US");

/** Returns what is over its budget, has none, or is a budget of nothing. */
export function problemsOf(budget, weighed) {
  const problems = [];
  for (const [name, bytes] of Object.entries(weighed)) {
    if (!(name in budget)) problems.push(`tests/size/budget.json has no budget for ${name}`);
    else if (bytes > allowed(budget[name])) {
      problems.push(`${name} grew by ${grouped(bytes - budget[name])} bytes, from ${grouped(budget[name])} to ${grouped(bytes)}`);
    }
  }
  for (const name of Object.keys(budget)) {
    if (!(name in weighed)) problems.push(`tests/size/budget.json has a budget for ${name}, which nothing is called`);
  }
  return problems;
}

/** Returns what could be recorded lower. */
export function shrunkOf(budget, weighed) {
  return Object.keys(weighed).filter((name) => budget[name] > allowed(weighed[name]))
    .map((name) => `${name} is ${grouped(budget[name] - weighed[name])} bytes below its budget: \`cargo xtask size --record\` keeps it so`);
}

/** Returns the promises that the budget kept and these figures would break: they are not recorded. */
export function brokenOf(budget, weighed) {
  return Object.entries(PROMISES).filter(([moment, { most }]) => budget[moment] <= most && weighed[moment] > most)
    .map(([moment, { most }]) => `${moment} is ${grouped(weighed[moment])} bytes, which is more than the ${grouped(most)} that are promised: not recorded`);
}

/** Returns what a moment comes to, and whether that is as promised. */
export function verdictOf(moment, bytes) {
  const { most, aim } = PROMISES[moment];
  const kept = bytes <= aim ? "as aimed at" : bytes <= most ? "as promised" : `${grouped(bytes - most)} more than promised`;
  return `${moment} ${grouped(bytes)} (${kept})`;
}

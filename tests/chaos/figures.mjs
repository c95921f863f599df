/** Returns the figures of a run for the results file. */
export function figuresOf({ seed, weakness, transfers, checkout, posts, kills }) {
  const { ledger, tabs, verdict } = checkout;
  // Several tabs may report one outcome; the first report tells how it was learned.
  const first = new Map();
  for (const outcome of ledger.outcomes) if (!first.has(outcome.intent)) first.set(outcome.intent, outcome);
  const intentsWith = (test) => [...first.values()].filter(test).length;
  const sum = (name) => tabs.reduce((total, tab) => total + tab[name], 0);
  return {
    seed,
    weakness,
    transfers,
    created: intentsWith((outcome) => outcome.created),
    rejected: intentsWith((outcome) => !outcome.created),
    recovered: intentsWith((outcome) => outcome.recovered),
    resumed: intentsWith((outcome) => outcome.resumed),
    reloads: sum("reloads"),
    closings: sum("closings"),
    kills: checkout.kills,
    ...Object.fromEntries(Object.entries(verdict).map(([name, faults]) => [name, faults.length])),
    troubles: ledger.troubles.length,
    ...(weakness && { noticed: verdict.duplicates.length + verdict.wrong.length > 0 }),
    ...(posts && {
      posts: posts.posts,
      quotes: posts.quotes,
      extraRows: posts.extraRows,
      serverErrors: posts.serverErrors,
      unexpectedAnswers: posts.unexpected.length,
    }),
    ...(kills && {
      killRounds: kills.rounds,
      acknowledged: kills.acknowledged,
      acknowledgedLost: kills.lost.length,
    }),
  };
}

/** The figures that must be zero. */
const OF_CHECKOUTS = ["duplicates", "lost", "wrong", "unresolved", "wrongAmounts", "strayRows", "troubles"];
const OF_POSTS_AND_KILLS = ["extraRows", "serverErrors", "unexpectedAnswers", "acknowledgedLost"];
const ZEROS = [...OF_CHECKOUTS, ...OF_POSTS_AND_KILLS];
/** Those that a machine too slow for its pages may cause as well. */
const OF_SLOW_PAGES = ["unresolved", "troubles"];

export function isClean(figures) {
  return ZEROS.every((name) => !figures[name]);
}

/** Whether a rule of money was broken, which no slowness explains. */
export function isBroken(figures) {
  return ZEROS.some((name) => !OF_SLOW_PAGES.includes(name) && Boolean(figures[name]));
}

/** Returns all figures as one line. */
export function lineOf(figures) {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return `chaos: ${known.map(([name, value]) => `${name} ${value}`).join(", ")}`;
}

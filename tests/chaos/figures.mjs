/** Returns the figures of a run for the results file. */
export function figuresOf({ seed, weakness, transfers, checkout, posts, kills }) {
  const { ledger, tabs, verdict } = checkout;
  // Several tabs may report one outcome; the first report tells how it was learnt.
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

/** The figures that must be zero, with their titles. */
const ZEROS = {
  checkout: {
    duplicates: "duplicates",
    lost: "lost",
    wrong: "wrong",
    unresolved: "unresolved",
    wrongAmounts: "wrong amounts",
    strayRows: "stray rows",
    troubles: "troubles",
  },
  posts: { extraRows: "extra rows", serverErrors: "5xx", unexpectedAnswers: "unexpected answers" },
  kills: { acknowledgedLost: "acknowledged lost" },
};

export function isClean(figures) {
  return Object.values(ZEROS).every((titles) => Object.keys(titles).every((name) => !figures[name]));
}

export function lineOf(figures) {
  const zeros = (part) => {
    const titles = Object.entries(ZEROS[part]);
    return titles.map(([name, title]) => `${title} ${figures[name]}`).join(", ");
  };
  const counts = ["created", "rejected", "recovered", "resumed", "reloads", "closings", "kills"];
  const parts = [
    [`${figures.transfers} transfers`, ...counts.map((name) => `${name} ${figures[name]}`)].join(", "),
    zeros("checkout"),
  ];
  if (figures.posts !== undefined) {
    parts.push(`${figures.posts} posts, ${figures.quotes} quotes, ${zeros("posts")}`);
  }
  if (figures.killRounds !== undefined) {
    parts.push(`${figures.killRounds} kills, ${figures.acknowledged} acknowledged, ${zeros("kills")}`);
  }
  if (figures.weakness) parts.push(`weakness ${figures.weakness}`);
  return `chaos: ${parts.join("; ")}; seed ${figures.seed}`;
}

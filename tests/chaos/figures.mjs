/** The figures of a run, as they go into the results file, and the line that says them. */
export function figuresOf({ seed, weakness, transfers, checkout, posts, kills }) {
  const { ledger, tabs, verdict } = checkout;
  // Several tabs may report the same outcome; the first report says how it was learnt.
  const first = new Map();
  for (const outcome of ledger.outcomes) if (!first.has(outcome.intent)) first.set(outcome.intent, outcome);
  const intentsWith = (test) => [...first.values()].filter(test).length;
  const sum = (count) => tabs.reduce((total, tab) => total + count(tab), 0);
  const zeros = Object.fromEntries(Object.entries(verdict).map(([name, faults]) => [name, faults.length]));
  const figures = {
    seed,
    weakness,
    transfers,
    created: intentsWith((outcome) => outcome.created),
    rejected: intentsWith((outcome) => !outcome.created),
    recovered: intentsWith((outcome) => outcome.recovered),
    resumed: intentsWith((outcome) => outcome.resumed),
    reloads: sum((tab) => tab.reloads),
    closings: sum((tab) => tab.closings),
    kills: checkout.kills,
    ...zeros,
    troubles: ledger.troubles.length,
  };
  if (posts) {
    Object.assign(figures, {
      posts: posts.posts,
      quotes: posts.quotes,
      extraRows: posts.extraRows,
      serverErrors: posts.serverErrors,
      unexpectedAnswers: posts.unexpected.length,
    });
  }
  if (kills) {
    Object.assign(figures, {
      killRounds: kills.rounds,
      acknowledged: kills.acknowledged,
      acknowledgedLost: kills.lost.length,
    });
  }
  return figures;
}

/** Those that have to be zero. */
const ZEROS = {
  checkout: {
    duplicates: "duplicates",
    lost: "lost",
    wrong: "wrong",
    unresolved: "unresolved",
    wrongAmounts: "wrong amounts",
    strayRows: "stray rows",
    // What a page did not expect of the SDK, such as a crash of the wasm.
    troubles: "troubles",
  },
  posts: { extraRows: "extra rows", serverErrors: "5xx", unexpectedAnswers: "unexpected answers" },
  kills: { acknowledgedLost: "acknowledged lost" },
};

export function isClean(figures) {
  return Object.values(ZEROS).every((names) => Object.keys(names).every((name) => (figures[name] ?? 0) === 0));
}

export function lineOf(figures) {
  const zeros = (part) => Object.entries(ZEROS[part]).map(([name, title]) => `${title} ${figures[name]}`).join(", ");
  const parts = [
    `${figures.transfers} transfers, created ${figures.created}, rejected ${figures.rejected}, recovered ${figures.recovered}, ` +
      `resumed ${figures.resumed}, reloads ${figures.reloads}, closings ${figures.closings}, kills ${figures.kills}`,
    zeros("checkout"),
  ];
  if (figures.posts !== undefined) parts.push(`${figures.posts} posts, ${figures.quotes} quotes, ${zeros("posts")}`);
  if (figures.killRounds !== undefined) {
    parts.push(`${figures.killRounds} kills, ${figures.acknowledged} acknowledged, ${zeros("kills")}`);
  }
  if (figures.weakness) parts.push(`weakness ${figures.weakness}`);
  return `chaos: ${parts.join("; ")}; seed ${figures.seed}`;
}

// The benchmark's work in the page: `globalThis.bench`. The memory watch comes first, before any wasm starts.

import { Chance } from "/page/chance.mjs";
import { replaceNetwork } from "./network.js";
import { inRounds } from "./rounds.js";
import { wasmPages } from "./wasm-memory.js";

const { CONTESTS, growingContests, manyQuotes } = await import("./contests.js");
const { MESSAGES, openForms } = await import("./messages.js");
const { refusals } = await import("./refusals.js");
const { sharedKit } = await import("./subjects.js");

// Its wasm comes over the network, so it stands before there is none.
await sharedKit();
replaceNetwork();

const collect = () => globalThis.gc?.();
const chosen = (contests, only) => Object.fromEntries(Object.entries(contests).filter(([name]) => !only || only.includes(name)));

const bench = {
  /** Samples of the contests, or of some of them. */
  contests: ({ rounds, seed, effort, only }) =>
    inRounds({ contests: chosen({ ...CONTESTS, ...MESSAGES }, only), rounds, chance: new Chance(seed, "contests"), effort, collect }),

  /** Samples for the curves, by what grows. */
  curves: ({ rounds, seed, effort, sizes }) =>
    inRounds({ contests: growingContests(sizes), rounds, chance: new Chance(seed, "curves"), effort, collect }),

  openForms: ({ variant, count, messages }) => openForms(variant, count, messages),

  /** What the variants of each contest come to, where they do not agree. */
  async disagreements() {
    const found = [];
    for (const [name, { variants, result }] of Object.entries(CONTESTS)) {
      const results = {};
      for (const variant of variants) results[variant] = await result(variant);
      if (new Set(Object.values(results)).size > 1) found.push({ name, results });
    }
    return found;
  },

  refusals: async ({ share }) => {
    try {
      return await refusals(share);
    } finally {
      replaceNetwork();
    }
  },

  manyQuotes: ({ count }) => manyQuotes(count),
  memory: async () => ({ wasmPages: wasmPages() }),

  closeForms: async () => {
    for (const { close } of Object.values(MESSAGES)) close();
  },
};

/** Starts work for drivers that can't wait for a promise; they look for its end in `globalThis.ended`. */
globalThis.begin = (work, options) => {
  globalThis.ended = undefined;
  bench[work](options).then(
    (value) => (globalThis.ended = { value }),
    (error) => (globalThis.ended = { error: String(error?.stack ?? error) }),
  );
};

globalThis.isReady = crossOriginIsolated;

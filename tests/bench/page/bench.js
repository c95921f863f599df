// The benchmark's work in the page. The memory watch comes first, before any wasm starts.

import { Chance } from "/page/chance.mjs";
import { replaceNetwork } from "./network.js";
import { inRounds } from "./rounds.js";
import { wasmPages } from "./wasm-memory.js";

const { CONTESTS, growingContests, manyQuotes } = await import("./contests.js");
const { MESSAGES, openForms } = await import("./messages.js");
const { refusals } = await import("./refusals.js");
const { sharedKit } = await import("./subjects.js");

// Its wasm comes over the real network.
await sharedKit();
replaceNetwork();

const bench = {
  contests: ({ seed, ...more }) =>
    inRounds({ contests: { ...CONTESTS, ...MESSAGES }, chance: new Chance(seed, "contests"), ...more }),

  curves: ({ seed, sizes, ...more }) =>
    inRounds({ contests: growingContests(sizes), chance: new Chance(seed, "curves"), ...more }),

  openForms: ({ variant, count, messages }) => openForms(variant, count, messages),

  /** Returns the results of the contests whose variants do not agree. */
  async disagreements() {
    const found = [];
    for (const [name, { variants, result }] of Object.entries(CONTESTS)) {
      const results = {};
      for (const variant of variants) results[variant] = await result(variant);
      if (new Set(Object.values(results)).size > 1) found.push({ name, results });
    }
    return found;
  },

  refusals: ({ share }) => refusals(share),
  manyQuotes: ({ count }) => manyQuotes(count),
  memory: async () => ({ wasmPages: wasmPages() }),
  closeForms: async () => Object.values(MESSAGES).forEach(({ close }) => close()),
};

/** Begins a work; its end appears in `globalThis.ended`. */
globalThis.begin = (work, options) => {
  globalThis.ended = undefined;
  bench[work](options).then(
    (value) => (globalThis.ended = { value }),
    (error) => (globalThis.ended = { error: String(error?.stack ?? error) }),
  );
};

globalThis.isReady = crossOriginIsolated;

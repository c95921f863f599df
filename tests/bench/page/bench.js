// What the benchmark does in the page, as `globalThis.bench`. The memory's watch stands first, before anything starts a wasm.

import { wasmPages } from "./wasm-memory.js";
import { restoreNetwork, replaceNetwork } from "./network.js";

const { CONTESTS, growing, manyQuotes } = await import("./contests.js");
const { MESSAGES, openForms } = await import("./messages.js");
const { refusals } = await import("./refusals.js");
const { sharedKit } = await import("./subjects.js");

// Its wasm comes over the network, so it stands before there is none.
await sharedKit();
replaceNetwork();
const all = { ...CONTESTS, ...MESSAGES };
const curves = new Map();

function curve(kind, count, sort) {
  const key = `${kind} ${count} ${sort}`;
  if (!curves.has(key)) curves.set(key, growing[kind](count, sort));
  return curves.get(key);
}

globalThis.bench = {
  contests: Object.fromEntries(Object.entries(all).map(([name, { variants }]) => [name, variants])),
  sample(contest, variant, count) {
    globalThis.gc?.();
    return all[contest].sample(variant, count);
  },
  result: (contest, variant) => CONTESTS[contest].result(variant),
  grow(kind, count, sort, variant, times) {
    globalThis.gc?.();
    return curve(kind, count, sort).sample(variant, times);
  },
  closeForms() {
    for (const { close } of Object.values(MESSAGES)) close();
  },
  openForms,
  manyQuotes,
  wasmPages,
  refusals: async () => {
    try {
      return await refusals();
    } finally {
      replaceNetwork();
    }
  },
  restoreNetwork,
};

import { asError } from "../errors.js";
import { loadAgain } from "../load-again.js";

// What only some pages need of the element, or need later.
const LOADERS = {
  choice: /* @__PURE__ */ loadAgain(() => import("./amount-choice.js")),
  price: /* @__PURE__ */ loadAgain(() => import("./amount-price.js")),
  problem: /* @__PURE__ */ loadAgain(() => import("./amount-problem.js")),
};

/** Returns these scripts by name, and why the others did not load, as `error`. */
export async function loadParts(names) {
  const parts = {};
  let error;
  const load = async (name) => {
    try {
      parts[name] = await LOADERS[name]();
    } catch (cause) {
      error = asError(cause);
    }
  };
  await Promise.all(names.map(load));
  return { parts, error };
}

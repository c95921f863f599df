import { asError } from "../../errors/errors.js";
import { loadAgain } from "../../module/load-again.js";

const loadProblem = /* @__PURE__ */ loadAgain(() => import("./amount-problem.js"));
const loadPrice = /* @__PURE__ */ loadAgain(() => import("./amount-price.js"));
const loadChoice = /* @__PURE__ */ loadAgain(() => import("./amount-choice.js"));

/** Returns the scripts that an element needs later, or only on some pages, or why one did not load, as `error`. */
export async function loadParts(isPriced, isChosen) {
  try {
    const parts = [loadProblem(), isPriced && loadPrice(), isChosen && loadChoice()];
    const [problem, price, choice] = await Promise.all(parts);
    return { problem, price, choice };
  } catch (cause) {
    return { error: asError(cause) };
  }
}

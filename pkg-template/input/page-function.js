import { invalid } from "../errors/errors.js";

/** Returns a page's function, if there is one. */
export function functionOf(name, given) {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "function") throw invalid("InvalidRequest", name, "a function");
  return given;
}

import { SIDES } from "./amount-entry.js";
import { attempt, hasOwn } from "../control.js";

// What customers may choose where the element has this flag.
const CHOSEN = { method: "compare", send: "currencies", receive: "currencies" };

/**
 * Returns what a browser keeps of an amount until it shows the page again: what was typed, in which currency, and what
 * the customer chose. Without lists, of which some libraries make a JSON of their own.
 */
export function stateOf({ side, text, currency }, element) {
  return JSON.stringify({ side, text, currency, ...chosenIn(element, element) });
}

/** Returns what was kept, as far as the element still offers it; undefined if it is of another version. */
export function readState(state, element) {
  return attempt(() => {
    const kept = JSON.parse(state);
    const { side, text, currency } = kept;
    const isOurs = hasOwn(SIDES, side) && typeof text === "string";
    return isOurs ? { side, text, currency, chosen: chosenIn(kept, element) } : undefined;
  });
}

function chosenIn(values, element) {
  const isChosen = (name) => element[CHOSEN[name]] && typeof values[name] === "string" && values[name] !== "";
  const names = Object.keys(CHOSEN).filter(isChosen);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

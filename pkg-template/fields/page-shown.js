// WebKit clears what is not to be autofilled in a task after it shows a page again, and says nothing.
const CLEARED_WITHIN_MS = 2500;

let shownAt = -Infinity;
let isWatched = false;

/** Calls `listener` whenever the page is shown again and may have been cleared, until `signal` is aborted. */
export function onPageShown(listener, signal) {
  if (!isWatched) addEventListener("pageshow", ({ persisted }) => persisted && (shownAt = performance.now()));
  isWatched = true;
  addEventListener("pageshow", () => setTimeout(listener), { signal });
}

/** Returns whether an input may have been emptied by the engine, and not by the customer. */
export const isEmptied = ({ localName, value }) =>
  localName === "input" && value === "" && performance.now() - shownAt < CLEARED_WITHIN_MS;

import { knowsTime, timeOf } from "./fetch.js";

const MAX_PAUSE_MS = 1000;
// Longer than a quote or a session lasts. A fresh one that seems to last longer, or to have ended, shows that
// the device's clock is wrong.
const MAX_LEFT_MS = 86_400_000;

// When quotes and card forms end, by `performance.now()`.
const ends = new WeakMap();

/**
 * Returns how many milliseconds a quote or a card form has left, from when it was first asked about by a
 * clock that nobody sets; undefined if that is unknown.
 */
export function leftOf(dated) {
  const date = dated?.expirationDate;
  if (!date) return undefined;
  let known = ends.get(dated);
  if (known?.date !== date || knowsTime()) {
    const left = timeOf(String(date)) - Date.now();
    const isKnown = knowsTime() ? !Number.isNaN(left) : left > 0 && left <= MAX_LEFT_MS;
    known = { date, end: isKnown ? performance.now() + left : undefined };
    ends.set(dated, known);
  }
  return known.end === undefined ? undefined : Math.max(0, known.end - performance.now());
}

/**
 * Calls `check` now, and again after as many milliseconds as it returns, or earlier, as timers pause in a
 * hidden or cached page and while the machine sleeps. So it also runs when the page is shown.
 *
 * @returns a function that stops it.
 */
export function checkClock(check) {
  let timer;
  const run = () => {
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(check(), MAX_PAUSE_MS));
  };
  addEventListener("pageshow", run);
  document.addEventListener("visibilitychange", run);
  run();
  return () => {
    clearTimeout(timer);
    removeEventListener("pageshow", run);
    document.removeEventListener("visibilitychange", run);
  };
}

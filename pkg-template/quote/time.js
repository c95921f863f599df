import { knowsTime, timeOf } from "../core/service-time.js";
import { MAX_LEFT_MS } from "./max-left.js";

const MAX_PAUSE_MS = 1000;

// When quotes and card forms end, by `performance.now()` and by `Date.now()`, and whether they have.
const ends = new WeakMap();

/**
 * Returns how many milliseconds a quote or a card form has left, from when it was first asked about; undefined if that
 * is unknown. Of the clock that nobody sets, which may stand still while a device sleeps, and the one that goes on, the
 * later counts. What has ended stays so.
 */
export function leftOf(dated) {
  const date = dated?.expirationDate;
  if (!date) return undefined;
  let known = ends.get(dated);
  if (known?.date !== date || (knowsTime() && !known.isOver)) {
    const left = timeOf(String(date)) - Date.now();
    const isKnown = knowsTime() ? !Number.isNaN(left) : left > 0 && left <= MAX_LEFT_MS;
    known = { date, isKnown, end: performance.now() + left, dateEnd: Date.now() + left };
    ends.set(dated, known);
  }
  if (!known.isKnown) return undefined;
  const left = Math.min(known.end - performance.now(), known.dateEnd - Date.now());
  known.isOver ||= left <= 0;
  return known.isOver ? 0 : left;
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

import { timeOf as millisecondsOf } from "./engine.js";

const MAX_PAUSE_MS = 1000;

/** Returns milliseconds since 1970 for a date of the service; undefined for anything else. */
export function timeOf(date) {
  const time = millisecondsOf(String(date));
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Calls `check` now, and again after as many milliseconds as it returns, or earlier, as the clock may be set.
 * Timers pause in a hidden or cached page and while the machine sleeps, so it also runs when the page is
 * shown.
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

import { timeOf as millisecondsOf } from "./engine.js";

const LOOK_AGAIN_MS = 1000;

/** Milliseconds since 1970 of a date of the service; undefined where it is none. */
export function timeOf(date) {
  const time = millisecondsOf(String(date));
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Looks at once, and again after as many milliseconds as `look` gives, or earlier: the clock may be set
 * meanwhile. A timer stands still in a page that is hidden or kept for going back, and while a machine
 * sleeps, so it is looked at again also when the page is shown.
 *
 * @returns how to stop that.
 */
export function keepLooking(look) {
  let timer;
  const run = () => {
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(look(), LOOK_AGAIN_MS));
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

import { timeOf as millisecondsOf } from "./engine.js";

// The clock may be put on, and a machine that sleeps stops its timers.
const LOOK_AGAIN_MS = 10_000;

/** Milliseconds since 1970 of a date of the service; undefined where it is none. */
export function timeOf(date) {
  const time = millisecondsOf(String(date));
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Calls back once it is `time`. A timer stands still in a page that is hidden or kept for going back, so the clock is looked at
 * again when the page is shown. With `isForEyes` a page that is hidden waits until it is shown.
 *
 * @returns how to stop that.
 */
export function whenPast(time, callback, { isForEyes = false } = {}) {
  let timer;
  const stop = () => {
    clearTimeout(timer);
    removeEventListener("pageshow", look);
    document.removeEventListener("visibilitychange", look);
  };
  const look = () => {
    clearTimeout(timer);
    const left = time - Date.now();
    if (left > 0) {
      timer = setTimeout(look, Math.min(left, LOOK_AGAIN_MS));
    } else if (!isForEyes || !document.hidden) {
      stop();
      callback();
    }
  };
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
  // Never before this has returned.
  timer = setTimeout(look, Math.min(Math.max(time - Date.now(), 0), LOOK_AGAIN_MS));
  return stop;
}

// What is pressed must stay where it is until the click has come: what a lost focus or a reply would move waits.

// A click follows in another task, a touch's some time later.
const CLICK_WITHIN_MS = 100;
// A menu or a dialog may swallow what ends a press.
const PRESS_WITHIN_MS = 3000;

const waiting = new Map();
let isPressed = false;
let isWatched = false;
let timer;

/** Returns whether a pointer is down, or its click may still come. */
export function isPressing() {
  watchPresses();
  return isPressed;
}

/** Calls `work` now, or once nothing is pressed; of several with one `key`, only the last. */
export function afterPress(key, work) {
  if (isPressing()) waiting.set(key, work);
  else work();
}

/** Resolves once nothing is pressed. */
export const released = () => new Promise((resolve) => afterPress({}, resolve));

/** Watches from now on. */
export function watchPresses() {
  // Without a page there are none.
  if (isWatched || globalThis.addEventListener === undefined) return;
  isWatched = true;
  const on = (type, listener) => addEventListener(type, listener, { capture: true, passive: true });
  on("pointerdown", ({ button }) => {
    if (button > 0) return;
    isPressed = true;
    endIn(PRESS_WITHIN_MS);
  });
  on("keydown", () => isPressed && endIn(0));
  on("pointerup", () => endIn(CLICK_WITHIN_MS));
  // After the listeners of the page.
  on("click", () => endIn(0));
  on("pointercancel", () => endIn(0));
  // A menu may take what follows.
  on("contextmenu", () => endIn(0));
  // A pointer may be let go outside of the window.
  on("blur", ({ target }) => target === window && endIn(0));
}

function endIn(ms) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    isPressed = false;
    const works = [...waiting.values()];
    waiting.clear();
    // In tasks of their own, as what one throws must not keep the others from being done.
    works.forEach((work) => setTimeout(work));
  }, ms);
}

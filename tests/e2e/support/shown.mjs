// Assertions that wait for what a page shows: an action's result may come later than the action returns.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Only a failing test waits this long. */
const LIMIT_MS = 15_000;
const PAUSE_MS = 25;

/** Repeats `check` until it throws no more; throws its last error once `limitMs` are over. */
export async function eventually(check, limitMs = LIMIT_MS) {
  for (const end = performance.now() + limitMs; ; await sleep(PAUSE_MS)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

function assertText(text, expected, message) {
  if (expected instanceof RegExp) assert.match(text, expected, message);
  else assert.equal(text, expected, message);
}

/** Waits for a text, which is equal to a string or matches a pattern. */
export function shows(locator, expected, message) {
  return eventually(async () => assertText(await locator.innerText(), expected, message));
}

/** Waits for a text that has all of the `parts`. */
export function contains(locator, ...parts) {
  return eventually(async () => {
    const text = await locator.innerText();
    for (const part of parts) assert.ok(text.includes(part), `no “${part}” in “${text}”`);
  });
}

/** Waits for the texts of all elements that match. */
export function hasTexts(locator, expected, message) {
  return eventually(async () => assert.deepEqual(await locator.allInnerTexts(), expected, message));
}

export function hasValue(locator, expected, message) {
  return eventually(async () => assertText(await locator.inputValue(), expected, message));
}

export function hasAttribute(locator, name, expected, message) {
  return eventually(async () => assertText(await locator.getAttribute(name), expected, message));
}

/** Waits for a number of elements. What must never come is for `isAbsent`: 0 may be there too early. */
export function hasCount(locator, expected, message) {
  return eventually(async () => assert.equal(await locator.count(), expected, message));
}

export function isChecked(locator, message = `${locator} is not checked`) {
  return eventually(async () => assert.ok(await locator.isChecked(), message));
}

export function isShown(locator, message = `${locator} is not visible`) {
  return eventually(async () => assert.ok(await locator.isVisible(), message));
}

/** Waits until what was visible is gone or hidden. */
export function disappears(locator, message = `${locator} is still visible`) {
  return eventually(async () => assert.ok(!(await locator.isVisible()), message));
}

/**
 * Asserts at once that nothing matches. `now` says what has happened, which the page shows no earlier than
 * what must be absent: “the form is ready”.
 */
export async function isAbsent(locator, now) {
  assert.deepEqual(await locator.allInnerTexts(), [], `${now}, and still there is ${locator}`);
}

/** As `isAbsent`, of what may be there but must not be visible. */
export function isHidden(locator, now) {
  return isAbsent(locator.filter({ visible: true }), now);
}

/** Waits for a reply to the page: it has then handled all replies and messages that came before. */
export async function caughtUp(page) {
  await page.evaluate(() => fetch("/favicon.svg", { cache: "no-store" }).then((reply) => reply.text()));
}

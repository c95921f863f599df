// What the samples' files use in a page.

export function ok(value, what = "a truthy value") {
  if (!value) throw new Error(`expected ${what}, not ${JSON.stringify(value)}`);
}

export function equal(actual, expected) {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(value) ?? String(value));
  if (one !== other) throw new Error(`expected ${other}, not ${one}`);
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a condition, for 20 seconds at most. */
export async function until(condition, what = String(condition)) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) if (await condition()) return;
  throw new Error(`never: ${what}`);
}

/** Returns the error of a promise, which must reject. */
export async function errorOf(promise) {
  const outcome = await promise.then((value) => ({ value }), (error) => ({ error }));
  if (!("error" in outcome)) throw new Error(`an error was expected, not ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}

/** Translates what is in a place as browsers do, again after each change: other elements have its texts then. */
export function translate(place) {
  const replace = () => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const isOwn = (text) => text.data.trim() === "" || text.parentElement.closest("font, option");
    for (const text of texts.filter((text) => !isOwn(text))) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  replace();
  new MutationObserver(replace).observe(place, { subtree: true, childList: true, characterData: true });
}

/** Returns how many requests to create a recipient have arrived at a sandbox. */
export async function countRecipients(sandbox) {
  const requests = await sandbox.requests();
  return requests.filter(({ method, route }) => method === "POST" && route === "/v1/recipients").length;
}

/** Submits a form although something is missing, as browsers without form-associated elements do. */
export function submitUnchecked(form) {
  form.noValidate = true;
  form.requestSubmit();
  form.noValidate = false;
}

/** Submits a form twice before the page can react. */
export function submitTwice(form) {
  form.requestSubmit();
  form.requestSubmit();
}

/** Calls a method of Playwright's page, as in `customer.fill("input", "3")`. */
export const customer = new Proxy({}, { get: (_, name) => (...args) => customerDoes(name, ...args) });

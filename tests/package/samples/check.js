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

/** Calls a method of Playwright's page, as in `customer.fill("input", "3")`. */
export const customer = new Proxy({}, { get: (_, name) => (...args) => customerDoes(name, ...args) });

export const textOf = (selector) => document.querySelector(selector)?.textContent;
const count = (selector) => document.querySelectorAll(selector).length;

/** Submits a recipient's form empty, then fills it in and submits it again. */
export async function fillRecipient(form, { fieldSets }) {
  const all = fieldSets.flatMap(({ fields }) => fields);
  const visible = all.filter(({ visibility }) => visibility.startsWith("SHOW"));
  ok(visible.length < all.length, "a hidden field");
  equal(count(`${form} label`), visible.length);
  const label = (id) => `${form} label:nth-of-type(${visible.findIndex(({ fieldId }) => fieldId === id) + 1})`;
  await customer.click(`${form} button`);
  const required = visible.filter((field) => field.isRequired);
  await until(() => count(`${form} [aria-invalid=true]`) === required.length, "a problem per required field");
  const person = { firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Av. Juárez 12" };
  for (const [id, value] of Object.entries({ ...person, PHONE_NUMBER: "5512345678" })) {
    await customer.fill(`${label(id)} input`, value);
  }
  for (const [id, index] of [["ADDRESS_STATE", 2], ["ADDRESS_CITY", 1]]) {
    await until(() => count(`${label(id)} option`) > index, `the choices of ${id}`);
    await customer.selectOption(`${label(id)} select`, { index });
  }
  await customer.click(`${form} button`);
}

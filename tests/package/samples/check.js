// For what runs in a page.

export function ok(value, what = "a truth") {
  if (!value) throw new Error(`expected ${what}, not ${JSON.stringify(value)}`);
}

export function equal(actual, expected) {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(value) ?? String(value));
  if (one !== other) throw new Error(`expected ${other}, not ${one}`);
}

/** Waits until something holds; a limit, as what never comes would be waited for for ever. */
export async function until(holds, what = String(holds), limitMs = 20_000) {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(50)) {
    if (await holds()) return;
  }
  throw new Error(`waited in vain: ${what}`);
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The error that a call ends in. */
export async function errorOf(call) {
  const value = await call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  if (!("error" in value)) throw new Error(`an error was expected, not ${JSON.stringify(value)}`);
  return value.error;
}

/** `customer.fill("input", "3")` and whatever else Playwright's page can, from within the page. */
export const customer = new Proxy({}, { get: (_, name) => (...args) => customerDoes(name, ...args) });

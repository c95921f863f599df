// Takes the place of fetch with replies that lie ready.

const HEADERS = { "content-type": "application/json", "request-id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301" };
const real = globalThis.fetch.bind(globalThis);
let ready = [];
let make;

/** As the wire would have it: bytes, and their number. */
export function replyOf(body, status = 200) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new Response(bytes, { status, headers: { ...HEADERS, "content-length": String(bytes.length) } });
}

/** From here on every request is answered with `body`; `count` replies are made beforehand. */
export function answerWith(body, count) {
  const bytes = new TextEncoder().encode(body);
  make = () => replyOf(bytes);
  ready = Array.from({ length: count }, make);
}

export function replaceNetwork() {
  globalThis.fetch = () => Promise.resolve(ready.pop() ?? make());
}

/** From here on `answer(url)` makes each reply. */
export function answerBy(answer) {
  globalThis.fetch = async (input) => answer(typeof input === "string" ? input : input.url);
}

export function restoreNetwork() {
  globalThis.fetch = real;
}

// Replaces fetch by prepared replies.

const HEADERS = { "content-type": "application/json", "request-id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301" };
let ready = [];
let make;

/** Returns a reply as the wire has it: bytes, and their number. */
export function replyOf(body, status = 200) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new Response(bytes, { status, headers: { ...HEADERS, "content-length": String(bytes.length) } });
}

/** Answers every later request with `body`; `count` replies are made beforehand. */
export function answerWith(body, count) {
  const bytes = new TextEncoder().encode(body);
  make = () => replyOf(bytes);
  ready = Array.from({ length: count }, make);
}

export function replaceNetwork() {
  globalThis.fetch = () => Promise.resolve(ready.pop() ?? make());
}

/** Answers every later request with `answer(url)`. */
export function answerBy(answer) {
  globalThis.fetch = async (input) => answer(typeof input === "string" ? input : input.url);
}

// Replaces fetch by prepared replies.

// What a connection delivers at once.
const CHUNK = 65_536;
const HEADERS = { "content-type": "application/json", "request-id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301" };
let ready = [];
let make;

/** Returns a reply as the wire has it: bytes, and their number. */
export function replyOf(body, status = 200) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const headers = { ...HEADERS, "content-length": String(bytes.length) };
  // Chromium copies a large body that was made in memory, as it copies none that a connection has delivered.
  return new Response(bytes.length > CHUNK ? streamOf(bytes) : bytes, { status, headers });
}

function streamOf(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, (at += CHUNK)));
      if (at >= bytes.length) controller.close();
    },
  });
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

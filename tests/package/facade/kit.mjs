// Kits of the packed package with its real wasm, over a scripted service in place of `fetch`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { documented } from "../../fuzz/service.mjs";
import { unpacked } from "./unpacked.mjs";

export * from "./unpacked.mjs";

// The package's timers must not keep a finished test file alive. A test that hangs fails after ten minutes.
const { setTimeout } = globalThis;
globalThis.setTimeout = (...timer) => setTimeout(...timer).unref();
const watchdog = setTimeout(() => {}, 600_000);
after(() => clearTimeout(watchdog));

export const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const OTHER = "9d1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

const { folder, load } = await unpacked();
export { folder, load };
export const remitkit = await load("index.js");
export const bytes = await readFile(join(folder, "remitkit_first.wasm"));

/**
 * The service: the requests since the last call of `kit`, and `answer`, which returns a value, its JSON, a
 * Response, or nothing for the documented reply.
 */
export const service = { requests: [], answer: () => undefined };

export const wasmReply = (bytes) => new Response(bytes, { headers: { "content-type": "application/wasm" } });

/** The addresses of the package's own wasm, which are not requests to the service. */
const PART = /\/remitkit_(card|transfer)\.wasm$/;

globalThis.fetch = async (address, { method = "GET", body: text, headers, signal, ...init } = {}) => {
  const { origin, pathname: path, searchParams } = new URL(address);
  if (PART.test(path)) {
    return wasmReply(await readFile(new URL(address)));
  }
  const body = text === undefined ? undefined : JSON.parse(text);
  const query = Object.fromEntries(searchParams);
  const request = { method, origin, path, query, body, text, headers, signal, init };
  service.requests.push(request);
  const aborted = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const answer = (await Promise.race([service.answer(request), aborted])) ?? documented(request);
  if (answer instanceof Response) return answer;
  return new Response(typeof answer === "string" ? answer : JSON.stringify(answer));
};

/** An error reply of the service. */
export const refusal = (code, status = 400) => Response.json([{ code, message: "" }], { status });
export const never = () => new Promise(() => {});

export const OPTIONS = {
  baseUrl: "https://api.example",
  cardUrl: "https://card.example",
  token: "token",
  journal: "memory",
  wasm: await WebAssembly.compile(bytes),
};
/** Loads the parts that the first load leaves out, so that tests with fake timers wait for no file. */
export async function loadParts(load) {
  const { preload } = await load("index.js");
  await preload({ wasm: OPTIONS.wasm, everything: true });
}
await loadParts(load);

/** Creates a kit over a service with these answers. */
export async function kit(answer = () => undefined, options = {}, { createRemitKit } = remitkit) {
  const remit = await createRemitKit({ ...OPTIONS, ...options });
  service.requests.length = 0;
  service.answer = answer;
  return { remit, requests: service.requests };
}

/** The reply of a fields endpoint. Fields are required texts unless they say otherwise. */
export function fieldsOf(...fields) {
  const defaults = { fieldType: "TEXT", isRequired: true };
  return { fieldSets: [{ fieldSetId: "a", fields: fields.map((field) => ({ ...defaults, ...field })) }] };
}

/** Counts unhandled rejections until the test ends. */
export function watchUnhandled(t) {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  return unhandled.mock;
}

/** Longer than the package's pauses, and no longer than its time limits. */
const LIMIT_MS = 20_000;

/** Shortens the package's pauses. Its time limits stay, which a busy machine would exceed. */
export function speedUp(t, factor = 100) {
  const { setTimeout } = globalThis;
  const shortened = (ms) => (ms < LIMIT_MS ? ms / factor : ms);
  t.mock.method(globalThis, "setTimeout", (work, ms, ...args) => setTimeout(work, shortened(ms), ...args));
}

// Kits of the packed package, with its wasm, and a service that is played in the place of `fetch`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { documented } from "../../fuzz/service.mjs";
import { settled, unpacked } from "./unpacked.mjs";

export * from "./unpacked.mjs";

// Timers that outlive their calls, such as the package's time-outs, must not keep a test file running: the
// file ends with its tests. What never ends does so after ten minutes; a busy machine needs more than one.
const { setTimeout } = globalThis;
globalThis.setTimeout = (...timer) => setTimeout(...timer).unref();
const running = setTimeout(() => {}, 600_000);
after(() => clearTimeout(running));

export const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const OTHER = "9d1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

const own = await unpacked();
export const { load } = own;
export const remitkit = await load("index.js");
export const bytes = await readFile(join(own.folder, "remitkit_first.wasm"));

/**
 * The service: the requests since the last `kit`, and `answer`, which returns a value, its JSON, a
 * Response, or nothing for the documented reply.
 */
export const service = { requests: [], answer: () => undefined };

/** Where the package asks for a part of its module. Such requests are none of the service's. */
const PART = /\/remitkit_(card|transfer)\.wasm$/;

globalThis.fetch = async (address, { method = "GET", body: text, headers, signal } = {}) => {
  const { origin, pathname: path, searchParams } = new URL(address);
  if (PART.test(path)) {
    return new Response(await readFile(new URL(address)), { headers: { "content-type": "application/wasm" } });
  }
  const body = text === undefined ? undefined : JSON.parse(text);
  const request = { method, origin, path, query: Object.fromEntries(searchParams), body, text, headers, signal };
  service.requests.push(request);
  const aborted = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const answer = (await Promise.race([service.answer(request), aborted])) ?? documented(request);
  return answer instanceof Response ? answer : new Response(typeof answer === "string" ? answer : JSON.stringify(answer));
};

/** A refusal of the service. */
export const refusal = (code, status = 400) => Response.json([{ code, message: "" }], { status });

export const OPTIONS = {
  baseUrl: "https://api.example",
  cardUrl: "https://card.example",
  token: "token",
  journal: "memory",
  wasm: await WebAssembly.compile(bytes),
};
/** What the first load leaves out, so that no test waits for a file while it plays with the time. */
export async function loadParts(load) {
  const { preload } = await load("index.js");
  await preload({ wasm: OPTIONS.wasm, everything: true });
}
await loadParts(load);

/** A kit with a service that answers like this. */
export async function kit(answer = () => undefined, options = {}, { createRemitKit } = remitkit) {
  const remit = await createRemitKit({ ...OPTIONS, ...options });
  service.requests.length = 0;
  service.answer = answer;
  return { remit, requests: service.requests };
}

/** The reply of a fields endpoint, whose fields are texts unless they say otherwise. */
export const fieldsOf = (...fields) => ({
  fieldSets: [{ fieldSetId: "a", fields: fields.map((field) => ({ fieldType: "TEXT", isRequired: true, ...field })) }],
});

/** Watches for rejections that nobody handles, until the test is over. */
export function watchUnhandled(t) {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  return unhandled.mock;
}

/** Lets the package's timers run so many times as fast, and so what it waits for. */
export function hurry(t, times = 100) {
  const { setTimeout } = globalThis;
  t.mock.method(globalThis, "setTimeout", (work, ms, ...args) => setTimeout(work, ms / times, ...args));
}

/** Time that passes for the package when it is told to. */
export function stopTime(t, now = Date.now()) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now });
  const pass = async (ms) => {
    await settled();
    t.mock.timers.tick(ms);
    await settled();
  };
  /** What a promise comes to as time passes, at most five minutes. */
  const whileTimePasses = async (promise) => {
    let isPending = true;
    const end = () => (isPending = false);
    promise.then(end, end);
    for (let step = 0; step < 600 && isPending; step += 1) {
      await pass(500);
    }
    return promise;
  };
  return { pass, whileTimePasses };
}

// How the wasm is loaded, and what is told where it cannot be.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, bytes, errorOf, load as loadPacked, OPTIONS, service } from "./kit.mjs";
import { replaceGlobal, settled, unpacked, wasmReply, watchUnhandled } from "./kit.mjs";

const ADDRESS = "https://cdn.example/x.wasm";
const served = () => wasmReply(bytes);
const offline = () => Promise.reject(new TypeError("fetch failed"));
const fetched = () => service.requests.map(({ path }) => path.split("/").at(-1));

/** Loads a copy of the package that has loaded nothing yet; `serve` answers for its wasm. */
async function unloaded(serve = served) {
  const { load } = await unpacked();
  service.requests.length = 0;
  service.answer = serve;
  const { createRemitKit, preload } = await load("index.js");
  const { wasm: _, ...options } = OPTIONS;
  return { preload, create: (more) => createRemitKit({ ...options, ...more }) };
}

test("importing loads nothing; kits and preloads load the wasm once", async () => {
  const { create, preload } = await unloaded();
  assert.deepEqual(fetched(), []);
  const [preloaded] = await Promise.all([preload(), preload(), create(), create({ wasm: ADDRESS })]);
  await create();
  assert.deepEqual([preloaded, fetched()], [undefined, ["remitkit_first.wasm"]]);
});

test("an engine without streaming compilation still loads the module", async (t) => {
  const { instantiateStreaming } = WebAssembly;
  t.after(() => Object.assign(WebAssembly, { instantiateStreaming }));
  for (const type of ["application/wasm", "application/octet-stream"]) {
    const { create } = await unloaded(() => new Response(bytes, { headers: { "content-type": type } }));
    delete WebAssembly.instantiateStreaming;
    await create();
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
});

test("the page may supply the wasm or its address", async () => {
  for (const wasm of [new URL(ADDRESS), ADDRESS, bytes, served(), OPTIONS.wasm]) {
    const { create } = await unloaded();
    const remit = await create({ wasm });
    assert.deepEqual(remit.contentSecurityPolicy()["frame-src"], [OPTIONS.cardUrl]);
    assert.deepEqual(fetched(), String(wasm) === ADDRESS ? ["x.wasm"] : []);
  }
  const { create, preload } = await unloaded();
  await Promise.all([preload({ wasm: bytes }), create()]);
  assert.deepEqual(fetched(), []);
});

test("a load that failed says why and can be tried again", async (t) => {
  const unhandled = watchUnhandled(t);
  const { create, preload } = await unloaded(offline);
  const preloaded = preload();
  await settled();
  assert.equal(unhandled.callCount(), 0);
  const errors = await Promise.all([preloaded, create(), create()].map(errorOf));
  for (const { code, kind, retryable, cause } of errors) {
    const expected = ["LoadFailed", "unavailable", true, "fetch failed"];
    assert.deepEqual([code, kind, retryable, cause.message], expected);
  }
  service.answer = served;
  await Promise.all([create(), create()]);
  assert.equal(fetched().length, 3);
});

test("without WebAssembly the error has a code of its own, with what the customer can do", async (t) => {
  const { create, preload } = await unloaded();
  replaceGlobal(t, "WebAssembly", { value: undefined });
  for (const error of [await errorOf(create()), await errorOf(preload())]) {
    const { code, kind, resolution, retryable, userMessage } = error;
    const expected = ["WebAssemblyUnavailable", "configuration", "use_another_browser", false];
    assert.deepEqual([code, kind, resolution, retryable], expected);
    assert.match(userMessage, /Lockdown Mode .* another browser/);
  }
  assert.match((await errorOf(create({ locale: "es" }))).userMessage, /modo de aislamiento/);
});

test("an answer that is not wasm is named by address, status and type", async () => {
  const replyOf = (status, url) => {
    const response = new Response("<html>", { status, headers: { "content-type": "text/html" } });
    return Object.defineProperty(response, "url", { value: url });
  };
  for (const [status, code, retryable] of [
    [200, "InvalidConfiguration", false],
    [404, "LoadFailed", true],
  ]) {
    const reply = () => replyOf(status, ADDRESS);
    for (const wasm of [ADDRESS, new URL(ADDRESS), reply()]) {
      const { create } = await unloaded(reply);
      const error = await errorOf(create({ wasm }));
      assert.deepEqual([error.code, error.option, error.retryable], [code, "wasm", retryable]);
      for (const part of [ADDRESS, String(status), "text/html"]) assert.ok(error.message.includes(part));
      assert.doesNotMatch(error.message, /policy/);
    }
  }
  const { create } = await unloaded(() => wasmReply("text"));
  const error = await errorOf(create());
  assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "wasm"]);
  assert.match(error.message, /wasm-unsafe-eval/);
});

test("invalid options are refused by name", async () => {
  const throwing = () => {
    throw 1;
  };
  const { create, preload } = await unloaded();
  const preloads = [[{ url: "/x.wasm" }, "url"], [7, "options"], [null, "options"]];
  await assertRefused(preload, preloads, "InvalidConfiguration");
  assert.deepEqual(fetched(), []);
  const wasms = [7, {}, null, new Proxy({}, { getPrototypeOf: throwing })].map((wasm) => [wasm, "wasm"]);
  await assertRefused((wasm) => create({ wasm }), wasms, "InvalidConfiguration");
});

const { loadAgain } = await loadPacked("module/load-again.js");
const SCRIPT = "https://shop.example/assets/create-a1b2.js?v=3";
const failureOf = (address) => new TypeError(`error loading dynamically imported module: ${address}`);

/** An engine that caches failures, on a network that is down for some requests. */
function caching(down, failure = failureOf) {
  const kept = new Map();
  const asked = [];
  const from = async (address) => {
    if (!kept.has(address)) {
      asked.push(address);
      kept.set(address, asked.length <= down ? failure(address) : { address });
    }
    const answer = kept.get(address);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, load: loadAgain(() => from(SCRIPT), from) };
}

test("a script whose failure the engine caches is retried under another address", async () => {
  const { asked, load } = caching(2);
  for (let i = 0; i < 2; i += 1) assert.match((await errorOf(load())).message, /error loading/);
  const loaded = await load();
  assert.deepEqual(asked, [SCRIPT, `${SCRIPT}&again=2`, `${SCRIPT}&again=3`]);
  assert.equal(await load(), loaded);
});

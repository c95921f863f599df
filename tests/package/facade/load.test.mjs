import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, errorOf, OPTIONS, service, unpacked, watchUnhandled } from "./kit.mjs";

/**
 * Returns a copy of the package that has loaded nothing yet. `serve` answers for its wasm,
 * which a page fetches from beside its module.
 */
async function unloaded(serve = served) {
  const { load } = await unpacked();
  service.requests.length = 0;
  service.answer = serve;
  const { createRemitKit, ...exports } = await load("index.js");
  const { wasm: _, ...options } = OPTIONS;
  return { ...exports, create: (more) => createRemitKit({ ...options, ...more }) };
}

const served = () => new Response(bytes, { headers: { "content-type": "application/wasm" } });
const offline = () => Promise.reject(new TypeError("fetch failed"));
const fetched = () => service.requests.map(({ path }) => path.split("/").at(-1));

test("importing loads nothing, and any number of kits load the wasm once", async () => {
  const { create } = await unloaded();
  assert.deepEqual(fetched(), []);
  await Promise.all([create(), create()]);
  await create();
  assert.deepEqual(fetched(), ["remitkit_first.wasm"]);
});

test("an engine without streaming compilation still loads the module", async (t) => {
  const { instantiateStreaming } = WebAssembly;
  t.after(() => Object.assign(WebAssembly, { instantiateStreaming }));
  for (const type of ["application/wasm", "application/octet-stream"]) {
    const { create } = await unloaded(() => new Response(bytes, { headers: { "content-type": type } }));
    delete WebAssembly.instantiateStreaming;
    await create();
    assert.deepEqual(fetched(), ["remitkit_first.wasm"]);
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
});

test("preloaded files are not loaded again, whoever preloaded them", async () => {
  const { create, preload } = await unloaded();
  assert.equal(await preload(), undefined);
  await Promise.all([preload(), create(), create({ wasm: "https://cdn.example/x.wasm" })]);
  assert.equal(fetched().length, 1);
  const other = await unloaded();
  await Promise.all([other.preload({ wasm: bytes }), other.create()]);
  assert.deepEqual(fetched(), []);
});

test("a failed preload rejects, is reported once and can be repeated", async (t) => {
  const unhandled = watchUnhandled(t);
  const { create, preload } = await unloaded(offline);
  const loaded = preload();
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(unhandled.callCount(), 0);
  assert.equal((await errorOf(loaded)).code, "NetworkFailure");
  service.answer = served;
  await create();
  assert.equal(fetched().length, 2);
});

test("preload accepts only `wasm` and `everything`", async () => {
  const { preload } = await unloaded();
  for (const [options, option] of [
    [{ url: "/x.wasm" }, "url"],
    [7, "options"],
    [null, "options"],
  ]) {
    const error = await errorOf(preload(options));
    assert.deepEqual([error.kind, error.option], ["configuration", option]);
  }
  assert.deepEqual(fetched(), []);
});

test("the page may supply the wasm or its address", async () => {
  const address = "https://cdn.example/x.wasm";
  for (const wasm of [new URL(address), address, bytes, served(), OPTIONS.wasm]) {
    const { create } = await unloaded();
    const remit = await create({ wasm });
    assert.deepEqual(remit.contentSecurityPolicy()["frame-src"], [OPTIONS.cardUrl]);
    assert.deepEqual(fetched(), String(wasm) === address ? ["x.wasm"] : []);
  }
});

test("a load that failed says why and can be tried again", async () => {
  const { create } = await unloaded(offline);
  for (const error of await Promise.all([errorOf(create()), errorOf(create())])) {
    assert.deepEqual(
      [error.name, error.code, error.kind, error.retryable, error.cause.message],
      ["RemitError", "NetworkFailure", "unavailable", true, "fetch failed"],
    );
  }
  service.answer = served;
  await Promise.all([create(), create()]);
  assert.equal(fetched().length, 2);
});

test("a file that is not wasm is a configuration error about the policy", async () => {
  const { create } = await unloaded(() => new Response("text", { headers: { "content-type": "application/wasm" } }));
  const error = await errorOf(create());
  assert.deepEqual([error.code, error.kind, error.option], ["InvalidConfiguration", "configuration", "wasm"]);
  assert.match(error.message, /wasm-unsafe-eval/);
});

test("a wasm option of another kind is a configuration error", async () => {
  const throwing = () => {
    throw 1;
  };
  const { create } = await unloaded();
  for (const wasm of [7, {}, null, new Proxy({}, { getPrototypeOf: throwing })]) {
    const error = await errorOf(create({ wasm }));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "wasm"]);
  }
});

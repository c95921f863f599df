import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { errorOf, facade, OPTIONS } from "./facade.mjs";

test("importing loads nothing, and any number of kits load the wasm once", async () => {
  const { createRemitKit, control } = await facade();
  assert.deepEqual(control.inits, []);
  await Promise.all([createRemitKit(OPTIONS), createRemitKit(OPTIONS)]);
  await createRemitKit(OPTIONS);
  const [{ module_or_path: wasm }] = control.inits;
  assert.deepEqual([control.inits.length, wasm instanceof Response, basename(wasm.url)], [1, true, "remitkit_core_bg.wasm"]);
});

test("what was preloaded is not loaded again, by whomever", async () => {
  const { createRemitKit, preload, control } = await facade();
  assert.equal(await preload(), undefined);
  await Promise.all([preload(), createRemitKit(OPTIONS), createRemitKit({ ...OPTIONS, wasm: "/x.wasm" })]);
  assert.equal(control.inits.length, 1);
  const other = await facade();
  const wasm = new Uint8Array(8);
  await Promise.all([other.preload({ wasm }), other.createRemitKit(OPTIONS)]);
  assert.deepEqual(other.control.inits, [{ module_or_path: wasm }]);
});

test("a preload that failed says so to whoever asks, disturbs nobody else, and is tried again", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const { createRemitKit, preload, control } = await facade();
  control.failInit = new TypeError("fetch failed");
  const loaded = preload();
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(unhandled.mock.callCount(), 0);
  assert.equal((await errorOf(loaded)).code, "NetworkFailure");
  control.failInit = undefined;
  await createRemitKit(OPTIONS);
  assert.equal(control.inits.length, 2);
});

test("preload takes `wasm` and nothing else", async () => {
  const { preload, control } = await facade();
  for (const [options, option] of [
    [{ url: "/x.wasm" }, "url"],
    [7, "options"],
    [null, "options"],
  ]) {
    const error = await errorOf(preload(options));
    assert.deepEqual([error.kind, error.option], ["configuration", option]);
  }
  assert.deepEqual(control.inits, []);
});

test("the page may say where the wasm is", async () => {
  for (const wasm of [new URL("https://cdn.example/x.wasm"), "/x.wasm", new Uint8Array(8), new Response()]) {
    const { createRemitKit, control } = await facade();
    await createRemitKit({ ...OPTIONS, wasm });
    const [{ module_or_path: given }] = control.inits;
    const isAddress = typeof wasm === "string" || wasm instanceof URL;
    assert.equal(isAddress ? given.url : given, isAddress ? String(wasm) : wasm);
  }
});

test("a load that failed says why and can be tried again", async () => {
  const { createRemitKit, control, isRemitError } = await facade();
  const cause = new TypeError("fetch failed");
  control.failInit = cause;
  const both = await Promise.all([errorOf(createRemitKit(OPTIONS)), errorOf(createRemitKit(OPTIONS))]);
  for (const error of both) {
    assert.ok(isRemitError(error));
    assert.deepEqual(
      [error.code, error.kind, error.retryable, error.cause],
      ["NetworkFailure", "unavailable", true, cause],
    );
  }
  control.failInit = undefined;
  await Promise.all([createRemitKit(OPTIONS), createRemitKit(OPTIONS)]);
  assert.equal(control.inits.length, 2);
});

test("a file that is no wasm, or a policy that forbids it, is a matter of configuration", async () => {
  const { createRemitKit, control } = await facade();
  control.failInit = new WebAssembly.CompileError("expected magic word");
  const error = await errorOf(createRemitKit(OPTIONS));
  assert.deepEqual([error.code, error.kind, error.option], ["InvalidConfiguration", "configuration", "wasm"]);
  assert.match(error.message, /wasm-unsafe-eval/);
});

test("a wasm option that is nothing of the sort is a matter of configuration", async () => {
  for (const wasm of [
    7,
    {},
    null,
    new Proxy(
      {},
      {
        getPrototypeOf() {
          throw 1;
        },
      },
    ),
  ]) {
    const { createRemitKit, control } = await facade();
    control.failInit = new TypeError("no source");
    const error = await errorOf(createRemitKit({ ...OPTIONS, wasm }));
    assert.deepEqual([error.code, error.option], ["InvalidConfiguration", "wasm"]);
  }
});

test("without WebAssembly there is a clear error, and only at use", async () => {
  const { WebAssembly } = globalThis;
  delete globalThis.WebAssembly;
  try {
    const { createRemitKit, toMinorUnits } = await facade();
    assert.equal(toMinorUnits("1.25", { decimalPlaces: 2 }), 125);
    const error = await errorOf(createRemitKit(OPTIONS));
    assert.equal(error.kind, "configuration");
    assert.match(error.message, /WebAssembly/);
  } finally {
    globalThis.WebAssembly = WebAssembly;
  }
});

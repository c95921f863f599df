import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { brokenOf, grouped, PROMISES, problemsOf, shrunkOf, verdictOf } from "./budget.mjs";
import { Bundle } from "./bundle.mjs";
import { functionsOf, ownersOf } from "./module.mjs";

test("reports what grew, with its bytes", () => {
  const budget = { wasm: 20_000, javascript: 1_000 };
  assert.deepEqual(problemsOf(budget, { wasm: 20_100, javascript: 1_064 }), []);
  const problems = problemsOf(budget, { wasm: 21_234, javascript: 1_065 });
  assert.deepEqual(problems, [
    "wasm grew by 1,234 bytes, from 20,000 to 21,234",
    "javascript grew by 65 bytes, from 1,000 to 1,065",
  ]);
});

test("requires a budget for every figure and a figure for every budget", () => {
  assert.equal(problemsOf({ wasm: 1 }, { wasm: 1, react: 1 }).length, 1);
  assert.equal(problemsOf({ wasm: 1 }, {}).length, 1);
});

test("reports which budgets could be lowered", () => {
  assert.match(shrunkOf({ wasm: 20_000 }, { wasm: 18_000 })[0], /2,000 bytes below/);
  assert.deepEqual(shrunkOf({ wasm: 20_000 }, { wasm: 19_950 }), []);
});

test("refuses to record a figure that breaks a kept promise", () => {
  const { most } = PROMISES.firstQuote;
  assert.deepEqual(brokenOf({ firstQuote: most + 1 }, { firstQuote: most + 2 }), []);
  assert.equal(brokenOf({ firstQuote: most }, { firstQuote: most + 1 }).length, 1);
  assert.match(verdictOf("firstQuote", most + 15), /15 more than promised/);
});

test("the document has the promises, and the bytes that are recorded", async () => {
  const read = (path) => readFile(join(import.meta.dirname, path), "utf8");
  const [document, budget] = [await read("../../docs/size.md"), JSON.parse(await read("budget.json"))];
  const found = document.matchAll(/^\| .* \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm);
  const rows = Object.entries(PROMISES).map(([moment, { most, aim }]) => [most, aim, budget[moment]].map(grouped));
  assert.deepEqual(Array.from(found, ([, ...row]) => row), rows);
});

test("counts a script's eager imports once, and lazy ones not at all", () => {
  const kindOf = (path) => (path === "card.js" ? "dynamic-import" : "import-statement");
  const script = (name, raw, imports = []) => ({
    name,
    bytes: { raw, gzip: raw, brotli: raw },
    inputs: { [`kit/${name}`]: { bytesInOutput: raw }, "kit/unused.js": { bytesInOutput: 0 } },
    imports: imports.map((path) => ({ path, kind: kindOf(path) })),
    entryPoint: name === "page.js" ? "<stdin>" : undefined,
  });
  const bundle = new Bundle([
    script("page.js", 1, ["card.js", "react"]),
    script("card.js", 10, ["shared.js", "page.js"]),
    script("form.js", 20, ["shared.js"]),
    script("shared.js", 4),
  ]);
  assert.equal(bundle.bytes().raw, 1);
  assert.equal(bundle.scriptsAtOnce(), 1);
  const split = new Bundle([script("page.js", 1, ["shared.js"]), script("shared.js", 4)]);
  assert.equal(split.scriptsAtOnce(), 2);
  assert.equal(bundle.bytes(["kit/card.js", "kit/form.js"]).raw, 35);
  assert.equal(bundle.bytesOfScript("kit/card.js").raw, 10);
  assert.throws(() => bundle.bytes(["kit/page.js"]), /not requested/);
  assert.deepEqual(bundle.files(), { "kit/page.js": 1 });
});

test("counts a function towards its own layer", () => {
  const name = (text) => [text.length, ...Buffer.from(text)];
  const read = "_RNvNtNtCsj7fo9cHkHKf_8remitkit3api5quote4read";
  const names = ["js_sys::f", read, "_RNvMs1_NtCs1OA3_4core3str5parse"];
  const known = [3, ...names.flatMap((text, index) => [index, ...name(text)])];
  const section = [...name("name"), 1, known.length, ...known];
  const code = [10, 9, 2, 2, 0, 11, 4, 0, 1, 1, 11];
  const header = [0, 97, 115, 109, 1, 0, 0, 0];
  const functions = functionsOf(Uint8Array.from([...header, ...code, 0, section.length, ...section]));
  const expected = [["core::str::parse", 4], ["remitkit::api::quote::read", 2]];
  assert.deepEqual(functions.map(({ name, raw }) => [name, raw]), expected);
  assert.deepEqual(ownersOf(functions).map(({ name }) => name), ["std", "remitkit::api"]);
  const drop = { name: "core::ptr::drop_in_place::remitkit::client::Next", raw: 1 };
  assert.equal(ownersOf([drop])[0].name, "remitkit::client");
  assert.equal(ownersOf([{ name: "compiler_builtins::mem::memcpy", raw: 1 }])[0].name, "std");
});

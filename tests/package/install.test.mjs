// The tarball as npm installs it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { emptyShop, npmInstall, ROOT, tarball } from "./packed.mjs";

const folder = await emptyShop();
await npmInstall(folder, await tarball());
const installed = join(folder, "node_modules/remitkit");
const files = await readdir(installed, { recursive: true });
const read = (name) => readFile(join(installed, name), "utf8");

test("it has the crate's version, no dependencies and only needed files", async () => {
  const manifest = JSON.parse(await read("package.json"));
  const cargo = await readFile(join(ROOT, "Cargo.toml"), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)[1]);
  const { dependencies, devDependencies, scripts, peerDependencies, peerDependenciesMeta } = manifest;
  assert.deepEqual([dependencies, devDependencies, scripts], Array(3).fill(undefined));
  // Only `remitkit/react` needs one; the types for JSX belong to a framework that the page has.
  const frameworks = { preact: "*", react: ">=18", "solid-js": "*", svelte: "*", vue: "*" };
  assert.deepEqual(peerDependencies, frameworks);
  const optional = Object.keys(frameworks).map((name) => [name, { optional: true }]);
  assert.deepEqual(peerDependenciesMeta, Object.fromEntries(optional));
  const texts = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE", "llms.txt"];
  const wasm = ["core_bg", "first", "card", "transfer"].map((name) => `remitkit_${name}.wasm`);
  const needed = [...texts, ...wasm, "THIRD-PARTY-LICENSES.txt", "package.json", "integrity.json"];
  for (const name of needed) assert.ok(files.includes(name), name);
  const own = "card core custom-element element errors fields input jsx kit module money quote react server testing";
  const folders = [...own.split(" "), "transfer", "types", "cjs", "docs"];
  const isCode = (name) => folders.includes(name.split("/")[0]) || /\.(js|d\.ts)$/.test(name);
  assert.deepEqual(files.filter((name) => !isCode(name) && !needed.includes(name)), []);
});

test("integrity.json has the hash of each script and of the wasm", async () => {
  const hashes = JSON.parse(await read("integrity.json"));
  assert.deepEqual(Object.keys(hashes).sort(), files.filter((name) => /\.(js|wasm)$/.test(name)).sort());
  for (const [name, hash] of Object.entries(hashes)) {
    const digest = createHash("sha384").update(await readFile(join(installed, name)));
    assert.equal(hash, `sha384-${digest.digest("base64")}`, name);
  }
});

test("it carries the licenses of its wasm's crates and no others", async () => {
  const notices = await read("THIRD-PARTY-LICENSES.txt");
  const crates = ["wasm-bindgen v", "futures-util v", "rlsf v"];
  for (const crate of crates) assert.ok(notices.includes(crate), crate);
  const others = ["axum v", "tokio v", "rusqlite v", "sandbox", "SQLite"];
  for (const other of others) assert.ok(!notices.includes(other), other);
});

test("pages need no static blocks, which Safari before 16.4 lacks", async () => {
  const scripts = files.filter((name) => name.endsWith(".js") && !/^(cjs|server|testing)\//.test(name));
  for (const name of scripts) assert.doesNotMatch(await read(name), /\bstatic\s*\{/, name);
});

test("it contains no path of the machine that built it", async () => {
  for (const entry of await readdir(installed, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath ?? entry.path, entry.name), "latin1");
    const found = /.{0,20}(\/(root|home|tmp|work)\/|\/Users\/|\.cargo\/|file:\/\/).{0,40}/.exec(text);
    assert.equal(found?.[0], undefined, entry.name);
  }
});

test("publint finds nothing to say", async () => {
  const options = { level: "suggestion", strict: true, pack: false };
  const { messages, pkg } = await publint({ pkgDir: installed, ...options });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
});

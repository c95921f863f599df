import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EXPORTS } from "./exports.mjs";
import { emptyShop, npmInstall, printed, ROOT, tarball } from "./packed.mjs";

const folder = await emptyShop();
await npmInstall(folder, await tarball());
const installed = join(folder, "node_modules/remitkit");

test("Node imports it, counts money and learns what createRemitKit needs", async () => {
  const result = await printed(
    folder,
    `
    const loaded = await import("remitkit");
    const error = await loaded.createRemitKit({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" }).catch((error) => error);
    const usd = { decimalPlaces: 2, iso3Code: "USD" };
    console.log(JSON.stringify({
      exports: Object.keys(loaded).sort(),
      isRemitError: loaded.isRemitError(error),
      error,
      money: [loaded.toMinorUnits("125.50", usd), loaded.fromMinorUnits(12550, usd), loaded.formatAmount({ value: 12550, currency: usd }, "en-US")],
    }));`,
  );
  const { code, kind, retryable, message } = result.error;
  assert.deepEqual(result.exports, EXPORTS["."]);
  assert.deepEqual(result.money, [12550, "125.50", "$125.50"]);
  assert.deepEqual([result.isRemitError, code, kind, retryable], [true, "NetworkFailure", "unavailable", true]);
  assert.match(message, /import remitkit\/inline/);
});

test("it has the crate's version, no dependencies and only needed files", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const cargo = await readFile(join(ROOT, "Cargo.toml"), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)[1]);
  for (const kind of ["dependencies", "devDependencies", "scripts"]) {
    assert.equal(manifest[kind], undefined, kind);
  }
  // For `remitkit/react` alone: nobody else is asked for it.
  assert.deepEqual(
    [manifest.peerDependencies, manifest.peerDependenciesMeta],
    [{ react: ">=18" }, { react: { optional: true } }],
  );
  const files = await readdir(installed, { recursive: true });
  for (const needed of [
    "README.md",
    "LICENSE-MIT",
    "CHANGELOG.md",
    "SECURITY.md",
    "llms.txt",
    "LICENSE-APACHE",
    "remitkit_core_bg.wasm",
    "remitkit_first.wasm",
    "remitkit_card.wasm",
    "remitkit_transfer.wasm",
    "index.d.ts",
  ]) {
    assert.ok(files.includes(needed), needed);
  }
  const surplus = files.filter(
    (name) =>
      !/^(cjs|docs|element|react|server|testing|types|snippets)(\/|$)|\.(js|d\.ts)$|^((README|CHANGELOG|SECURITY)\.md|llms\.txt|LICENSE-(MIT|APACHE)|THIRD-PARTY-LICENSES\.txt|package\.json|integrity\.json|remitkit_\w+\.wasm)$/.test(
        name,
      ),
  );
  assert.deepEqual(surplus, []);
});

test("integrity.json has the hash of each script and of the wasm", async () => {
  const hashes = JSON.parse(await readFile(join(installed, "integrity.json"), "utf8"));
  const files = await readdir(installed, { recursive: true });
  assert.deepEqual(Object.keys(hashes).sort(), files.filter((name) => /\.(js|wasm)$/.test(name)).sort());
  for (const [name, hash] of Object.entries(hashes)) {
    const digest = createHash("sha384").update(await readFile(join(installed, name)));
    assert.equal(hash, `sha384-${digest.digest("base64")}`, name);
  }
});

test("it carries the licences of its wasm's crates and no others", async () => {
  const notices = await readFile(join(installed, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const crate of ["wasm-bindgen v", "futures-util v", "rlsf v"]) assert.ok(notices.includes(crate), crate);
  for (const other of ["axum v", "tokio v", "rusqlite v", "sandbox", "SQLite"]) assert.ok(!notices.includes(other), other);
});

test("it contains no trace of where it was built", async () => {
  for (const entry of await readdir(installed, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const text = await readFile(join(entry.parentPath ?? entry.path, entry.name), "latin1");
      const told = /.{0,20}(\/(root|home|tmp|work)\/|\/Users\/|\.cargo\/|file:\/\/).{0,40}/.exec(text);
      assert.equal(told?.[0], undefined, entry.name);
    }
  }
});

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { build, createServer, preview } from "vite";
import { shop, shown } from "./packed.mjs";

const PAGE =
  '<!doctype html><title>Shop</title><output></output><script type="module" src="/main.js"></script>';

const MAIN = `
import { createRemitKit, formatAmount } from "remitkit";
const output = document.querySelector("output");
try {
  const remit = await createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" });
  const usd = { iso3Code: "USD", decimalPlaces: 2 };
  output.textContent = remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount({ value: 12550, currency: usd }, "en-US");
} catch (error) {
  output.textContent = error.stack;
}`;

const SHOWN = "https://card.remitkit.example $125.50";
const NO_CHROMIUM = "there is no Chromium here to run the page in";

const folder = await shop({ "index.html": PAGE, "main.js": MAIN });
const config = {
  root: folder,
  configFile: false,
  logLevel: "warn",
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
};

test("Vite builds a page with it unconfigured, and the page runs", async (t) => {
  await build(config);
  const assets = await readdir(join(folder, "dist/assets"));
  const wasm = assets.filter((name) => name.endsWith(".wasm"));
  assert.equal(wasm.length, 3, assets.join());
  for (const part of ["first", "card", "transfer"]) {
    const built = wasm.find((name) => name.startsWith(`remitkit_${part}`));
    assert.deepEqual(
      await readFile(join(folder, "dist/assets", built)),
      await readFile(join(folder, `node_modules/remitkit/remitkit_${part}.wasm`)),
    );
  }
  const server = await preview(config);
  try {
    const text = await shown(server.resolvedUrls.local[0]);
    text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, SHOWN);
  } finally {
    await server.close();
  }
});

test("a page carries only what it uses", async () => {
  const money = await shop({
    "index.html": PAGE,
    "main.js": 'import { toMinorUnits } from "remitkit"; console.log(toMinorUnits);',
  });
  await build({ ...config, root: money });
  const codes = [];
  for (const root of [money, folder]) {
    const assets = (await readdir(join(root, "dist/assets"))).filter((name) => name.endsWith(".js"));
    codes.push(
      (await Promise.all(assets.map((name) => readFile(join(root, "dist/assets", name), "utf8")))).join(""),
    );
  }
  const [counting, whole] = codes;
  for (const code of codes) {
    for (const name of ["primaryLight", "getImageData"]) {
      assert.ok(!code.includes(name), `${name}, for themes`);
    }
  }
  for (const name of ["CARD_VALIDATION_STOP_EXPIRED", ".wasm", "submitTransfer"]) {
    assert.ok(whole.includes(name), name);
    assert.ok(!counting.includes(name), name);
  }
});

test("Vite's dev server serves it unconfigured, and the page runs", async (t) => {
  const server = await createServer(config);
  await server.listen();
  try {
    const text = await shown(server.resolvedUrls.local[0]);
    text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, SHOWN);
  } finally {
    await server.close();
  }
});

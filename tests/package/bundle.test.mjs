import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { built, IN_PAGE, told, toldInDevelopment } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const PAGE = '<!doctype html><title>Shop</title><script type="module" src="/main.js"></script>';

const MAIN = `
import { createRemitKit, formatAmount } from "remitkit";
const tell = (what) => fetch("/told", { method: "POST", body: JSON.stringify(what) });
try {
  const remit = await createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" });
  const usd = { iso3Code: "USD", decimalPlaces: 2 };
  tell(remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount({ value: 12550, currency: usd }, "en-US"));
} catch (error) {
  tell(error.stack);
}`;

const TOLD = "https://card.remitkit.example $125.50";

const folder = await shop({ "index.html": PAGE, "main.js": MAIN });

test("Vite builds a page with it unconfigured, and the page runs", IN_PAGE, async () => {
  const dist = await built(folder, { build: {} });
  const wasm = (await readdir(join(dist, "assets"))).filter((name) => name.endsWith(".wasm"));
  assert.equal(wasm.length, 3, wasm.join());
  for (const part of ["first", "card", "transfer"]) {
    const name = wasm.find((name) => name.startsWith(`remitkit_${part}`));
    const packed = await readFile(join(folder, `node_modules/remitkit/remitkit_${part}.wasm`));
    assert.deepEqual(await readFile(join(dist, "assets", name)), packed);
  }
  assert.equal(await told(dist), TOLD);
});

test("a page carries only what it uses", async () => {
  const money = await shop({ "index.html": PAGE, "main.js": 'import { toMinorUnits } from "remitkit"; console.log(toMinorUnits);' });
  const codes = [];
  for (const root of [money, folder]) {
    const assets = join(await built(root, { build: {} }), "assets");
    const scripts = (await readdir(assets)).filter((name) => name.endsWith(".js"));
    codes.push((await Promise.all(scripts.map((name) => readFile(join(assets, name), "utf8")))).join(""));
  }
  const [counting, whole] = codes;
  for (const code of codes) {
    for (const name of ["primaryLight", "getImageData"]) assert.ok(!code.includes(name), `${name}, for themes`);
  }
  for (const name of ["CARD_VALIDATION_STOP_EXPIRED", ".wasm", "submitTransfer"]) {
    assert.ok(whole.includes(name), name);
    assert.ok(!counting.includes(name), name);
  }
});

test("Vite's dev server serves it unconfigured, and the page runs", IN_PAGE, async () => {
  assert.equal(await toldInDevelopment(folder), TOLD);
});

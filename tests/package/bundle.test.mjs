import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { buildWithVite, IN_PAGE, page, REPORT, reportOf } from "./chromium.mjs";
import { shop } from "./packed.mjs";

/** Builds a page with this script; returns its folders, its wasm files and the text of its scripts. */
async function built(script, options = { build: {} }) {
  const root = await shop({ "index.html": page(), "main.js": script });
  const dist = await buildWithVite(root, options);
  const assets = join(dist, "assets");
  const names = await readdir(assets);
  const wasm = names.filter((name) => name.endsWith(".wasm"));
  const scripts = names.filter((name) => name.endsWith(".js"));
  const code = await Promise.all(scripts.map((name) => readFile(join(assets, name), "utf8")));
  return { root, dist, assets, wasm, code: code.join("") };
}

test("Vite ships the wasm as it is, and a page carries only what it uses", async () => {
  const money = await built('import { toMinorUnits } from "remitkit"; console.log(toMinorUnits);');
  const whole = await built('import { createRemitKit } from "remitkit"; createRemitKit();');
  assert.equal(whole.wasm.length, 3, whole.wasm.join());
  for (const part of ["remitkit_first", "remitkit_card", "remitkit_transfer"]) {
    const name = whole.wasm.find((name) => name.startsWith(part));
    const packed = await readFile(join(whole.root, `node_modules/remitkit/${part}.wasm`));
    assert.deepEqual(await readFile(join(whole.assets, name)), packed);
  }
  for (const name of ["primaryLight", "getImageData"]) {
    assert.ok(!(money.code + whole.code).includes(name), `${name}, for themes`);
  }
  for (const name of ["CARD_VALIDATION_STOP_EXPIRED", ".wasm", "submitTransfer"]) {
    assert.deepEqual([whole.code, money.code].map((code) => code.includes(name)), [true, false], name);
  }
});

test("Vite bundles the fakes, and calls that need Node say so in the page", IN_PAGE, async () => {
  const { dist } = await built(
    `${REPORT}
    import { fakeCardForm, startSandbox, testCards } from "remitkit/testing";
    const { form } = await fakeCardForm({ cardId: "7", events: ["CARD_VALIDATION_STOP_SUCCESS"] });
    const { cardId } = await form.completed;
    const error = await startSandbox().catch((error) => error);
    report([cardId, testCards.success.number, error.code]);`,
    { build: { target: "es2022" } },
  );
  assert.deepEqual(await reportOf(dist), ["7", "4111111111111111", "InvalidConfiguration"]);
});

const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';
  require-trusted-types-for 'script'; trusted-types 'none'`.replace(/\s+/g, " ");

const THEMES = `${REPORT}
import { darkTheme, lightTheme, themeContrast } from "remitkit";
let violations = 0;
addEventListener("securitypolicyviolation", () => (violations += 1));
const text = ({ foreground, background, ratio }) => [foreground, background, ratio].join(" ");
const pairs = (theme) => themeContrast(theme).map(text);
const found = {
  light: pairs(lightTheme),
  dark: pairs(darkTheme),
  grey: pairs({ inputLine: "oklch(0.7 0 0)" }),
  mixed: pairs({ inputLine: "color-mix(in srgb, white 60%, black)" }),
  translucent: pairs({ icon: "rgb(0 0 0 / 20%)" }),
  named: pairs({ buttonColor: "gold", buttonText: "White" }),
};
found.refused = ["blurple", "inherit", "currentColor", "var(--brand)"].map((text) => {
  try {
    themeContrast({ text });
  } catch (error) {
    return error.option;
  }
});
setTimeout(() => report({ ...found, violations }), 50);`;

test("browser-parsed colours are judged under a strict policy, without wasm", IN_PAGE, async () => {
  const { dist, code } = await built(THEMES, {});
  const names = ["getImageData", "CARD_VALIDATION_START", ".wasm"];
  assert.deepEqual(names.map((name) => code.includes(name)), [true, false, false]);
  assert.deepEqual(await reportOf(dist, {}, { headers: { "content-security-policy": POLICY } }), {
    light: [],
    dark: [],
    grey: ["inputLine foreground 2.67"],
    mixed: ["inputLine foreground 2.84"],
    translucent: ["icon foreground 1.6", "icon dangerLight 1.6"],
    named: ["buttonText buttonColor 1.4"],
    refused: Array(4).fill("theme.text"),
    violations: 0,
  });
});

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { buildWithVite, IN_PAGE, page, REPORT, reportOf } from "./chromium.mjs";
import { ROOT, shop } from "./packed.mjs";

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
  for (const name of ["CARD_VALIDATION_STOP_EXPIRED", ".wasm", "prepareTransfer"]) {
    assert.deepEqual([whole.code, money.code].map((code) => code.includes(name)), [true, false], name);
  }
});

test("a script that esbuild or Angular makes finds the wasm that is copied beside it", async () => {
  const root = await shop();
  const script = await readFile(join(root, "node_modules/remitkit/create.js"), "utf8");
  const addresses = [...script.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(([, address]) => address);
  assert.deepEqual(addresses, ["remitkit_card.wasm", "remitkit_transfer.wasm", "remitkit_first.wasm"]);
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

/** Themes, each with what the check finds in it. */
const THEMES = [
  [{}],
  [{ inputLine: "#949494" }],
  [{ inputLine: "#959595", divider: "#ffffff" }, "inputLine on foreground 2.99/3"],
  [
    { text: "#777777" },
    "text on foreground 4.47/4.5",
    "text on primaryLight 3.88/4.5",
    "text on dangerLight 3.97/4.5",
  ],
  [{ buttonColor: "#ff0", buttonText: "#fff" }, "buttonText on buttonColor 1.07/4.5"],
  [{ buttonColor: "gold", buttonText: "White" }, "buttonText on buttonColor 1.4/4.5"],
  [{ inputLine: "oklch(0.7 0 0)" }, "inputLine on foreground 2.67/3"],
  [{ inputLine: "color-mix(in srgb, white 60%, black)" }, "inputLine on foreground 2.84/3"],
  // Translucent colors are blended over what lies beneath, down to white.
  [{ icon: "rgb(0 0 0 / 20%)" }, "icon on foreground 1.6/3", "icon on dangerLight 1.6/3"],
  [{ foreground: "#00000000", background: "#00000000" }],
  // Of other kinds, and so not colors to compare.
  [{ primary: undefined, lng: "es-MX", buttonRadius: "8px", cardBackground: "x" }],
];

const CHECK = `${REPORT}
import { darkTheme, lightTheme, themeContrast } from "remitkit";
let violations = 0;
addEventListener("securitypolicyviolation", () => (violations += 1));
const pairOf = ({ foreground, background }) => foreground + " on " + background;
const text = (problem) => pairOf(problem) + " " + problem.ratio + "/" + problem.required;
const themes = ${JSON.stringify(THEMES.map(([theme]) => theme))};
const found = themes.map((theme) => themeContrast(theme).map(text));
const pairs = new Set();
for (const name of Object.keys(lightTheme)) {
  for (const color of ["#ffffff", "#000000"]) {
    for (const problem of themeContrast({ [name]: color })) pairs.add(pairOf(problem));
  }
}
const refused = ["blurple", "inherit", "currentColor", "var(--brand)", 7, {}, ""].map((text) => {
  try {
    themeContrast({ text });
  } catch (error) {
    return error.code + " " + error.option;
  }
});
const presets = [lightTheme, darkTheme].map((theme) => [Object.isFrozen(theme), themeContrast(theme), theme]);
setTimeout(() => report({ found, pairs: [...pairs].sort(), refused, presets, violations }), 50);`;

test("themes are judged as the browser reads them, under a strict policy", IN_PAGE, async () => {
  const { dist, code } = await built(CHECK, {});
  const names = ["getImageData", "CARD_VALIDATION_START", ".wasm"];
  assert.deepEqual(names.map((name) => code.includes(name)), [true, false, false]);
  const policy = { "content-security-policy": POLICY };
  const { presets, ...report } = await reportOf(dist, {}, { headers: policy });
  const on = (background, ...names) => names.map((name) => `${name} on ${background}`);
  assert.deepEqual(report, {
    found: THEMES.map(([, ...problems]) => problems),
    // Each pair can fail, and every painted pair is judged.
    pairs: [
      ...on("buttonColor", "buttonText"),
      ...on("dangerLight", "danger", "icon", "text", "textSecondary"),
      ...on("foreground", "danger", "icon", "inputLine", "primary", "success", "text", "textSecondary"),
      ...on("primaryLight", "primary", "text"),
    ].sort(),
    refused: Array(7).fill("InvalidConfiguration theme.text"),
    violations: 0,
  });
  const [[, , light]] = presets;
  for (const [isFrozen, problems, theme] of presets) {
    assert.deepEqual([isFrozen, problems, Object.keys(theme)], [true, [], Object.keys(light)]);
  }
  const css = await readFile(join(ROOT, "sandbox/card-form/form.css"), "utf8");
  for (const [name, color] of Object.entries(light)) {
    const property = name.replace(/[A-Z]/g, "-$&").toLowerCase();
    assert.match(css, new RegExp(`^  --${property}: ${color};$`, "m"), name);
  }
});

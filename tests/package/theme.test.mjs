// What the engine itself makes of a theme's colours, on a page under a strict policy.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { built, IN_PAGE, told } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const MAIN = `
import { darkTheme, lightTheme, themeContrast } from "remitkit";
let violations = 0;
addEventListener("securitypolicyviolation", () => (violations += 1));
const pairs = (theme) => themeContrast(theme).map(({ foreground, background, ratio }) => [foreground, background, ratio].join(" "));
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
setTimeout(() => fetch("/told", { method: "POST", body: JSON.stringify({ ...found, violations }) }), 50);
`;

test("browser-parsed colours are judged under a strict policy, without wasm", IN_PAGE, async () => {
  const root = await shop({ "index.html": '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>', "main.js": MAIN });
  const dist = await built(root);
  const [script] = (await readdir(join(dist, "assets"))).filter((name) => name.endsWith(".js"));
  const code = await readFile(join(dist, "assets", script), "utf8");
  assert.ok(code.includes("getImageData") && !code.includes("CARD_VALIDATION_START") && !code.includes(".wasm"));
  assert.deepEqual(await told(dist, {}, { headers: { "content-security-policy": POLICY } }), {
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

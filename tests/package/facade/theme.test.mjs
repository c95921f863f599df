import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertRefused, errorOf, unpacked } from "./unpacked.mjs";

const FORM_STYLE = join(import.meta.dirname, "../../../sandbox/card-form/form.css");

const { themeContrast, lightTheme, darkTheme } = await (await unpacked()).load("index.js");

const COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** Accepted by an engine in a style, but no colour by themselves. */
const DEPENDENT = ["inherit", "currentColor", "var(--brand)", "env(brand)"];

/** A canvas of one pixel that knows `#rgb`, `#rrggbb` and `#rrggbbaa`. */
function canvas() {
  let pixel = [0, 0, 0];
  let colour = "#000";
  return {
    getContext: () => ({
      get fillStyle() {
        return colour;
      },
      // As in a browser, an invalid colour changes nothing.
      set fillStyle(value) {
        colour = value === "currentColor" ? "#000" : COLOUR.test(value) ? value : colour;
      },
      fillRect() {
        const digits = this.fillStyle.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
        const [r, g, b, alpha = 255] = digits.match(/../g).map((byte) => parseInt(byte, 16));
        pixel = [r, g, b].map((value, at) => Math.round(pixel[at] + ((value - pixel[at]) * alpha) / 255));
      },
      getImageData: () => ({ data: [...pixel, 255] }),
    }),
  };
}

/** Checks a theme as on a page. */
function check(theme) {
  globalThis.document = { createElement: canvas };
  globalThis.CSS = { supports: (_, value) => COLOUR.test(value) || DEPENDENT.includes(value) };
  try {
    return themeContrast(theme);
  } finally {
    delete globalThis.document;
    delete globalThis.CSS;
  }
}

const pairOf = ({ foreground, background }) => `${foreground} on ${background}`;
const textOf = (problem) => `${pairOf(problem)} ${problem.ratio}/${problem.required}`;
const shown = (theme) => check(theme).map(textOf);

test("both presets pass the check, are frozen, and the light one has the form's colours", async () => {
  const css = await readFile(FORM_STYLE, "utf8");
  for (const theme of [lightTheme, darkTheme]) {
    assert.deepEqual(check(theme), []);
    assert.ok(Object.isFrozen(theme));
    assert.deepEqual(Object.keys(theme), Object.keys(lightTheme));
  }
  for (const [name, colour] of Object.entries(lightTheme)) {
    const property = name.replace(/[A-Z]/g, "-$&").toLowerCase();
    assert.match(css, new RegExp(`^  --${property}: ${colour};$`, "m"), name);
  }
});

test("poor contrast is reported, with its ratio rounded down", () => {
  assert.deepEqual(check({ inputLine: "#959595", divider: "#ffffff" }), [
    { foreground: "inputLine", background: "foreground", ratio: 2.99, required: 3 },
  ]);
  for (const [theme, ...problems] of [
    [{}],
    [{ inputLine: "#949494" }],
    [
      { text: "#777777" },
      "text on foreground 4.47/4.5",
      "text on primaryLight 3.88/4.5",
      "text on dangerLight 3.97/4.5",
    ],
    [{ buttonColor: "#ff0", buttonText: "#fff" }, "buttonText on buttonColor 1.07/4.5"],
    // Translucent colours are blended over what lies beneath, down to white.
    [{ ...darkTheme, foreground: "#ffffff00" }],
    [{ foreground: "#00000000", background: "#00000000" }],
  ]) {
    assert.deepEqual(shown(theme), problems, JSON.stringify(theme));
  }
  assert.ok(shown({ primary: "#00aa77" }).includes("buttonText on buttonColor 2.99/4.5"));
  assert.match(shown({ primary: "#0a6", buttonColor: "#064" }).at(-1), /^primary /);
  assert.equal(shown({ text: "#00000000" })[0], "text on foreground 1/4.5");
  const half = check({ foreground: "#00000080", background: "#ffffff" });
  assert.equal(half.find(({ background }) => background === "foreground").ratio, 3.99, "painted once");
});

test("each pair can fail, and every painted pair is judged", () => {
  const seen = new Set();
  for (const name of Object.keys(lightTheme)) {
    for (const colour of ["#ffffff", "#000000"]) {
      for (const problem of check({ [name]: colour })) seen.add(pairOf(problem));
    }
  }
  const on = (background, ...names) => names.map((name) => `${name} on ${background}`);
  const pairs = [
    ...on("buttonColor", "buttonText"),
    ...on("dangerLight", "danger", "icon", "text", "textSecondary"),
    ...on("foreground", "danger", "icon", "inputLine", "primary", "success", "text", "textSecondary"),
    ...on("primaryLight", "primary", "text"),
  ];
  assert.deepEqual([...seen].sort(), pairs.sort());
});

test("invalid colours are named; parameters of other kinds are skipped", async () => {
  const rows = ["blurple", 7, {}, "", ...DEPENDENT].map((primary) => [{ primary }, "theme.primary"]);
  await assertRefused(check, rows, "InvalidConfiguration");
  assert.equal((await errorOf(() => check(null))).option, "theme");
  assert.deepEqual(check({ primary: undefined, lng: "es-MX", buttonRadius: "8px", cardBackground: "x" }), []);
  assert.equal((await errorOf(() => themeContrast({}))).option, "themeContrast", "off a page");
});

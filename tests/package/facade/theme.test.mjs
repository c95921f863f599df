import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { errorOf, unpacked } from "./unpacked.mjs";

const CSS_OF_THE_FORM = join(import.meta.dirname, "../../../sandbox/card-form/form.css");

const { themeContrast, lightTheme, darkTheme } = await (await unpacked()).load("index.js");

const COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** What an engine takes in a style as well. */
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
      // What is no colour by itself changes nothing, as in a browser.
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

function onPage(work) {
  globalThis.document = { createElement: canvas };
  globalThis.CSS = { supports: (_, value) => COLOUR.test(value) || DEPENDENT.includes(value) };
  try {
    return work();
  } finally {
    delete globalThis.document;
    delete globalThis.CSS;
  }
}

const problems = (theme) => onPage(() => themeContrast(theme));

test("both presets pass the check and are frozen", () => {
  for (const theme of [lightTheme, darkTheme, {}]) {
    assert.deepEqual(problems(theme), []);
  }
  assert.ok(Object.isFrozen(lightTheme) && Object.isFrozen(darkTheme));
  assert.deepEqual(Object.keys(darkTheme), Object.keys(lightTheme));
});

test("the light preset has the form's own colours", async () => {
  const css = await readFile(CSS_OF_THE_FORM, "utf8");
  for (const [name, colour] of Object.entries(lightTheme)) {
    const property = name.replace(/[A-Z]/g, "-$&").toLowerCase();
    assert.match(css, new RegExp(`^  --${property}: ${colour};$`, "m"), name);
  }
});

test("poor contrast is reported, with its ratio rounded down", () => {
  assert.deepEqual(problems({ text: "#777777" }), [
    { foreground: "text", background: "foreground", ratio: 4.47, required: 4.5 },
    { foreground: "text", background: "primaryLight", ratio: 3.88, required: 4.5 },
    { foreground: "text", background: "dangerLight", ratio: 3.97, required: 4.5 },
  ]);
  assert.deepEqual(problems({ inputLine: "#959595", divider: "#ffffff" }), [
    { foreground: "inputLine", background: "foreground", ratio: 2.99, required: 3 },
  ]);
  assert.deepEqual(problems({ inputLine: "#949494" }), []);
  assert.deepEqual(problems({ buttonColor: "#ff0", buttonText: "#fff" })[0].ratio, 1.07);
  const onButton = { foreground: "buttonText", background: "buttonColor", ratio: 2.99, required: 4.5 };
  const found = problems({ primary: "#00aa77" }).filter(({ foreground }) => foreground === "buttonText");
  assert.deepEqual(found, [onButton], "primary paints the button");
  assert.deepEqual(problems({ primary: "#0a6", buttonColor: "#064" }).at(-1)?.foreground, "primary");
});

test("each pair can fail, and every painted pair is judged", () => {
  const seen = new Set();
  for (const name of Object.keys(lightTheme)) {
    for (const colour of ["#ffffff", "#000000"]) {
      for (const { foreground, background } of problems({ [name]: colour })) {
        seen.add(`${foreground} on ${background}`);
      }
    }
  }
  assert.deepEqual([...seen].sort(), [
    "buttonText on buttonColor",
    "danger on dangerLight",
    "danger on foreground",
    "icon on dangerLight",
    "icon on foreground",
    "inputLine on foreground",
    "primary on foreground",
    "primary on primaryLight",
    "success on foreground",
    "text on dangerLight",
    "text on foreground",
    "text on primaryLight",
    "textSecondary on dangerLight",
    "textSecondary on foreground",
  ]);
});

test("translucent colours are blended over what lies beneath, down to white", () => {
  assert.deepEqual(problems({ text: "#00000000" })[0], {
    foreground: "text",
    background: "foreground",
    ratio: 1,
    required: 4.5,
  });
  assert.deepEqual(problems({ ...darkTheme, foreground: "#ffffff00" }), [], "the dark background shows");
  assert.deepEqual(
    problems({ foreground: "#00000000", background: "#00000000" }),
    [],
    "and then the page's white",
  );
  const half = problems({ foreground: "#00000080", background: "#ffffff" });
  assert.equal(
    half.find(({ background }) => background === "foreground").ratio,
    3.99,
    "painted once, not twice",
  );
});

test("invalid colours are named; parameters of other kinds are skipped", async () => {
  for (const value of ["blurple", 7, {}, "", ...DEPENDENT]) {
    const error = await errorOf(() => problems({ primary: value }));
    assert.deepEqual([error.kind, error.option], ["configuration", "theme.primary"]);
  }
  assert.equal((await errorOf(() => problems(null))).option, "theme");
  assert.deepEqual(
    problems({ primary: undefined, lng: "es-MX", buttonRadius: "8px", cardBackground: "x" }),
    [],
  );
});

test("off a page it says that it needs a page", async () => {
  assert.equal((await errorOf(() => themeContrast({}))).option, "themeContrast");
});

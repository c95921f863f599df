import assert from "node:assert/strict";
import { test } from "node:test";
import { PARAMETERS, fontFamily, imageOf, readTheme } from "../theme.js";

/** An engine that accepts everything: what is rejected is rejected by the form's own rules. */
const lenient = () => true;

/** Knows three colors, and lengths in px; tests/e2e/hosted-form.test.mjs has those of a browser. */
const engine = {
  supports: (property, value) => !/(spacing|radius)$/.test(property) || /^(0|-?[\d.]+px)$/.test(value),
  colorOf: (value) => (/^(#0000\w\w|red|navy)$/.test(value) ? value : null),
};

const read = (values) => readTheme(new URLSearchParams(values).toString(), engine);

test("all 24 parameters accept a valid value", () => {
  assert.equal(new Set(PARAMETERS).size, 24);
  const colors = [
    "primary", "primaryLight", "text", "textSecondary", "foreground", "background", "inputLine", "divider",
    "icon", "success", "danger", "dangerLight", "buttonText", "buttonColor",
  ];
  const given = {
    ...Object.fromEntries(colors.map((name, at) => [name, `#0000${(16 + at).toString(16)}`])),
    font: "Inter",
    buttonFont: "Source Sans 3",
    headlineFont: "serif",
    buttonRadius: "12px",
    buttonTextCase: "UPPER",
    buttonLetterSpacing: "0.5px",
    cardBackground: "https://cdn.example/card.png",
    lng: "es-MX",
    showStep: "1",
    showCardAnimation: "1",
  };
  assert.deepEqual(Object.keys(given).sort(), [...PARAMETERS].sort());
  const { properties, ...rest } = read(given);
  const switches = { showStep: true, showCardAnimation: true };
  assert.deepEqual(rest, { ignored: [], language: "es-MX", cardColor: null, ...switches });
  assert.equal(properties.size, 21);
  for (const [name, value] of Object.entries({
    "--primary": /^#000010$/,
    "--button-color": /^#00001d$/,
    "--font": /^"Inter", system-ui/,
    "--headline-font": /^serif, /,
    "--button-text-case": /^uppercase$/,
    "--card-image": /^url\("https:\/\/cdn\.example\/card\.png"\)$/,
  })) {
    assert.match(properties.get(name), value);
  }
});

test("without parameters nothing is set", () => {
  const { properties, language, showStep, showCardAnimation } = read({});
  assert.deepEqual([properties.size, language, showStep, showCardAnimation], [0, "en", false, false]);
});

test("the button has the primary color unless it has its own", () => {
  for (const [given, color] of [
    [{ primary: "red" }, "red"],
    [{ primary: "red", buttonColor: "navy" }, "navy"],
    [{ primary: "red", buttonColor: "no color" }, "red"],
    [{ primary: "no color" }, undefined],
  ]) {
    assert.equal(read(given).properties.get("--button-color"), color);
  }
});

test("invalid values are ignored and named", () => {
  for (const value of [
    "", "url(https://evil.example)", "var(--text)", "</style>", "javascript:alert(1)", "\\75rl(x)",
  ]) {
    // In quotes, anything without a quote is a font's name.
    const names = PARAMETERS.filter((name) => !/font$/i.test(name) || fontFamily(value, lenient) === null);
    const theme = read(Object.fromEntries(names.map((name) => [name, value])));
    assert.deepEqual(theme.ignored.sort(), names.sort(), value);
    assert.equal(theme.properties.size, 0, value);
  }
});

test("a font is a quoted name or list of names with fallbacks", () => {
  for (const [given, family] of [
    ["Noto Sans JP", /^"Noto Sans JP", system-ui,.*sans-serif$/],
    ["游ゴシック", /^"游ゴシック", /],
    ["D'Arcy-Sans_Pro", /^"D'Arcy-Sans_Pro", /],
    ["Monospace", /^monospace, /],
    [`Inter, 'Open Sans',"Noto Sans JP", Serif`, /^"Inter", "Open Sans", "Noto Sans JP", serif, system-ui,/],
    ["'serif'", /^"serif", /],
    ["AT&T Aleck, St. Ryde, 'Font (Display)'", /^"AT&T Aleck", "St. Ryde", "Font \(Display\)", system-ui,/],
    ["-apple-system, url(x)", /^"-apple-system", "url\(x\)", /],
  ]) {
    assert.match(fontFamily(given, lenient), family);
  }
  for (const invalid of [
    'Arial"', "Arial,", ",Arial", "Arial,, serif", `'Arial"`, "''", `"a"b"`, "Arial;x", "Ari\\61l", "Arial\n", "",
    "Arial/*", "a{b", "A".repeat(65), "a\u202eb", `Arial${", Arial".repeat(160)}`,
  ]) {
    assert.equal(fontFamily(invalid, lenient), null, invalid);
  }
});

test("a length is a single number that the engine accepts", () => {
  const readLengths = (value) => {
    const given = new URLSearchParams({ buttonRadius: value, buttonLetterSpacing: value });
    return [...readTheme(given, { ...engine, supports: lenient }).properties.values()];
  };
  for (const valid of ["0", "8px", "0.5em", ".5rem", "12.25pt", "-2px", "50%"]) {
    assert.deepEqual(readLengths(valid), [valid, valid]);
  }
  for (const invalid of ["1e9px", "calc(1px)", "8px 9px", "999999px", "px", "1.px", "var(--x)", ""]) {
    assert.deepEqual(readLengths(invalid), [], invalid);
  }
  const { ignored, properties } = read({ buttonRadius: "8qq", buttonLetterSpacing: "-0.5px" });
  assert.deepEqual([ignored, [...properties.values()]], [["buttonRadius"], ["-0.5px"]]);
});

test("images are loaded over https only and cannot escape the CSS string", () => {
  for (const [given, image] of [
    ["HTTPS://cdn.example/a b.svg#gold", 'url("https://cdn.example/a%20b.svg#gold")'],
    ['https://cdn.example/?a="\\)', 'url("https://cdn.example/?a=%22%5C)")'],
    ...[
      "http://cdn.example/a.png", "//cdn.example/a.png", "a.png", "data:image/png;base64,AAAA", "https://",
      "javascript:alert(1)", "blob:https://cdn.example/x", "https://user@cdn.example/", "ftp://cdn.example/",
      "https://:pw@cdn.example/", "https://user:pw@cdn.example/", `https://cdn.example/${"a".repeat(3000)}`,
    ].map((invalid) => [invalid, null]),
  ]) {
    assert.equal(imageOf(given, lenient), image);
  }
});

test("a color as card background removes the image", () => {
  const { cardColor, properties } = read({ cardBackground: "navy" });
  assert.equal(cardColor, "navy");
  assert.deepEqual([...properties], [["--card-image", "none"], ["--card-color", "navy"]]);
});

test("text case, language and switches are accepted as documented only", () => {
  const cases = { UPPER: "uppercase", lower: "lowercase", Capitalize: "capitalize", Default: "none" };
  for (const [value, css] of Object.entries(cases)) {
    assert.equal(read({ buttonTextCase: value }).properties.get("--button-text-case"), css);
  }
  for (const [name, invalid] of Object.entries({
    buttonTextCase: ["upper", "constructor", "__proto__", "toString"],
    lng: ["es", "es-mx", "de", "EN", "__proto__"],
    showStep: ["true", "2", "", "01"],
  })) {
    for (const value of invalid) {
      const { ignored, language, showStep } = read({ [name]: value });
      assert.deepEqual([ignored, language, showStep], [[name], "en", false], value);
    }
  }
  assert.equal(read({ showStep: "0" }).showStep, false);
  assert.equal(read({ lng: " es-MX " }).language, "es-MX");
});

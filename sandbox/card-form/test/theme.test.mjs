import assert from "node:assert/strict";
import { test } from "node:test";
import { PARAMETERS, fontFamily, imageOf, isColor, isLength, readTheme } from "../theme.js";

/** An engine that accepts everything: what is rejected is rejected by the form's own rules. */
const lenient = () => true;

/** An engine with enough CSS to tell valid from invalid values. */
function engine(property, value) {
  if (property === "color") {
    return /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+\(.+\)|red|navy|transparent)$/i.test(value);
  }
  if (property === "letter-spacing" || property === "border-radius") {
    return /^-?[\d.]+(px|em|rem|%)?$/.test(value);
  }
  return true;
}

const read = (values, supports = engine) => readTheme(new URLSearchParams(values).toString(), supports);

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

test("the button has the primary colour unless it has its own", () => {
  for (const [given, color] of [
    [{ primary: "#00aa77" }, "#00aa77"],
    [{ primary: "#00aa77", buttonColor: "#112233" }, "#112233"],
    [{ primary: "#00aa77", buttonColor: "no colour" }, "#00aa77"],
    [{ primary: "no colour" }, undefined],
  ]) {
    assert.equal(read(given).properties.get("--button-color"), color);
  }
});

test("invalid values are ignored and named even if the engine accepts them", () => {
  const names = PARAMETERS.filter((name) => !/font/i.test(name));
  for (const value of [
    "", "url(https://evil.example)", "red;color:blue", "var(--text)", "</style>", "javascript:alert(1)", "{}",
    "\\75rl(x)",
  ]) {
    const theme = read(Object.fromEntries(names.map((name) => [name, value])), lenient);
    assert.deepEqual(theme.ignored.sort(), [...names].sort(), value);
    assert.equal(theme.properties.size, 0, value);
  }
});

test("only a colour is accepted as a colour", () => {
  for (const valid of [
    "#fff", "#12345678", "red", "transparent", "rgb(1 2 3 / 50%)", "rgba(1,2,3,.5)", "hsl(120deg 50% 50%)",
    "oklch(60% 0.1 240)", "color(display-p3 1 0 0)", "color-mix(in srgb, red 20%, #fff)",
    "rgb(calc(1 + 2) 0 0)",
  ]) {
    assert.equal(isColor(valid, lenient), true, valid);
  }
  for (const invalid of [
    "", "inherit", "Initial", "unset", "revert-layer", "currentColor", "var(--x)", "VAR(--x)", "env(x)",
    "attr(title)", "url(x)", "url (x)", "src(x)", "image-set(x)", "red}", "red;", "red/**/", "rgb(1,2,3",
    "rgb)1,2,3(", "'red'", '"red"', "r\\65 d", "red!important", "@import x", "if(x)",
    "color-mix(in srgb, url(x), red)", `#${"f".repeat(200)}`,
  ]) {
    assert.equal(isColor(invalid, lenient), false, invalid);
  }
  for (const invalid of ["#12", "notacolour"]) assert.equal(isColor(invalid, engine), false);
});

test("a font is a quoted name or list of names with fallbacks", () => {
  for (const [given, family] of [
    ["Noto Sans JP", /^"Noto Sans JP", system-ui,.*sans-serif$/],
    ["游ゴシック", /^"游ゴシック", /],
    ["D'Arcy-Sans_Pro", /^"D'Arcy-Sans_Pro", /],
    ["Monospace", /^monospace, /],
    [`Inter, 'Open Sans',"Noto Sans JP", Serif`, /^"Inter", "Open Sans", "Noto Sans JP", serif, system-ui,/],
    ["'serif'", /^"serif", /],
  ]) {
    assert.match(fontFamily(given, lenient), family);
  }
  for (const invalid of [
    'Arial"', "'Arial", "Arial,", ",Arial", "Arial,, serif", `'Arial"`, "''", "Arial, url(x)", `"a"b"`,
    "Arial;x", "url(x)", "Ari\\61l", "Arial\n", "", "-x", "Arial/*", "a{b", "A".repeat(65),
    `Arial${", Arial".repeat(40)}`,
  ]) {
    assert.equal(fontFamily(invalid, lenient), null, invalid);
  }
});

test("a length has a unit; negative ones and percentages need permission", () => {
  for (const valid of ["0", "8px", "0.5em", ".5rem", "12.25pt"]) {
    assert.equal(isLength(valid, "border-radius", lenient), true, valid);
  }
  for (const invalid of ["8", "-1px", "50%", "1e9px", "calc(1px)", "8px 9px", "999999px", "px", "1.px", ""]) {
    assert.equal(isLength(invalid, "border-radius", lenient), false, invalid);
  }
  assert.equal(isLength("-0.5px", "letter-spacing", lenient, { negative: true }), true);
  assert.equal(isLength("50%", "border-radius", lenient, { percent: true }), true);
  assert.equal(isLength("8qq", "border-radius", engine), false);
  for (const given of ["0", "-2px", "3em"]) {
    assert.equal(read({ buttonLetterSpacing: given }).properties.get("--button-letter-spacing"), given);
  }
});

test("images are loaded over https only and cannot escape the CSS string", () => {
  for (const [given, image] of [
    ["HTTPS://cdn.example/a b.png#x", 'url("https://cdn.example/a%20b.png")'],
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

test("a colour as card background removes the image", () => {
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
});

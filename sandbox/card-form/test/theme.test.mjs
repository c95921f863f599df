import assert from "node:assert/strict";
import { test } from "node:test";
import { PARAMETERS, fontFamily, imageOf, isColor, isLength, readTheme } from "../theme.js";

/** An engine that finds everything right: what is refused here is refused by our own rules. */
const lenient = () => true;

/** A small engine: enough CSS to tell good from bad. */
function engine(property, value) {
  if (property === "color") return /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+\(.+\)|red|navy|transparent)$/i.test(value);
  if (property === "letter-spacing" || property === "border-radius") return /^-?[\d.]+(px|em|rem|%)?$/.test(value);
  return true;
}

const read = (values, supports = engine) => readTheme(new URLSearchParams(values).toString(), supports);

test("there are 24 parameters", () => {
  assert.equal(PARAMETERS.length, 24);
  assert.equal(new Set(PARAMETERS).size, 24);
});

test("all 24 parameters accept a valid value", () => {
  const colors = [
    "primary", "primaryLight", "text", "textSecondary", "foreground", "background", "inputLine", "divider", "icon",
    "success", "danger", "dangerLight", "buttonText", "buttonColor",
  ];
  const theme = read({
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
  });
  assert.deepEqual(theme.ignored, []);
  assert.equal(theme.properties.size, 21);
  assert.equal(theme.properties.get("--primary"), "#000010");
  assert.equal(theme.properties.get("--button-color"), "#00001d");
  assert.match(theme.properties.get("--font"), /^"Inter", system-ui/);
  assert.match(theme.properties.get("--headline-font"), /^serif, /);
  assert.equal(theme.properties.get("--button-text-case"), "uppercase");
  assert.equal(theme.properties.get("--card-image"), 'url("https://cdn.example/card.png")');
  assert.equal(theme.language, "es-MX");
  assert.equal(theme.showStep, true);
  assert.equal(theme.showCardAnimation, true);
  assert.equal(theme.cardColor, null);
});

test("the button takes the primary colour unless it has its own", () => {
  const button = (given) => read(given).properties.get("--button-color");
  assert.equal(button({ primary: "#00aa77" }), "#00aa77");
  assert.equal(button({ primary: "#00aa77", buttonColor: "#112233" }), "#112233");
  assert.equal(button({ primary: "#00aa77", buttonColor: "no colour" }), "#00aa77");
  assert.equal(button({ primary: "no colour" }), undefined);
});

test("without parameters nothing is set", () => {
  const theme = read({});
  assert.equal(theme.properties.size, 0);
  assert.deepEqual([theme.language, theme.showStep, theme.showCardAnimation], ["en", false, false]);
});

test("invalid values are ignored and named, even if the engine takes them", () => {
  const names = PARAMETERS.filter((name) => !/font/i.test(name));
  for (const value of ["", "url(https://evil.example)", "red;color:blue", "var(--text)", "</style>", "javascript:alert(1)", "{}", "\\75rl(x)"]) {
    const theme = read(Object.fromEntries(names.map((name) => [name, value])), lenient);
    assert.deepEqual(theme.ignored.sort(), [...names].sort(), value);
    assert.equal(theme.properties.size, 0, value);
  }
});

test("only a colour is accepted as a colour", () => {
  for (const good of [
    "#fff", "#12345678", "red", "transparent", "rgb(1 2 3 / 50%)", "rgba(1,2,3,.5)", "hsl(120deg 50% 50%)",
    "oklch(60% 0.1 240)", "color(display-p3 1 0 0)", "color-mix(in srgb, red 20%, #fff)", "rgb(calc(1 + 2) 0 0)",
  ]) {
    assert.equal(isColor(good, lenient), true, good);
  }
  for (const bad of [
    "", "inherit", "Initial", "unset", "revert-layer", "currentColor", "var(--x)", "VAR(--x)", "env(x)", "attr(title)",
    "url(x)", "url (x)", "src(x)", "image-set(x)", "red}", "red;", "red/**/", "rgb(1,2,3", "rgb)1,2,3(", "'red'", '"red"',
    "r\\65 d", "red!important", "@import x", "color-mix(in srgb, url(x), red)", "if(x)", `#${"f".repeat(200)}`,
  ]) {
    assert.equal(isColor(bad, lenient), false, bad);
  }
  assert.equal(isColor("#12", engine), false);
  assert.equal(isColor("notacolour", engine), false);
});

test("a font is a family name or a list of them, quoted, with fallbacks", () => {
  assert.match(fontFamily("Noto Sans JP", lenient), /^"Noto Sans JP", system-ui,.*sans-serif$/);
  assert.match(fontFamily("游ゴシック", lenient), /^"游ゴシック", /);
  assert.match(fontFamily("D'Arcy-Sans_Pro", lenient), /^"D'Arcy-Sans_Pro", /);
  assert.match(fontFamily("Monospace", lenient), /^monospace, /);
  assert.match(fontFamily(`Inter, 'Open Sans',"Noto Sans JP", Serif`, lenient), /^"Inter", "Open Sans", "Noto Sans JP", serif, system-ui,/);
  assert.match(fontFamily("'serif'", lenient), /^"serif", /, "in quotes it is a name");
  for (const bad of [
    'Arial"', "'Arial", "Arial,", ",Arial", "Arial,, serif", `'Arial"`, "''", "Arial, url(x)", `"a"b"`, "Arial;x", "url(x)", "Ari\\61l",
    "Arial\n", "", "-x", "A".repeat(65), `Arial${", Arial".repeat(40)}`, "Arial/*", "a{b",
  ]) {
    assert.equal(fontFamily(bad, lenient), null, bad);
  }
});

test("lengths need a unit; negatives and percentages only where allowed", () => {
  for (const good of ["0", "8px", "0.5em", ".5rem", "12.25pt"]) assert.equal(isLength(good, "border-radius", lenient), true, good);
  for (const bad of ["8", "-1px", "50%", "1e9px", "calc(1px)", "8px 9px", "999999px", "px", "8px;", "", "1.px"]) {
    assert.equal(isLength(bad, "border-radius", lenient), false, bad);
  }
  assert.equal(isLength("-0.5px", "letter-spacing", lenient, { negative: true }), true);
  assert.equal(isLength("50%", "border-radius", lenient, { percent: true }), true);
  assert.equal(isLength("8qq", "border-radius", engine), false);
  for (const given of ["0", "-2px", "3em"]) {
    assert.equal(read({ buttonLetterSpacing: given }).properties.get("--button-letter-spacing"), given);
  }
});

test("the button's case is one of four, spelled as documented", () => {
  const cases = { UPPER: "uppercase", lower: "lowercase", Capitalize: "capitalize", Default: "none" };
  for (const [value, css] of Object.entries(cases)) {
    assert.equal(read({ buttonTextCase: value }).properties.get("--button-text-case"), css);
  }
  for (const bad of ["upper", "constructor", "__proto__", "toString"]) {
    assert.deepEqual(read({ buttonTextCase: bad }).ignored, ["buttonTextCase"]);
  }
});

test("images load over https only and cannot escape the CSS string", () => {
  assert.equal(imageOf("HTTPS://cdn.example/a b.png#x", lenient), 'url("https://cdn.example/a%20b.png")');
  assert.equal(imageOf('https://cdn.example/?a="\\)', lenient), 'url("https://cdn.example/?a=%22%5C)")');
  for (const bad of [
    "http://cdn.example/a.png", "//cdn.example/a.png", "a.png", "data:image/png;base64,AAAA", "javascript:alert(1)",
    "blob:https://cdn.example/x", "https://user@cdn.example/", "https://:pw@cdn.example/", "https://user:pw@cdn.example/", "https://", "ftp://cdn.example/", `https://cdn.example/${"a".repeat(3000)}`,
  ]) {
    assert.equal(imageOf(bad, lenient), null, bad);
  }
});

test("a colour as card background removes the picture", () => {
  const theme = read({ cardBackground: "navy" });
  assert.equal(theme.cardColor, "navy");
  assert.equal(theme.properties.get("--card-color"), "navy");
  assert.equal(theme.properties.get("--card-image"), "none");
});

test("languages and switches are accepted only as documented", () => {
  for (const lng of ["es", "es-mx", "de", "EN", "__proto__"]) {
    assert.deepEqual(read({ lng }).ignored, ["lng"], lng);
    assert.equal(read({ lng }).language, "en");
  }
  for (const showStep of ["true", "2", "", "01"]) assert.deepEqual(read({ showStep }).ignored, ["showStep"]);
  assert.equal(read({ showStep: "0" }).showStep, false);
});

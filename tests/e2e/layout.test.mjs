import assert from "node:assert/strict";
import { AXE, readingFaults } from "./support/axe.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { assertSound, PHONE, screen, screensOf, shopSuite } from "./support/suite.mjs";
import { visitSteps } from "./support/visit.mjs";

const shop = shopSuite();

function applyStyle(page, text) {
  return page.evaluate((css) => {
    // The page's policy allows no inline styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, text);
}

const SCREENS = [
  { width: 320, language: "en", colorScheme: "light", reducedMotion: "reduce" },
  { width: 320, language: "es", colorScheme: "dark", reducedMotion: "no-preference", inChoice: true },
  { width: 375, language: "en", colorScheme: "dark", reducedMotion: "no-preference" },
  { width: 768, language: "es", colorScheme: "light", reducedMotion: "reduce", inChoice: true },
  { width: 1440, language: "en", colorScheme: "dark", reducedMotion: "reduce", inChoice: true },
  { width: 1440, language: "es", colorScheme: "light", reducedMotion: "no-preference" },
];

for (const { width, inChoice: _, ...options } of screensOf(SCREENS)) {
  const { language, colorScheme } = options;
  const name = `layout, axe and reader find nothing at ${width} px in ${language}, ${colorScheme}`;
  shop.test(name, screen(width, { ...options, scripts: [AXE] }), async (checkout, page) => {
    assert.ok((await page.locator("html").getAttribute("lang")).startsWith(language));
    await visitSteps(checkout, page, async (step) => {
      await assertSound(page, { axe: true, message: step });
      assert.deepEqual(await readingFaults(page), [], step);
    });
  });
}

/** Text spacing that readers may set, as WCAG 1.4.12 has it. */
const SPACED =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }";

shop.test("wider text fits on a phone", screen(320, { language: "es" }), async (checkout, page) => {
  await applyStyle(page, SPACED);
  await visitSteps(checkout, page, async (step) => {
    const faults = await layoutFaults(page);
    // The text of an input scrolls.
    assert.deepEqual(faults.filter((fault) => !/px for a text of/.test(fault)), [], step);
  });
});

/** Styles that each break the first step in one way, with the fault to be found. */
const BROKEN = {
  ".panel { width: 130vw }": /wide on a screen of|reaches beyond the screen/,
  ".actions { margin-top: -4rem }": /overlaps/,
  ".summary h2 { margin-bottom: -1.5rem }": /texts of .* overlap/,
  ".actions .button { flex: none; width: 2rem; padding: 0; overflow: hidden; white-space: nowrap }":
    /“Continue” is cut off by/,
  ".actions .button { height: 0.5rem; min-height: 0; padding: 0; line-height: 3rem }": /spills out of/,
  ".actions .button { min-height: 2.5rem }": /low for a button/,
  ".actions .button { flex: none; width: 3.75rem; overflow-wrap: anywhere }": /its words in \d lines/,
  ".languages button { min-height: 0; height: 1.25rem; line-height: 1 }": /too small to be hit/,
  ".tiles { display: flex; flex-direction: column-reverse }": /follows .* and stands before it/,
  ".amount-currency { width: 70% }": /has \d+ px for a text of/,
  ".line.receive dd { max-width: 3rem; overflow-wrap: anywhere }": /is broken in the middle/,
};

shop.test("the layout check finds every deliberate fault", PHONE, async (_, page) => {
  for (const [css, pattern] of Object.entries(BROKEN)) {
    await applyStyle(page, css);
    const faults = await layoutFaults(page);
    assert.ok(faults.some((fault) => pattern.test(fault)), `${css}: ${JSON.stringify(faults)}`);
  }
  await applyStyle(page, "");
  await assertSound(page);
});

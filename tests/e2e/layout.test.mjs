import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems, readingFaults } from "./support/axe.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { screen, screensOf } from "./support/screens.mjs";
import { shopSuite } from "./support/suite.mjs";
import { walk } from "./support/walk.mjs";

const shop = shopSuite();

// The narrowest and the widest in both languages; light and dark, with and without motion, in turn.
const SCREENS = [
  { width: 320, language: "en", colorScheme: "light", reducedMotion: "reduce" },
  { width: 320, language: "es", colorScheme: "dark", reducedMotion: "no-preference", inChoice: true },
  { width: 375, language: "en", colorScheme: "dark", reducedMotion: "no-preference" },
  { width: 768, language: "es", colorScheme: "light", reducedMotion: "reduce", inChoice: true },
  { width: 1440, language: "en", colorScheme: "dark", reducedMotion: "reduce", inChoice: true },
  { width: 1440, language: "es", colorScheme: "light", reducedMotion: "no-preference" },
];

for (const { width, language, colorScheme, reducedMotion } of screensOf(SCREENS)) {
  test(`each step is sound at ${width} px in ${language}, ${colorScheme}: layout, axe, reader`, async () => {
    await shop.inShop(async (checkout, page) => {
      assert.match(await page.locator("html").getAttribute("lang"), new RegExp(`^${language}`));
      await walk(checkout, page, async (step) => {
        assert.deepEqual(await layoutFaults(page), [], step);
        // Now that no colour is half changed.
        assert.deepEqual(await axeProblems(page), [], step);
        assert.deepEqual(await readingFaults(page), [], step);
      });
    }, screen(width, { language, colorScheme, reducedMotion, scripts: [AXE] }));
  });
}

// What the look at the layout is worth: each of these breaks the first step in one way.
const BROKEN = [
  { css: ".panel { width: 130vw }", says: /wide on a screen of|reaches beyond the screen/ },
  { css: ".actions { margin-top: -4rem }", says: /overlaps/ },
  { css: ".summary h2 { margin-bottom: -1.5rem }", says: /texts of .* overlap/ },
  { css: ".actions .button { width: 2rem; min-width: 0; flex: none; padding: 0; overflow: hidden; white-space: nowrap }", says: /“Continue” is cut off by/ },
  { css: ".actions .button { height: 0.5rem; min-height: 0; padding: 0; line-height: 3rem }", says: /“Continue” spills out of/ },
  { css: ".actions .button { min-height: 2.5rem }", says: /low for a button/ },
  { css: ".actions .button { width: 3.75rem; min-width: 0; flex: none; overflow-wrap: anywhere }", says: /its words in \d lines/ },
  { css: ".languages button { min-height: 0; height: 1.25rem; line-height: 1 }", says: /too small to be hit/ },
  { css: ".tiles { display: flex; flex-direction: column-reverse }", says: /follows .* and stands before it/ },
  { css: ".amount-currency { width: 70% }", says: /has \d+ px for a text of/ },
  { css: ".line.receive dd { max-width: 3rem; overflow-wrap: anywhere }", says: /is broken in the middle/ },
];

test("the layout check finds every deliberate fault", async () => {
  await shop.inShop(async (checkout, page) => {
    assert.deepEqual(await layoutFaults(page), []);
    for (const { css, says } of BROKEN) {
      // The page's policy allows no style of others but this.
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      const faults = await layoutFaults(page);
      assert.ok(faults.some((fault) => says.test(fault)), `${css}: ${JSON.stringify(faults)}`);
    }
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    assert.deepEqual(await layoutFaults(page), []);
  }, { viewport: { width: 320, height: 800 } });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { shopSuite, toCardForm } from "./support/suite.mjs";

const shop = shopSuite();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Calls `look` on every step of a checkout to a card, and on its forms with problems shown. */
async function walk(checkout, page, look) {
  await look("amount");
  await page.locator(".trigger-picker summary").click();
  await page.locator("select[name=trigger]").selectOption("transfer RecipientAccountNotFound");
  await look("amount with an error to try");
  await page.locator(".trigger-picker summary").click();
  await checkout.goOn("recipient");
  await page.locator(".field-form").waitFor();
  await look("recipient");
  await checkout.goOn();
  await look("recipient with problems");
  await checkout.fillForm();
  await checkout.goOn("account");
  await checkout.waitForEvent("READY");
  await checkout.frame.locator("#verify").waitFor();
  await look("card");
  await page.locator(".aside-note summary").click();
  await checkout.verifyCard("4000000000000036");
  await checkout.waitForEvent("CARD_VALIDATION_STOP_EXPIRED");
  await look("card expired");
  await page.locator(".card-status button").click();
  await page.locator(".card-status[data-status=ready]").waitFor();
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await checkout.readyToSend();
  await look("review");
  await checkout.send();
  await checkout.outcome();
  await look("done");
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious on any step (${colorScheme})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await walk(checkout, page, async (step) => {
        // The card form is another origin: it is looked at by itself, in its own frame.
        const serious = [];
        for (const frame of page.frames()) {
          const { violations } = await frame.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false }));
          for (const { id, impact, nodes } of violations) {
            if (impact === "serious" || impact === "critical") serious.push(`${id}: ${nodes.map((node) => node.html).join(", ")}`);
          }
        }
        assert.deepEqual(serious, [], step);
      });
    }, { colorScheme, scripts: [axe] });
  });
}

for (const width of [320, 360, 768, 1440]) {
  test(`nothing is wider than a screen of ${width} px`, async () => {
    await shop.inShop(async (checkout, page) => {
      for (const language of ["en", "es"]) {
        await page.locator(`[data-language=${language}]`).click();
        if (language === "es") await checkout.open();
        await checkout.priced();
        await walk(checkout, page, async (step) => {
          const wide = await page.evaluate(() => {
            const limit = document.documentElement.clientWidth;
            const scrolls = document.documentElement.scrollWidth > limit;
            const outside = [...document.body.querySelectorAll("*:not(.visually-hidden, .visually-hidden *)")]
              .filter((element) => {
                const box = element.getBoundingClientRect();
                return box.width > 0 && (box.right > limit + 0.5 || box.left < -0.5);
              })
              .map((element) => `${element.tagName}.${element.className}`);
            return { scrolls, outside };
          });
          assert.deepEqual(wide, { scrolls: false, outside: [] }, `${step}, ${language}`);
        });
      }
    }, { viewport: { width, height: 800 }, isMobile: width < 700, hasTouch: width < 700 });
  });
}

test("nothing moves by itself", async () => {
  const watch = () => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        const nodes = entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ""}`);
        globalThis.shifts.push({ value: entry.value, nodes });
      }
    }).observe({ type: "layout-shift", buffered: true });
  };
  for (const viewport of [{ width: 1280, height: 900 }, { width: 360, height: 800 }]) {
    await shop.inShop(async (checkout, page) => {
      // Slow enough that what comes back is no longer put down to the click before it.
      await page.route(/\/(v1|sandbox)\//, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue().catch(() => {});
      });
      await checkout.open();
      await walk(checkout, page, async (step) => {
        const shifts = await page.evaluate(() => globalThis.shifts.splice(0));
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        assert.ok(sum <= 0.02, `${step} at ${viewport.width} px moved by ${sum}: ${JSON.stringify(shifts)}`);
      });
    }, { viewport, isMobile: viewport.width < 700, hasTouch: viewport.width < 700, scripts: [watch] });
  }
});

test("everything can be reached and used by keyboard", async () => {
  await shop.inShop(async (checkout, page) => {
    const focused = () => page.evaluate(() => document.activeElement.name || document.activeElement.id || document.activeElement.className);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "skip");
    const seen = new Set();
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press("Tab");
      seen.add(await focused());
    }
    for (const name of ["country", "method", "amount-send", "amount-receive"]) assert.ok(seen.has(name), name);
    await page.getByLabel("You send", { exact: true }).focus();
    await page.keyboard.press("Enter");
    await checkout.step("recipient");
    assert.equal(await page.evaluate(() => document.activeElement.id), "step-title");
    await page.locator(".skip").press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.equal(await page.locator("html").getAttribute("data-step"), "recipient");
    await page.goBack();
    await checkout.step("amount");
    await page.goForward();
    await checkout.step("recipient");
  });
});

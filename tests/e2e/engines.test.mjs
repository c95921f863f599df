// The main path of the shop in Firefox and WebKit, through WebDriver.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { demo, OUTPUT_DIR, stopDemo } from "./support/demo.mjs";
import { fillScript } from "./support/fill.mjs";
import { assertRecorded, labelTest } from "./support/sandbox.mjs";
import { WebDriver } from "./support/webdriver.mjs";

const DRIVERS = { firefox: process.env.FIREFOX_DRIVER, webkit: process.env.WEBKIT_DRIVER };
const SUBMIT = ".actions button[type=submit]";

after(stopDemo);

for (const [engine, driver] of Object.entries(DRIVERS)) {
  const skip = driver ? false : `no ${engine}: ${engine.toUpperCase()}_DRIVER names no driver`;
  test(`a customer sends money to a card in ${engine}`, { skip }, async (context) => {
    await labelTest(demo.baseUrl, context.name);
    await mkdir(OUTPUT_DIR, { recursive: true });
    const browser = await WebDriver.start(engine, driver);
    try {
      await browser.setSize(1280, 1000);
      await sendToCard(browser);
      const outcome = await browser.evaluate(`() => ({
        transferId: document.querySelector("[data-transfer]").innerText,
        confirmationNumber: document.querySelector("[data-confirmation]").innerText,
      })`);
      await assertRecorded(demo.baseUrl, outcome, { transferMethod: "PUSH_TO_CARD" });
      assert.deepEqual(await browser.evaluate("() => window.seen"), [], "errors and policy violations");
    } catch (error) {
      const picture = await browser.screenshot().catch(() => "");
      await writeFile(join(OUTPUT_DIR, `${engine}-failed.png`), picture);
      throw error;
    } finally {
      await browser.stop();
    }
  });
}

/** Sends a transfer on the route that the shop offers first, to a card in Mexico. */
async function sendToCard(browser) {
  const goOn = async (to) => {
    await browser.find(`${SUBMIT}:not([data-busy])`);
    await browser.click(SUBMIT);
    await browser.find(`html[data-step=${to}]`);
  };
  const fillForm = async () => {
    await browser.find(".field-form:not([hidden])");
    await browser.until(`() => ${fillScript("MEX")} === 0`);
  };
  await browser.open(demo.shopUrl);
  await browser.evaluate(`() => {
    window.seen = [];
    addEventListener("error", ({ message }) => window.seen.push(message));
    addEventListener("unhandledrejection", ({ reason }) => window.seen.push(String(reason)));
    addEventListener("securitypolicyviolation", ({ blockedURI }) => window.seen.push(blockedURI));
  }`);
  const total = ".summary[aria-busy=false] .line.total dd";
  await browser.until("(css) => /\\d/.test(document.querySelector(css)?.textContent)", total);
  await goOn("recipient");
  await fillForm();
  await goOn("account");
  await browser.find(".card-status[data-status=ready]");
  await browser.inFrame(".card-frame iframe", async (frame) => {
    const card = { number: GOOD_CARD, expiry: "12/34", code: "123", name: "Ana Garcia" };
    for (const [name, text] of Object.entries(card)) await frame.type(`#card-${name}`, text);
    await frame.click("#verify");
  });
  await browser.find("html[data-step=review]");
  await fillForm();
  await goOn("done");
}

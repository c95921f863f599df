// The shop in a page that the browser translates, and that it changes no text that stays the same.

import assert from "node:assert/strict";
import { eventually, hasTexts, shows } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

/** Translates as browsers do: each text gives way to elements with its translation, after each change again. */
function translate() {
  const translateAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement.closest("font, script, style, [translate=no]")) continue;
      const [outer, inner] = ["font", "font"].map((name) => document.createElement(name));
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const everything = { subtree: true, childList: true, characterData: true };
    new MutationObserver(translateAll).observe(document, everything);
    translateAll();
  });
}

const TRANSLATED = { scripts: [translate] };
shop.test("a translated page says what has happened since", TRANSLATED, async (checkout, page) => {
  const { text } = checkout;
  let isFailed = false;
  await page.route(/\/statuses$/, async (route) => {
    const response = await route.fetch();
    const { statuses } = await response.json();
    const failed = isFailed ? [{ status: "Failed", changedDate: new Date().toISOString() }] : [];
    await route.fulfill({ response, json: { statuses: [statuses[0], ...failed] } });
  });
  await shows(page.locator("h1"), `«${text("amount.title")}»`);
  await shows(checkout.submit, `«${text("action.continue")}»`);
  await hasTexts(page.locator("select[name=country] option:checked"), ["«Mexico»"]);
  await checkout.toReview();
  // settled: the review has its final price.
  const total = await checkout.line("total").innerText();
  assert.doesNotMatch(total, /«/);
  await shows(checkout.submit, `«${text("review.send", { total })}»`);
  await checkout.send();
  const { transferId } = await checkout.outcome();
  assert.doesNotMatch(transferId, /«/);
  await shows(page.locator("h1"), `«${text("done.title")}»`);
  isFailed = true;
  await shows(page.locator("h1"), `«${text("done.title.bad")}»`);
  await shows(page.locator(".step-head p"), `«${text("done.about.bad")}»`);
  await shows(page.locator(".done > [role=status]"), /^«.*»$/);
  await shows(page.locator(".status-badge"), `«${text("status.FAILED")}»`);
});

/** Has the shop refresh everything, and returns which elements it wrote again. */
function writtenAgain(page) {
  return page.evaluate(() => {
    const seen = new MutationObserver(() => {});
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
    // The shop keeps what is entered, and tells all of its parts.
    document.body.dispatchEvent(new Event("change", { bubbles: true }));
    const written = seen.takeRecords().map(({ target }) => (target.parentElement ?? target).outerHTML);
    seen.disconnect();
    return written;
  });
}

shop.test("what stays the same is not written, and so announced, again", async (checkout, page) => {
  await checkout.toAccount();
  assert.deepEqual(await writtenAgain(page), []);
  await checkout.goOn("review");
  await checkout.readyToSend();
  assert.deepEqual(await writtenAgain(page), []);
});

shop.test("a status that stays the same is not written again", async (checkout, page) => {
  let asked = 0;
  await page.route(/\/statuses$/, async (route) => {
    const response = await route.fetch();
    const { statuses } = await response.json();
    await route.fulfill({ response, json: { statuses: [statuses[0]] } });
    asked += 1;
  });
  await checkout.toReview();
  await checkout.send();
  await checkout.outcome();
  await eventually(() => assert.ok(asked > 0));
  await page.evaluate(() => {
    globalThis.written = [];
    const note = ({ target }) => globalThis.written.push(target.outerHTML);
    const seen = new MutationObserver((all) => all.forEach(note));
    seen.observe(document.querySelector(".timeline").parentElement, { subtree: true, childList: true });
  });
  const before = asked;
  await eventually(() => assert.ok(asked > before + 1));
  assert.deepEqual(await page.evaluate(() => globalThis.written), []);
});

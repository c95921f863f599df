// Prices that change on the review: a worse one is paid only once it was accepted, and none by a press that
// was meant for the price before.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { transferPosts } from "./support/browser.mjs";
import { raiseFee, recordedOf } from "./support/sandbox.mjs";
import { contains, hasAttribute, hasCount, isAbsent, shows } from "./support/shown.mjs";
import { assertSound, PHONE, screen, shopSuite } from "./support/suite.mjs";
import { textsOf } from "./support/texts.mjs";

const shop = shopSuite();
const REFUSALS = { expectErrors: [/status of 400 .*\/v1\/transfers\)/] };
/** How long a price holds. */
const HELD_MS = 30_000;
/** Longer than presses are ignored. */
const SETTLED_MS = 1_100;

/** Goes to the review and stops the page's clock there. */
async function onReview(checkout, page, route) {
  const market = { fee: 0, received: 0, quotes: [] };
  await page.route(/\/v1\/quote\?/, async (request) => {
    const response = await request.fetch();
    const quote = await response.json();
    quote.totalCost.value += market.fee;
    quote.adjustments[0].amount.value += market.fee;
    quote.receiveAmount.value += market.received;
    const now = await page.evaluate(() => Date.now());
    quote.expirationDate = new Date(now + HELD_MS).toISOString();
    market.quotes.push(quote.quoteHistoryId);
    await request.fulfill({ response, json: quote });
  });
  await checkout.toReview(route);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  return {
    market,
    pass: (ms) => page.clock.runFor(ms),
    /** Lets the price end, and the next one come. */
    async renew(change) {
      Object.assign(market, change);
      const before = market.quotes.length;
      const answered = page.waitForResponse(/\/v1\/quote\?/);
      await page.clock.fastForward(HELD_MS + 5_000);
      await answered;
      await page.locator(".summary[aria-busy=false]").waitFor();
      assert.equal(market.quotes.length, before + 1);
    },
  };
}

const accept = (checkout) => checkout.button("review.accept");
const isDisabled = (checkout, expected) => hasAttribute(checkout.submit, "aria-disabled", expected);
/** Returns a figure of the price that was waited for. */
const figure = (checkout, name) => checkout.line(name).innerText();

/** Asserts that a finger that was on the button still is. */
async function assertInPlace(checkout, { x, y, width, height }) {
  const now = await checkout.submit.boundingBox();
  const isIn = (at, start, size) => at > start && at < start + size;
  const [middle, line] = [x + width / 2, y + height / 2];
  assert.ok(isIn(middle, now.x, now.width) && isIn(line, now.y, now.height), JSON.stringify(now));
}

async function assertAsks(checkout) {
  await accept(checkout).waitFor();
  await shows(checkout.submit, checkout.text("review.accept.first"));
  await isDisabled(checkout, "true");
}

async function assertArmed(checkout, total) {
  await checkout.readyToSend();
  await isDisabled(checkout, "false");
  await contains(checkout.submit, total);
  await isAbsent(accept(checkout), "the button is armed");
}

for (const language of ["en", "es"]) {
  for (const width of [320, 1280]) {
    const name = `a worse price is paid only once it was accepted (${language}, ${width} px)`;
    shop.test(name, screen(width, { language }), async (checkout, page) => {
      const { text } = checkout;
      const { market, pass, renew } = await onReview(checkout, page);
      const total = await figure(checkout, "total");
      await checkout.submit.focus();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const place = await checkout.submit.boundingBox();
      await renew({ fee: 4_500 });
      await assertAsks(checkout);
      const notice = page.locator(".actions .notice");
      const { y, height } = await notice.boundingBox();
      assert.ok(y >= 0 && y + height <= 800, `the notice is in view: ${y} + ${height}`);
      await assertInPlace(checkout, place);
      const words = [text("review.price.worse"), text("review.cause.ended"), text("review.notyet")];
      await contains(notice, ...words, total, await figure(checkout, "total"));
      await hasCount(page.locator("[role=alert]"), 1);
      await hasAttribute(page.locator(".summary [role=status]"), "aria-live", "off");
      await checkout.submit.and(page.locator(":focus")).waitFor();

      // Nothing takes a press at once.
      for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
      await checkout.submit.dblclick({ force: true });
      await accept(checkout).click();
      await assertAsks(checkout);
      await pass(SETTLED_MS);
      await assertAsks(checkout);
      await checkout.submit.focus();
      await page.keyboard.press("Enter");
      await checkout.hasFocus(/^notice/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await accept(checkout).waitFor({ state: "detached" });
      await checkout.submit.and(page.locator(":focus")).waitFor();
      await assertInPlace(checkout, place);
      for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
      await isDisabled(checkout, "true");
      await pass(SETTLED_MS);
      await assertArmed(checkout, await figure(checkout, "total"));
      assert.equal(transferPosts(page).length, 0);
      await page.keyboard.press("Enter");
      await checkout.outcome();
      const [{ body }, ...others] = transferPosts(page);
      assert.equal(others.length, 0);
      assert.equal(JSON.parse(body).quoteHistoryId, market.quotes.at(-1));
    });
  }
}

shop.test("a better price is paid without a question, but not by the press before it", PHONE, async (checkout, page) => {
  const { pass, renew } = await onReview(checkout, page);
  await checkout.submit.focus();
  await renew({ received: 1_234 });
  await page.locator(".panel .notice.success").waitFor();
  for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
  await checkout.submit.dblclick({ force: true });
  await isDisabled(checkout, "true");
  await pass(SETTLED_MS);
  await assertArmed(checkout, await figure(checkout, "total"));
  assert.equal(transferPosts(page).length, 0);
  // One with the same figures is no news.
  await renew({});
  await assertArmed(checkout, await figure(checkout, "total"));
  await page.keyboard.press("Space");
  await checkout.outcome();
  assert.equal(transferPosts(page).length, 1);
});

shop.test("less received and a fee in small steps need a consent each", PHONE, async (checkout, page) => {
  const { pass, renew } = await onReview(checkout, page);
  const notice = page.locator(".actions .notice");
  const total = await figure(checkout, "total");
  const received = await figure(checkout, "receive");
  await renew({ fee: 1 });
  await assertAsks(checkout);
  await renew({ fee: 3 });
  await assertAsks(checkout);
  // It is compared with the price that was agreed to.
  await contains(notice, total);
  await renew({ fee: 2 });
  await assertAsks(checkout);
  await pass(SETTLED_MS);
  await accept(checkout).click();
  await pass(SETTLED_MS);
  const accepted = await figure(checkout, "total");
  await assertArmed(checkout, accepted);
  await renew({ fee: 3 });
  await assertAsks(checkout);
  await contains(notice, accepted);
  // The price of before needs none.
  await renew({ fee: 2 });
  await pass(SETTLED_MS);
  await assertArmed(checkout, accepted);
  await renew({ received: -1 });
  await assertAsks(checkout);
  await contains(notice, received);
  // The one that is better now is what the next one is compared with.
  await renew({ received: 5 });
  await pass(SETTLED_MS);
  await assertArmed(checkout, accepted);
  await renew({ received: 4 });
  await assertAsks(checkout);
  assert.equal(transferPosts(page).length, 0);
});

shop.test("a price that rises as it is accepted is not accepted with it", PHONE, async (checkout, page) => {
  const { pass, renew } = await onReview(checkout, page);
  await renew({ fee: 100 });
  await assertAsks(checkout);
  await pass(SETTLED_MS);
  // The press begins on the notice of one price, and ends on that of the next.
  await accept(checkout).hover();
  await page.mouse.down();
  await renew({ fee: 200 });
  await page.mouse.up();
  await pass(SETTLED_MS);
  await assertAsks(checkout);
  await accept(checkout).dblclick();
  await pass(SETTLED_MS);
  await assertArmed(checkout, await figure(checkout, "total"));
  assert.equal(transferPosts(page).length, 0);
});

shop.test("a press that began before the price changed does nothing", async (checkout, page) => {
  const { pass, renew } = await onReview(checkout, page);
  const still = () => assert.equal(transferPosts(page).length, 0);
  await checkout.submit.hover();
  await page.mouse.down();
  await renew({ received: 10 });
  await pass(SETTLED_MS);
  await page.mouse.up();
  still();
  await checkout.submit.focus();
  await page.keyboard.down("Space");
  await renew({ received: 20 });
  await pass(SETTLED_MS);
  await page.keyboard.up("Space");
  still();
  // A key that is held down repeats.
  await renew({ received: 30 });
  await page.keyboard.down("Enter");
  await pass(SETTLED_MS);
  for (let times = 0; times < 3; times += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  still();
  await assertArmed(checkout, await figure(checkout, "total"));
  await page.keyboard.press("Enter");
  await checkout.outcome();
  assert.equal(transferPosts(page).length, 1);
});

shop.test("Enter in a field pays no price that was not accepted", async (checkout, page) => {
  const { pass, renew } = await onReview(checkout, page);
  await page.locator(".aside-note summary").first().click();
  const field = page.locator(".field-form input").locator("visible=true").first();
  await field.fill("Rent");
  const scrolled = () => page.evaluate(() => scrollY);
  const before = await scrolled();
  await renew({ fee: 100 });
  await assertAsks(checkout);
  assert.ok(await field.evaluate((input) => input === document.activeElement), "who types is left alone");
  assert.equal(await scrolled(), before);
  await field.press("Enter");
  assert.ok(await field.evaluate((input) => input === document.activeElement));
  await pass(SETTLED_MS);
  await field.press("Enter");
  await checkout.hasFocus(/^notice/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await field.press("Enter");
  assert.equal(transferPosts(page).length, 0);
  await pass(SETTLED_MS);
  await field.press("Enter");
  await checkout.outcome();
  assert.equal(transferPosts(page).length, 1);
});

shop.test("no press counts while a price is on its way, or as the review opens", async (checkout, page) => {
  await checkout.toAccount();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/\/v1\/quote\?/, async (request) => {
    await held;
    await request.continue();
  });
  await checkout.goOn("review");
  // It may not be shown yet.
  for (let press = 0; press < 2; press += 1) await checkout.submit.dispatchEvent("click");
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  release();
  const total = await figure(checkout, "total");
  await checkout.submit.filter({ hasText: checkout.text("review.send", { total }) }).waitFor();
  await checkout.submit.dblclick({ force: true });
  await isDisabled(checkout, "true");
  await page.clock.runFor(SETTLED_MS);
  await checkout.readyToSend();
  assert.equal(transferPosts(page).length, 0);
});

for (const language of ["en", "es"]) {
  const name = `a price that the service raises at Send is accepted first (${language})`;
  shop.test(name, { ...PHONE, ...REFUSALS, language }, async (checkout, page) => {
    await checkout.toReview();
    const before = await figure(checkout, "total");
    await raiseFee(shop.baseUrl, 700);
    await checkout.send();
    await assertAsks(checkout);
    await checkout.hasFocus(/^notice/);
    await hasAttribute(page.locator(".actions .notice"), "role", "group", "the focus says it, once");
    const after = await figure(checkout, "total");
    assert.notEqual(after, before);
    await assertSound(page);
    await raiseFee(shop.baseUrl, 700);
    await sleep(SETTLED_MS);
    await accept(checkout).click();
    await assertArmed(checkout, after);
    await checkout.send();
    await assertAsks(checkout);
    const last = await figure(checkout, "total");
    assert.notEqual(last, after);
    await sleep(SETTLED_MS);
    await accept(checkout).click();
    await checkout.send();
    await checkout.outcome();
    const recorded = await recordedOf(shop.baseUrl, page);
    assert.deepEqual(recorded.map(({ totalCost }) => totalCost.value), [Number(last.replace(/\D/g, ""))]);
    assert.equal(transferPosts(page).length, 3);
  });
}

shop.test("a price that rose on the way is asked for on the review", PHONE, async (checkout, page) => {
  await checkout.toAccount();
  const before = await figure(checkout, "total");
  await raiseFee(shop.baseUrl, 700);
  // The service words a price, so another language fetches it again.
  await page.locator("[data-language=es]").click();
  await page.locator(".line.total dd").filter({ hasText: /USD/ }).waitFor();
  await checkout.priced();
  await page.locator("[data-language=en]").click();
  await page.locator(".line.total dd").filter({ hasNotText: /USD/ }).waitFor();
  await checkout.priced();
  assert.notEqual(await figure(checkout, "total"), before);
  await checkout.goOn("review");
  await assertAsks(checkout);
  await page.locator("[data-language=es]").click();
  await checkout.submit.filter({ hasText: textsOf("review.accept.first")[1] }).waitFor();
  await page.locator("[data-language=en]").click();
  await assertAsks(checkout);

  // Neither the way back nor a reload is a consent.
  await page.goBack();
  await checkout.step("account");
  await page.goForward();
  await checkout.step("review");
  await assertAsks(checkout);
  await page.reload();
  await checkout.step("recipient");
  for (const step of ["account", "review"]) {
    await checkout.fillForm();
    await checkout.goOn(step);
  }
  await assertAsks(checkout);
  await contains(page.locator(".actions .notice"), before);

  // The amount's own button stands beside the price.
  await checkout.button("review.change.country").click();
  await checkout.step("amount");
  await checkout.priced();
  for (const step of ["recipient", "account", "review"]) {
    await checkout.goOn(step);
    if (step !== "review") await checkout.fillForm();
  }
  await checkout.readyToSend();
  await isAbsent(accept(checkout), "the review has its final price");
});

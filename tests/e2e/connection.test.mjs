import assert from "node:assert/strict";
import { transferPosts } from "./support/browser.mjs";
import { recordedOf } from "./support/sandbox.mjs";
import { contains, hasCount, shows } from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NETWORK = { ...PHONE, expectErrors: [/net::ERR_/] };
const SPANISH = { ...NETWORK, language: "es" };

shop.test("Send waits while offline, keeps the price, then goes on", SPANISH, async (checkout, page) => {
  const quotes = [];
  page.on("response", (reply) => reply.url().includes("/v1/quote?") && quotes.push(reply.json()));
  await checkout.toReview();
  const { length: count } = quotes;
  await page.context().setOffline(true);
  await checkout.send();
  const notice = checkout.notice("error");
  await notice.waitFor();
  await shows(notice.locator(".notice-title"), checkout.text("error.title.offline"));
  await contains(notice, checkout.text("review.nothing"), checkout.text("error.text.offline"));
  await shows(notice, /Mantenemos tu precio hasta esta hora: \d+:\d\d/);
  await shows(notice.getByRole("button").first(), checkout.text("action.again"));
  await assertSound(page);
  assert.deepEqual(await recordedOf(shop.baseUrl, page), []);
  await page.context().setOffline(false);
  await checkout.outcome();
  const recorded = await recordedOf(shop.baseUrl, page);
  const { quoteHistoryId } = await quotes.at(-1);
  assert.deepEqual(recorded.map((transfer) => transfer.quoteHistoryId), [quoteHistoryId]);
  assert.equal(quotes.length, count, "the price was kept");
});

shop.test("a price that the connection delays is announced", SPANISH, async (checkout, page) => {
  await page.context().setOffline(true);
  await page.locator("[data-side=send] input").fill("321");
  const notice = page.locator(".summary .notice");
  const { text } = checkout;
  const offline = notice.filter({ hasText: text("error.title.offline") });
  await offline.filter({ hasText: text("error.text.offline") }).waitFor();
  await assertSound(page);
  await page.context().setOffline(false);
  await checkout.priced();
  await notice.waitFor({ state: "detached" });
  await shows(checkout.line("send"), /321\.00/);
});

shop.test("Send resumes after the service was lost before the POST", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await page.route(/\/v1\/nonce/, (route) => route.abort("connectionrefused"));
  await checkout.send();
  const notice = checkout.notice("error");
  await notice.filter({ hasText: checkout.text("error.title.unavailable") }).waitFor();
  await contains(notice, checkout.text("review.nothing"));
  await page.unroute(/\/v1\/nonce/);
  await checkout.outcome();
  assert.equal((await recordedOf(shop.baseUrl, page)).length, 1);
});

shop.test("a slow price is announced while the old figures show", NETWORK, async (checkout, page) => {
  const held = [];
  await page.route(/\/v1\/quote\?/, (route) => held.push(route));
  await page.locator("[data-side=send] input").fill("321");
  const notice = page.locator(".summary .notice");
  await notice.filter({ hasText: checkout.text("loading.long") }).waitFor();
  for (const route of held) await route.continue();
  await page.unroute(/\/v1\/quote\?/);
  await checkout.priced();
  await hasCount(notice, 0);
});

shop.test("a step that failed offline continues on reconnecting", NETWORK, async (checkout, page) => {
  const text = checkout.text("error.text.offline");
  const notice = page.locator(".panel .notice.error").filter({ hasText: text });
  await page.context().setOffline(true);
  await checkout.goOn("recipient");
  await notice.waitFor();
  await page.context().setOffline(false);
  await checkout.formLoaded();
  await hasCount(notice, 0);
  await checkout.fillForm();
  await page.context().setOffline(true);
  await checkout.goOn();
  await notice.waitFor();
  // With an invalid field, what was pressed can't be repeated, but the notice goes.
  await page.locator("input[type=tel]").first().fill("1");
  await page.context().setOffline(false);
  await page.locator("[data-field] [aria-invalid=true]").first().waitFor();
  await hasCount(notice, 0);
  await page.context().setOffline(true);
  await page.locator("input[type=tel]").first().fill("5512345678");
  await checkout.goOn();
  await notice.waitFor();
  await page.context().setOffline(false);
  await checkout.step("account");
});

shop.test("leaving while Send waits for the connection sends nothing", NETWORK, async (checkout, page) => {
  await checkout.toReview();
  await page.context().setOffline(true);
  await checkout.send();
  await page.clock.install();
  await checkout.button("review.amount", checkout.notice("error")).click();
  await checkout.step("amount");
  await page.context().setOffline(false);
  await page.clock.runFor(60_000);
  await checkout.priced();
  assert.equal(transferPosts(page).length, 0);
});

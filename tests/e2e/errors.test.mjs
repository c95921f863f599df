import assert from "node:assert/strict";
import { test } from "node:test";
import { passTimeUntil } from "./support/clock.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { recordedOf } from "./support/sandbox.mjs";
import { toCardReview, toReview } from "./support/paths.mjs";
import { isTransferPost, transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
// A refusal is a status that the browser notes on the console; nothing else may stand there.
const REFUSALS = { viewport: { width: 320, height: 800 }, expectErrors: [/Failed to load resource: the server responded with a status of (4|5)\d\d.*\/v1\//] };

test("a refused quote is explained, with a way to go on", async () => {
  await shop.inShop(async (checkout, page) => {
    const send = page.getByLabel("You send", { exact: true });
    await send.fill("9900.40");
    const notice = checkout.notice("error");
    await notice.waitFor();
    assert.match(await notice.innerText(), /There is no price for this/);
    assert.equal(await notice.getAttribute("role"), "alert");
    await checkout.goOn();
    assert.equal(await page.locator("html").getAttribute("data-step"), "amount");
    await checkout.sendAmount("200");
    assert.equal(await notice.count(), 0);
    await checkout.goOn("recipient");
  }, REFUSALS);
});

test("a route without a receive amount leads back to the amount to send", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.chooseRoute({ country: "CHL", method: "BANK_ACCOUNT" });
    await page.getByLabel("They receive", { exact: true }).fill("90000");
    const notice = checkout.notice("error");
    await notice.waitFor();
    await notice.getByRole("button", { name: "Enter the amount to send" }).click();
    await checkout.priced();
    assert.equal(await notice.count(), 0);
  }, REFUSALS);
});

test("missing and malformed fields are named in place before sending", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.chooseRoute({ country: "MEX", method: "BANK_ACCOUNT" });
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    await checkout.goOn();
    const first = page.getByLabel("First name");
    assert.equal(await first.getAttribute("aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement.className), "notice error problem-summary");
    const described = await first.getAttribute("aria-describedby");
    assert.equal(await page.locator(`#${described}`).innerText(), "First name is missing.");
    await checkout.fillForm();
    await checkout.goOn("account");
    await checkout.fillForm();
    await page.locator("[data-field=BANK_ACCOUNT_NUMBER]").fill("12345678901234567X");
    await checkout.goOn();
    assert.equal(await page.locator("[data-field=BANK_ACCOUNT_NUMBER]").getAttribute("aria-invalid"), "true");
    assert.equal(page.seen.requests.filter((request) => request.method === "POST" && request.url.endsWith("/accounts")).length, 0);
  });
});

for (const { amount, code, locale, says, way, newPrice } of [
  { amount: "9900.01", code: "Max24HourSendAmountLimitReached", locale: "en-US", says: /This is over a limit/, way: "Change the amount", newPrice: "Get a new price" },
  { amount: "9900.01", code: "Max24HourSendAmountLimitReached", locale: "es-MX", says: /Esto supera un límite/, way: "Cambiar el monto", newPrice: "Consultar un precio nuevo" },
  { amount: "9900.20", code: "InsufficientFunds", locale: "en-US", says: /That was not accepted/, way: "Try again", newPrice: "Get a new price" },
  { amount: "9900.20", code: "InsufficientFunds", locale: "es-MX", says: /No se aceptó la solicitud/, way: "Intentar de nuevo", newPrice: "Consultar un precio nuevo" },
]) {
  test(`a transfer refused with ${code} is explained, not recorded, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await checkout.sendAmount(amount);
      await toCardReview(checkout);
      await checkout.send();
      const notice = checkout.notice("error");
      await notice.waitFor();
      assert.match(await notice.innerText(), says);
      await notice.getByRole("button", { name: way }).waitFor();
      assert.equal(await notice.getByRole("button", { name: newPrice }).count(), 0, "where it cannot help");
      assert.deepEqual(await layoutFaults(page), []);
      assert.equal(await page.locator("html").getAttribute("data-step"), "review");
      assert.deepEqual(await recordedOf(shop.baseUrl, page), []);
    }, { ...REFUSALS, locale });
  });
}

for (const [language, { nothing, says }] of Object.entries({
  en: { nothing: "Nothing was sent.", says: /There is a problem with the card\s+Nothing was sent\. This card can/ },
  es: { nothing: "No se envió nada.", says: /Hay un problema con la tarjeta\s+No se envió nada\. Esta tarjeta no se puede usar/ },
})) {
  test(`a notice repeats nothing and says nothing was sent (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout, { amount: "9900.65" });
      await checkout.send();
      const card = await checkout.notice("error").innerText();
      assert.match(card, says);
      const sentences = card.split(/(?<=\.)\s+|\n+/).map((sentence) => sentence.replace(/\.$/, ""));
      assert.equal(new Set(sentences).size, sentences.length, card);
      assert.ok(card.includes(nothing));
    }, { ...REFUSALS, locale: language === "es" ? "es-MX" : "en-US" });
  });
}

test("a price that changed is shown again before anything is sent", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.sendAmount("9900.30");
    await toCardReview(checkout);
    await checkout.send();
    const notice = page.locator(".panel .notice");
    await notice.waitFor();
    await checkout.readyToSend();
    // The sandbox refuses this amount's price though it is the same again.
    assert.match(await notice.innerText(), /The amounts are the same as before\. Nothing has been sent yet\./);
    assert.match(await page.locator(".actions button[type=submit]").innerText(), /^Send \$/);
    assert.equal(transferPosts(page).length, 1);
    const answered = page.waitForResponse((reply) => isTransferPost(reply.request()));
    await checkout.goOn();
    await answered;
    await checkout.readyToSend();
    const quotes = transferPosts(page).map(({ body }) => JSON.parse(body).quoteHistoryId);
    assert.equal(new Set(quotes).size, 2, "the second try stands on a new quote");
  }, REFUSALS);
});

test("an unreachable service is reported, and trying again works", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.route(/\/v1\/recipient-fields/, (route) => route.abort("connectionrefused"));
    await checkout.goOn("recipient");
    const notice = checkout.notice("error");
    await notice.waitFor({ timeout: 40_000 });
    assert.match(await notice.innerText(), /The service cannot be reached/);
    await page.unroute(/\/v1\/recipient-fields/);
    await notice.getByRole("button", { name: "Try again" }).click();
    await checkout.fillForm();
    await checkout.goOn("account");
  }, { expectErrors: [/net::ERR_/] });
});

// Each wait of the page has an end and a way out of it, whoever it is that says nothing.
for (const [who, pattern] of Object.entries({
  "the service": /\/v1\/corridors/,
  "the shop's backend": /\/api\/(config|remit-token)/,
  "whoever has the wasm": /\.wasm$/,
})) {
  test(`the page gives up on ${who} when it stays silent, and can try again`, async () => {
    await shop.inShop(async (checkout, page) => {
      await page.route(pattern, () => {});
      // The page's clock is moved on instead of waiting.
      await page.clock.install();
      await page.goto(shop.shopUrl, { waitUntil: "commit" });
      const again = checkout.notice("error").getByRole("button", { name: "Try again" });
      await passTimeUntil(page, () => again.count());
      assert.doesNotMatch(await checkout.notice("error").innerText(), /Something went wrong/);
      assert.equal(await page.locator(".skeleton").count(), 0);
      await page.unroute(pattern);
      await again.click();
      await passTimeUntil(page, async () => (await page.locator(".skeleton").count()) === 0, { pauseMs: 100 });
      await page.clock.resume();
      await checkout.priced();
    }, { expectErrors: [/net::ERR_/] });
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutFaults } from "./support/geometry.mjs";
import { recordedOf } from "./support/sandbox.mjs";
import { toReview } from "./support/paths.mjs";
import { transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NETWORK = { viewport: { width: 320, height: 800 }, expectErrors: [/net::ERR_/] };
const WORDS = {
  en: { offline: "You are offline", lost: "There is a connection problem", nothing: /Nothing was sent\./, held: /Your price is held until \d+:\d\d/, again: "Try again", itself: /We’ll continue automatically/, slow: "This is taking longer than usual" },
  es: { offline: "No tienes conexión", lost: "Hay un problema de conexión", nothing: /No se envió nada\./, held: /Mantenemos tu precio hasta esta hora: \d+:\d\d/, again: "Intentar de nuevo", itself: /Continuaremos automáticamente/, slow: "Está tardando más de lo normal" },
};

for (const [language, words] of Object.entries(WORDS)) {
  const options = { ...NETWORK, locale: language === "es" ? "es-MX" : "en-US" };

  test(`Send waits while offline, keeps the price, then goes on (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      const quotes = [];
      page.on("response", (reply) => {
        if (reply.url().includes("/v1/quote?")) quotes.push(reply.json());
      });
      await toReview(checkout);
      await checkout.readyToSend();
      const asked = quotes.length;
      await page.context().setOffline(true);
      await checkout.send();
      const notice = checkout.notice("error");
      await notice.waitFor();
      const text = await notice.innerText();
      assert.equal(await notice.locator(".notice-title").innerText(), words.offline);
      for (const pattern of [words.nothing, words.held, words.itself]) assert.match(text, pattern);
      assert.equal(await notice.getByRole("button").first().innerText(), words.again);
      assert.deepEqual(await layoutFaults(page), []);
      assert.deepEqual(await recordedOf(shop.baseUrl, page), []);
      await page.context().setOffline(false);
      await checkout.outcome();
      const recorded = await recordedOf(shop.baseUrl, page);
      assert.deepEqual(recorded.map(({ quoteHistoryId }) => quoteHistoryId), [(await quotes.at(-1)).quoteHistoryId]);
      assert.equal(quotes.length, asked, "the price was kept");
    }, options);
  });

  test(`a price the connection delays is announced, then arrives (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await page.context().setOffline(true);
      await page.locator("#amount-send").fill("321");
      const notice = page.locator(".summary .notice");
      await notice.filter({ hasText: words.offline }).filter({ hasText: words.itself }).waitFor();
      assert.deepEqual(await layoutFaults(page), []);
      await page.context().setOffline(false);
      await checkout.priced();
      await notice.waitFor({ state: "detached" });
      assert.match(await page.locator(".line dd").first().innerText(), /321\.00/);
    }, options);
  });

  test(`a service lost before the POST is reported, then Send resumes (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toReview(checkout);
      await checkout.readyToSend();
      await page.route(/\/v1\/nonce/, (route) => route.abort("connectionrefused"));
      await checkout.send();
      const notice = checkout.notice("error");
      await notice.waitFor();
      assert.equal(await notice.locator(".notice-title").innerText(), words.lost);
      assert.match(await notice.innerText(), words.nothing);
      await page.unroute(/\/v1\/nonce/);
      await checkout.outcome();
      assert.equal((await recordedOf(shop.baseUrl, page)).length, 1);
    }, options);
  });

  test(`a slow price is announced while old figures show (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await page.route(/\/v1\/quote\?/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        await route.continue();
      });
      await page.locator("#amount-send").fill("321");
      await page.locator(".summary .notice").filter({ hasText: words.slow }).waitFor();
      await checkout.priced();
      assert.equal(await page.locator(".summary .notice").count(), 0);
    }, options);
  });
}

test("a step that failed offline loads by itself on reconnecting", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.context().setOffline(true);
    await checkout.goOn("recipient");
    const notice = page.locator(".panel .notice.error");
    await notice.filter({ hasText: WORDS.en.itself }).waitFor();
    await page.context().setOffline(false);
    await page.locator(".field-form").waitFor();
    assert.equal(await notice.count(), 0);
    // So does what was pressed.
    await checkout.fillForm();
    await page.context().setOffline(true);
    await checkout.goOn();
    await notice.filter({ hasText: WORDS.en.itself }).waitFor();
    await page.context().setOffline(false);
    await checkout.step("account");
  }, NETWORK);
});

test("reconnecting clears the offline notice even if a field is invalid", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await page.context().setOffline(true);
    await checkout.goOn();
    const notice = page.locator(".panel .notice").filter({ hasText: WORDS.en.offline });
    await notice.waitFor();
    await page.locator("input[type=tel]").first().fill("1");
    await page.context().setOffline(false);
    await page.locator("[data-invalid]").first().waitFor();
    assert.equal(await notice.count(), 0);
  }, NETWORK);
});

test("going back while Send waits for the connection sends nothing", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await checkout.readyToSend();
    await page.context().setOffline(true);
    await checkout.send();
    const notice = checkout.notice("error");
    await notice.getByRole("button", { name: "Change the amount" }).click();
    await checkout.step("amount");
    await page.context().setOffline(false);
    await page.waitForTimeout(3_000);
    assert.equal(transferPosts(page).length, 0);
  }, NETWORK);
});

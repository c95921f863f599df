import assert from "node:assert/strict";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { toCardForm, toCardReview } from "./support/paths.mjs";
import { transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

/** The figure of a line of the summary. */
function line(page, name) {
  return page.locator(`.line.${name} dd`).innerText();
}

test("a customer sends money to a card", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardReview(checkout);
    await checkout.readyToSend();
    assert.deepEqual(await page.locator(".fact dd span").allInnerTexts(), ["Ana María García", "Mexico", "Debit card", "Your Sendero balance (demo money)"]);
    const total = await line(page, "total");
    assert.equal(await page.locator(".actions button[type=submit]").innerText(), `Send ${total}`);
    await checkout.send();
    const outcome = await checkout.outcome();
    assert.match(outcome.status, /^(INITIATED|PENDING|COMPLETE)$/);
    await assertRecorded(shop.baseUrl, outcome, { transferMethod: "PUSH_TO_CARD" });
  });
});

test("the page shows the card form's events as they happen", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardForm(checkout);
    assert.deepEqual(await checkout.events(), ["READY"]);
    const log = page.locator(".events");
    await page.getByText("Events of the card form").click();
    await checkout.verifyCard("4000000000000002");
    await checkout.waitForEvent("CARD_VALIDATION_STOP_FAIL");
    assert.deepEqual(await checkout.events(), ["READY", "CARD_VALIDATION_START", "CARD_VALIDATION_STOP_FAIL"]);
    assert.match(await log.innerText(), /Verify was pressed/);
  });
});

for (const { country, currency, places, method } of [
  { country: "JPN", currency: "JPY", places: 0, method: "PUSH_TO_CARD" },
  { country: "KWT", currency: "KWD", places: 3, method: "BANK_ACCOUNT" },
]) {
  test(`amounts with ${places} decimals stay exact from entry to record`, async () => {
    await shop.inShop(async (checkout, page) => {
      await checkout.chooseRoute({ country, method });
      const receive = page.getByLabel("They receive", { exact: true });
      const pattern = places === 0 ? /^[\d,]+$/ : /^[\d,]+\.\d{3}$/;
      assert.match(await receive.inputValue(), pattern);

      await receive.fill(`123.${"5".repeat(places + 1)}`);
      const problem = places === 0 ? `${currency} has no decimals.` : `${currency} has at most ${places} decimals.`;
      assert.equal(await page.locator("#amount-receive-note").innerText(), problem);

      const typed = places === 0 ? "12,345" : "123.457";
      await receive.fill(typed);
      await checkout.priced();
      assert.match(await line(page, "receive"), new RegExp(`${typed.replace(".", "\\.")}$`));

      await checkout.goOn("recipient");
      await checkout.fillForm();
      await checkout.goOn("account");
      if (method === "PUSH_TO_CARD") {
        await checkout.waitForEvent("READY");
        await checkout.verifyCard(GOOD_CARD);
      } else {
        await checkout.fillForm();
        await checkout.goOn();
      }
      await checkout.step("review");
      await checkout.send();
      await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: method });
      const bodies = transferPosts(page);
      assert.equal(bodies.length, 1);
      const { amount, quoteBy } = JSON.parse(bodies[0].body);
      assert.equal(quoteBy, "RECEIVE_AMOUNT");
      assert.equal(amount, Number(typed.replace(/[.,]/g, "")));
    });
  });
}

test("the reply for an earlier amount never replaces a later one", async () => {
  await shop.inShop(async (checkout, page) => {
    // The first quote is held back until the second has been answered.
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route(/\/v1\/quote\?.*amount=11100(&|$)/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    const send = page.getByLabel("You send", { exact: true });
    const asked = page.waitForRequest(/amount=11100(&|$)/);
    await send.fill("111");
    await asked;
    await send.fill("222");
    await page.locator(".line.total dd").filter({ hasText: /^\$22\d\.\d\d$/ }).waitFor();
    release();
    await page.waitForTimeout(400);
    assert.match(await line(page, "total"), /^\$22\d\.\d\d$/);
    assert.equal(await send.inputValue(), "222");
  });
});

test("switching to Spanish and back keeps what was entered", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.chooseRoute({ country: "MEX", method: "PUSH_TO_CARD" });
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await page.locator("[data-language=es]").click();
    assert.equal(await page.locator("h1").innerText(), "¿Quién recibe el dinero?");
    assert.equal(await page.locator("html").getAttribute("lang"), "es-MX");
    assert.equal(await page.locator("label[for]").filter({ hasText: "Primer apellido" }).count(), 1);
    assert.equal(await page.locator("[data-field=firstName]").inputValue(), "Ana María");
    await checkout.goOn("account");
    await checkout.waitForEvent("READY");
    assert.equal(await checkout.frame.locator("html").getAttribute("lang"), "es-MX");
    await page.locator("[data-language=en]").click();
    await checkout.frame.locator("html[lang=en]").waitFor();
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
    assert.equal(await page.locator("h1").innerText(), "Check and send");
  });
});

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { Checkout } from "./support/checkout.mjs";
import { passTimeUntil } from "./support/clock.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { addFault, forgetFaults, recordedOf, recordedTransfers } from "./support/sandbox.mjs";
import { toCardReview, toFilledAccount, toReview } from "./support/paths.mjs";
import { isTransferPost, transferPosts } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NETWORK = {
  viewport: { width: 320, height: 800 },
  expectErrors: [/net::ERR_|status of 50\d/, /status of 400 .*\/v1\/transfers\)/],
};
const TRANSFERS = /\/v1\/transfers(\/progress\/.*)?$/;
const WORDS = {
  en: {
    asking: "We’re checking whether a transfer was sent",
    unknown: "We don’t know yet whether it was sent",
    refused: "This transfer was not made",
    nothing: "No money was sent.",
    what: /\$200\.00 to Ana María García, \w+ \d+/,
    other: /Below is another transfer: \$150\.00 to Ana María García\./,
    waits: "Waiting for the earlier transfer",
    also: "Send this one too",
    below: "The transfer below hasn’t been sent yet.",
    notYet: /Nothing has been sent yet/,
  },
  es: {
    asking: "Estamos verificando si un envío se hizo",
    unknown: "Aún no sabemos si se envió",
    refused: "Este envío no se hizo",
    nothing: "No se envió dinero.",
    what: /200\.00 a Ana María García, \d+/,
    other: /Abajo hay otro envío: .*150\.00 a Ana María García\./,
    waits: "Esperando el envío anterior",
    also: "Hacer también este",
    below: "El envío de abajo aún no se ha hecho.",
    notYet: /Aún no se ha enviado nada/,
  },
};

afterEach(() => forgetFaults(shop.baseUrl));

/** Sends, and ends the page before it learns the outcome; meanwhile the network refuses its requests. */
async function leaveInMidTransfer(checkout, page) {
  await toReview(checkout);
  await page.context().route(TRANSFERS, (route) => route.abort("connectionfailed"));
  await checkout.send();
  await page.waitForRequest(isTransferPost);
}

const connectionBack = (page) => page.context().unroute(TRANSFERS);

for (const [language, words] of Object.entries(WORDS)) {
  const options = { ...NETWORK, scripts: [AXE], locale: language === "es" ? "es-MX" : "en-US" };

  test(`Send waits until an interrupted transfer settles itself (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await leaveInMidTransfer(checkout, page);
      await page.reload();
      await checkout.priced();
      const notice = page.locator("main > .notice-slot .notice");
      await notice.waitFor();
      assert.ok([words.asking, words.unknown].includes(await notice.locator(".notice-title").innerText()));
      assert.match(await notice.innerText(), words.what);
      await toReview(checkout, { amount: "150" });
      const send = page.locator(".actions button[type=submit]");
      await send.filter({ hasText: words.waits }).waitFor();
      assert.match(await notice.innerText(), words.other);
      assert.deepEqual(await layoutFaults(page), []);
      assert.deepEqual(await axeProblems(page), []);
      const before = transferPosts(page).length;
      await send.click({ force: true });
      await send.press("Enter");
      assert.equal(transferPosts(page).length - before, 0, "Send does not send");

      // Nobody presses anything: at the service's first reply the page has the transfer made once.
      const asked = [];
      page.on("response", (reply) => reply.request().method() === "GET" && TRANSFERS.test(reply.url()) && asked.push(reply.json()));
      await connectionBack(page);
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await notice.filter({ has: page.locator(".icon"), hasText: words.also }).and(page.locator(".success")).waitFor();
      assert.match(await notice.innerText(), words.what);
      const [made] = await recordedOf(shop.baseUrl, page);
      assert.equal(made.sendAmount.value, 20_000);
      assert.deepEqual((await Promise.all(asked)).map((told) => told.transferRecordStatus), ["NotInProgress"]);
      await notice.getByRole("button", { name: words.also }).click();
      const outcome = await checkout.outcome();
      const recorded = await recordedOf(shop.baseUrl, page);
      assert.deepEqual(new Set(recorded.map(({ transferId }) => transferId)), new Set([made.transferId, outcome.transferId]));
    }, options);
  });

  test(`a new price beside an open transfer says which one is not sent (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await leaveInMidTransfer(checkout, page);
      await page.reload();
      await checkout.priced();
      await page.locator("main > .notice-slot .notice").waitFor();
      await toCardReview(checkout);
      const price = page.locator(".panel .notice.info");
      await price.filter({ hasText: words.below }).waitFor();
      assert.doesNotMatch(await price.innerText(), words.notYet);
      assert.deepEqual(await layoutFaults(page), []);
    }, options);
  });

  test(`an interrupted transfer that never arrived frees Send (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      await leaveInMidTransfer(checkout, page);
      await page.clock.install();
      await page.reload();
      // What is on its way may arrive until ten minutes after the price has ended. This route goes before the
      // other one, which stays: between the two a POST would get through.
      await page.context().route(TRANSFERS, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
      const notice = page.locator("main > .notice-slot .notice");
      await notice.waitFor();
      // What is asked for now would take the jump of the clock for an answer that never comes.
      await page.locator("select[name=country]").waitFor({ state: "attached" });
      await page.clock.fastForward("30:00");
      await passTimeUntil(page, () => notice.filter({ hasText: words.refused }).count(), { seconds: 5 });
      await page.clock.resume();
      assert.match(await notice.innerText(), words.what);
      assert.match(await notice.innerText(), new RegExp(words.nothing));
      assert.deepEqual(await layoutFaults(page), []);
      await connectionBack(page);
      await toReview(checkout);
      await checkout.send();
      const outcome = await checkout.outcome();
      const recorded = await recordedOf(shop.baseUrl, page);
      assert.deepEqual(recorded.map(({ transferId }) => transferId), [outcome.transferId]);
    }, options);
  });
}

test("sending both is offered once the new transfer's price is known", async () => {
  await shop.inShop(async (checkout, page) => {
    await leaveInMidTransfer(checkout, page);
    await page.reload();
    await checkout.priced();
    await toFilledAccount(checkout, { amount: "150" });
    const prices = [];
    await page.route(/\/v1\/quote\?/, (route) => prices.push(route));
    await checkout.goOn("review");
    const notice = page.locator("main > .notice-slot .notice");
    await notice.waitFor();
    while (prices.length === 0) await page.waitForTimeout(20);
    assert.equal(await notice.getByRole("button", { name: "Send both" }).count(), 0);
    await Promise.all(prices.map((route) => route.continue()));
    await page.unroute(/\/v1\/quote\?/);
    await connectionBack(page);
    await notice.getByRole("button", { name: /Send both|Send this one too/ }).click();
    await checkout.outcome();
  }, NETWORK);
});

test("the first of two transfers is reported even after a reload", async () => {
  await shop.inShop(async (checkout, page) => {
    await leaveInMidTransfer(checkout, page);
    const [{ body }] = transferPosts(page);
    const { quoteHistoryId } = JSON.parse(body);
    // Of the first one nothing can be learnt yet, and the others go through.
    const isOfFirst = (request) => `${request.url()} ${request.postData()}`.includes(quoteHistoryId);
    await page.context().route(TRANSFERS, (route) => (isOfFirst(route.request()) ? route.abort("connectionfailed") : route.continue()));
    await page.reload();
    await checkout.priced();
    await toReview(checkout, { amount: "150" });
    const notice = page.locator("main > .notice-slot .notice");
    await notice.getByRole("button", { name: "Send both" }).click();
    const outcome = await checkout.outcome();
    await page.clock.install();
    await page.reload();
    assert.equal((await checkout.outcome()).transferId, outcome.transferId);
    await notice.waitFor();
    // What is known sooner is shown at once.
    await page.clock.runFor(5_000);
    await connectionBack(page);
    await passTimeUntil(page, () => notice.and(page.locator(".success")).count(), { seconds: 5 });
    await page.clock.resume();
    assert.match(await notice.innerText(), /Your transfer was made\s+\$200\.00 to Ana María García/);
    // It is told once.
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await page.reload();
    assert.equal((await checkout.outcome()).transferId, outcome.transferId);
    assert.equal(await notice.count(), 0);
    assert.equal((await recordedOf(shop.baseUrl, page)).length, 2);
  }, NETWORK);
});

test("a transfer interrupted by a reload is shown, and made once", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await addFault(shop.baseUrl, { kind: "latency", when: "during", method: "POST", path: "/v1/transfers", delayMilliseconds: 800 });
    const sent = page.waitForRequest(isTransferPost);
    await checkout.send();
    await sent;
    await page.reload();
    const outcome = await checkout.outcome();
    const recorded = await recordedOf(shop.baseUrl, page);
    assert.deepEqual(recorded.map(({ transferId }) => transferId), [outcome.transferId]);
    assert.match(await page.locator(".panel .done").innerText(), /Ana María García/);
  }, NETWORK);
});

test("reloading the last page shows the transfer again and nothing else", async () => {
  await shop.inShop(async (checkout, page) => {
    await toReview(checkout);
    await checkout.send();
    const { transferId } = await checkout.outcome();
    await page.reload();
    assert.equal((await checkout.outcome()).transferId, transferId);
    assert.equal(await page.locator(".notice").count(), 0);
    await page.getByRole("button", { name: "Send another transfer" }).click();
    await checkout.priced();
    await page.reload();
    await checkout.priced();
    assert.equal(await page.locator("html").getAttribute("data-step"), "amount");
    assert.equal(await page.locator(".notice").count(), 0);
  }, NETWORK);
});

test("two tabs that send the same transfer at once make one", async () => {
  await shop.inShop(async (checkout, page) => {
    const tab = await page.context().newPage();
    const other = new Checkout(tab, shop.shopUrl);
    await other.open();
    await Promise.all([toReview(checkout), toReview(other)]);
    await Promise.all([checkout.readyToSend(), other.readyToSend()]);
    const before = (await recordedTransfers(shop.baseUrl)).map((one) => one.transferId);
    await addFault(shop.baseUrl, { kind: "latency", when: "during", method: "POST", path: "/v1/transfers", delayMilliseconds: 1_000 });
    await Promise.all([checkout, other].map((one) => one.goOn()));
    const winner = await Promise.any([checkout, other].map(async (one) => (await one.step("done"), one)));
    const loser = winner === checkout ? other : checkout;
    const notice = loser.page.locator("main > .notice-slot .notice.success");
    await notice.waitFor();
    assert.match(await notice.innerText(), /\$200\.00 to Ana María García, .*\n.*Below is another transfer: \$200\.00 to Ana María García\./s);
    const { transferId } = await winner.outcome();
    const made = (await recordedTransfers(shop.baseUrl)).map((one) => one.transferId).filter((id) => !before.includes(id));
    assert.deepEqual(made, [transferId]);
    await notice.getByRole("button", { name: "Show the transfer" }).click();
    assert.equal((await loser.outcome()).transferId, transferId);
  }, NETWORK);
});

test("Back and Forward around an interrupted transfer send nothing", async () => {
  await shop.inShop(async (checkout, page) => {
    await leaveInMidTransfer(checkout, page);
    await page.goto("about:blank");
    await page.goBack();
    const notice = page.locator("main > .notice-slot .notice");
    await notice.waitFor();
    await page.goBack().catch(() => {});
    await page.goForward().catch(() => {});
    await page.goto(shop.shopUrl);
    await notice.waitFor();
    assert.equal(new Set(transferPosts(page).map(({ body }) => body)).size, 1);
    await connectionBack(page);
    await notice.and(page.locator(".success")).or(page.locator("[data-transfer]")).waitFor();
    assert.equal((await recordedOf(shop.baseUrl, page)).length, 1);
  }, NETWORK);
});

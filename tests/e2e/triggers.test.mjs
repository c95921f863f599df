import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedOf, triggerTable } from "./support/sandbox.mjs";
import { toCardForm, toCardReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const REFUSALS = { expectErrors: [/Failed to load resource: the server responded with a status of (4|5)\d\d.*\/v1\//] };

/** Chooses an error in the shop's picker. Returns its amount in the sandbox's table, as customers type it. */
async function choose(page, operation, code) {
  const { triggers } = await triggerTable(shop.baseUrl);
  const { amount } = triggers.find((one) => one.operation === operation && one.code === code && one.means.kind === "amount").means;
  await page.locator(".trigger-picker summary").click();
  await page.getByLabel("Error code").selectOption(`${operation} ${code}`);
  return `${Math.trunc(amount / 100).toLocaleString("en-US")}.${String(amount % 100).padStart(2, "0")}`;
}

/** The errors that the service answers to a request of this kind next. */
async function refusal(page, method, path) {
  const reply = await page.waitForResponse((one) => one.request().method() === method && new URL(one.url()).pathname === path);
  return reply.json();
}

test("every error in the sandbox's table can be chosen, by operation", async () => {
  await shop.inShop(async (checkout, page) => {
    const { triggers } = await triggerTable(shop.baseUrl);
    const picker = page.locator(".trigger-picker");
    assert.equal(await picker.getAttribute("open"), null, "the picker is closed until a tester opens it");
    await picker.locator("summary").click();
    const offered = await page.locator("select[name=trigger] optgroup").evaluateAll((groups) =>
      groups.flatMap((group) => [...group.children].map((option) => `${group.label} ${option.label}`)),
    );
    assert.deepEqual(offered.toSorted(), [...new Set(triggers.map(({ operation, code }) => `${operation} ${code}`))].sort());
    assert.ok(new Set(offered.map((one) => one.split(" ")[1])).size >= 60);

    // Whatever is chosen, there is something to do, and never a gap in the words.
    const ways = page.locator(".ways");
    for (const choice of offered) {
      const [operation, code] = choice.split(" ");
      const meant = triggers.filter((one) => one.operation === operation && one.code === code && one.means.kind !== "amount");
      if (meant.length === 0) continue;
      await page.getByLabel("Error code").selectOption(choice);
      const text = await ways.innerText();
      assert.doesNotMatch(text, /[{}]|undefined/, choice);
      for (const { means } of meant) {
        for (const part of [means.rule, means.name, means.id, means.value, means.number]) {
          assert.ok(text.replaceAll(/(?<=\d{4}) (?=\d{4})/g, "").includes(part ?? ""), `${choice}: ${text}`);
        }
      }
    }

    await page.locator("[data-language=es]").click();
    await page.getByLabel("Código de error").selectOption("transfer RecipientNotFound");
    assert.match(await ways.innerText(), /^Llama a transfer con 0{8}-.* en recipientId\.$/);
  }, REFUSALS);
});

test("an error of the quote is shown as soon as it is chosen", async () => {
  await shop.inShop(async (checkout, page) => {
    const refused = refusal(page, "GET", "/v1/quote");
    const amount = await choose(page, "quote", "ErrorGettingQuote");
    assert.equal(await page.getByLabel("You send", { exact: true }).inputValue(), amount);
    const [{ code, message }] = await refused;
    assert.equal(code, "ErrorGettingQuote");
    const notice = checkout.notice("error");
    await notice.waitFor();
    assert.ok((await notice.innerText()).includes(message), message);
  }, REFUSALS);
});

test("a transfer's error is shown on sending, and nothing is recorded", async () => {
  await shop.inShop(async (checkout, page) => {
    const amount = await choose(page, "transfer", "Max7DaysTransferCountLimitReached");
    assert.equal(await page.getByLabel("You send", { exact: true }).inputValue(), amount);
    assert.ok((await page.locator(".ways").innerText()).startsWith(`$${amount}`));
    await toCardReview(checkout);
    await checkout.readyToSend();
    const refused = refusal(page, "POST", "/v1/transfers");
    await checkout.send();
    const [{ code, message }] = await refused;
    assert.equal(code, "Max7DaysTransferCountLimitReached");
    const notice = checkout.notice("error");
    await notice.waitFor();
    assert.ok((await notice.innerText()).includes(message), message);
    assert.deepEqual(await recordedOf(shop.baseUrl, page), []);
  }, REFUSALS);
});

test("the test cards match the sandbox's table", async () => {
  await shop.inShop(async (checkout, page) => {
    const { testCards } = await triggerTable(shop.baseUrl);
    await toCardForm(checkout);
    await page.locator(".aside-note:has(.test-cards) summary").click();
    await page.locator(".test-cards li").first().waitFor();
    const shown = await page.locator(".test-cards code").allInnerTexts();
    assert.deepEqual(shown.map((number) => number.replaceAll(" ", "")), testCards.map(({ number }) => number));
    for (const outcome of await page.locator(".test-cards span").allInnerTexts()) assert.match(outcome, /^[^{}]{8,}$/);
  });
});

test("without the sandbox's table the shop hides its test tools", async () => {
  await shop.inShop(async (checkout, page) => {
    const picker = page.locator(".trigger-picker");
    await picker.waitFor();
    let asked = 0;
    await page.route(/\/sandbox\/triggers$/, (route) => {
      asked += 1;
      const headers = { "access-control-allow-origin": "*" };
      return route.fulfill({ status: 404, headers, json: [{ code: "NotFound", message: "There is nothing here." }] });
    });
    await checkout.open();
    await toCardForm(checkout);
    assert.ok(asked > 0);
    assert.equal(await page.locator(".aside-note:has(.test-cards)").isVisible(), false, "the test cards");
    await page.goBack();
    await page.goBack();
    await checkout.step("amount");
    await checkout.priced();
    assert.equal(await picker.isVisible(), false, "the errors to try");
    assert.equal(await picker.locator("option").count(), 0);
  }, { expectErrors: [/status of 404.*\/sandbox\/triggers/] });
});

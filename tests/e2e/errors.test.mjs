import assert from "node:assert/strict";
import { isTransferPost, passTimeUntil, transferPosts } from "./support/browser.mjs";
import { recordedOf, triggerTable } from "./support/sandbox.mjs";
import {
  caughtUp,
  contains,
  disappears,
  eventually,
  hasAttribute,
  hasCount,
  isAbsent,
  isHidden,
  shows,
} from "./support/shown.mjs";
import { assertSound, CORS, PHONE, shopSuite } from "./support/suite.mjs";
import { translator } from "./support/texts.mjs";

const shop = shopSuite();
const REFUSALS = { ...PHONE, expectErrors: [/status of (4|5)\d\d.*\/(v1|sandbox)\//] };
const SPANISH = { ...REFUSALS, language: "es" };

/** Returns the amount that causes an error, as a customer types it. */
async function amountFor(wanted) {
  const { triggers } = await triggerTable(shop.baseUrl);
  const { means } = triggers.find(({ code, means: { kind } }) => code === wanted && kind === "amount");
  return String(means.amount / 100);
}

shop.test("a refused quote is explained, with a way to go on", REFUSALS, async (checkout, page) => {
  await page.locator("[data-side=send] input").fill(await amountFor("ErrorGettingQuote"));
  const notice = checkout.notice("error");
  await notice.filter({ hasText: "There is no price for this" }).waitFor();
  await hasAttribute(notice, "role", "alert");
  await checkout.goOn();
  await page.waitForFunction(() => document.title.startsWith("Error: "));
  await checkout.staysAt("amount");
  await checkout.sendAmount("200");
  await hasCount(notice, 0);
  await checkout.goOn("recipient");
});

shop.test("a route without receive amounts leads to the send amount", REFUSALS, async (checkout, page) => {
  await checkout.chooseRoute({ country: "CHL", method: "BANK_ACCOUNT" });
  await page.locator("[data-side=receive] input").fill("90000");
  await checkout.button("amount.by_send", checkout.notice("error")).click();
  await checkout.priced();
  await hasCount(checkout.notice("error"), 0);
});

/** The code, the kind in its title, and the way on. */
const REFUSED_TRANSFERS = [
  ["en", "Max24HourSendAmountLimitReached", "limit", "review.amount"],
  ["es", "InsufficientFunds", "invalid_request", "action.again"],
  ["es", "CardProvidedCannotBeUsedForThisTransaction", "card", "card.another"],
  ["en", "MinCardholderNames", "card", "card.another"],
];
for (const [language, code, kind, way] of REFUSED_TRANSFERS) {
  shop.test(`${code} is explained, and not recorded`, { ...REFUSALS, language }, async (checkout, page) => {
    const { text } = checkout;
    await checkout.toReview({ amount: await amountFor(code) });
    const answered = page.waitForResponse((reply) => isTransferPost(reply.request()));
    await checkout.send();
    assert.equal((await (await answered).json())[0].code, code);
    const notice = checkout.notice("error");
    await checkout.button(way, notice).waitFor();
    // settled: a notice is shown with all of its text.
    const shown = await notice.innerText();
    assert.ok(shown.startsWith(text(`error.title.${kind}`)), shown);
    assert.ok(shown.includes(text("review.nothing")), shown);
    const sentences = shown.split(/(?<=\.)\s+|\n+/).map((sentence) => sentence.replace(/\.$/, ""));
    assert.equal(new Set(sentences).size, sentences.length, `a sentence is repeated: ${shown}`);
    await isAbsent(checkout.button("review.newquote", notice), "a new price can't help");
    await assertSound(page);
    await checkout.staysAt("review");
    assert.deepEqual(await recordedOf(shop.baseUrl, page), []);
    if (kind !== "card") return;
    // Only another card helps: Send is not offered again, and Enter does not send either.
    await disappears(checkout.submit);
    const main = page.locator(".actions .primary:visible");
    await shows(main, text("card.another"));
    await page.locator("#review-form").evaluate((form) => form.requestSubmit());
    await main.click();
    await checkout.step("account");
    assert.equal(transferPosts(page).length, 1);
  });
}

for (const [language, other] of [["en", "es"], ["es", "en"]]) {
  const name = `an error follows the customer's language, from ${language} to ${other}`;
  shop.test(name, { ...REFUSALS, language }, async (checkout, page) => {
    const code = "Max24HourSendAmountLimitReached";
    const words = { en: /You have reached the amount that you can send in 24 hours\./, es: /Llegaste al máximo que puedes enviar en 24 horas\./ };
    await checkout.toReview({ amount: await amountFor(code) });
    await checkout.send();
    const notice = checkout.notice("error");
    await notice.filter({ hasText: words[language] }).waitFor();
    for (const next of [other, language]) {
      await page.locator(`[data-language=${next}]`).click();
      await notice.filter({ hasText: words[next] }).waitFor();
      const keys = ["error.title.limit", "review.nothing", "error.advice.wait_for_reset", "review.amount"];
      await contains(notice, ...keys.map(translator(next)));
      await hasCount(notice.filter({ hasText: words[next === "en" ? "es" : "en"] }), 0);
    }
    await assertSound(page);
  });
}

shop.test("a price that changed is shown again before anything is sent", REFUSALS, async (checkout, page) => {
  // The sandbox refuses the price of this amount, though the next one is the same.
  await checkout.toReview({ amount: "9900.30" });
  await checkout.send();
  const notice = page.locator(".panel .notice");
  await notice.filter({ hasText: "The amounts are the same as before." }).waitFor();
  await checkout.readyToSend();
  await shows(checkout.submit, /^Pay \$/);
  assert.equal(transferPosts(page).length, 1);
  const answered = page.waitForResponse((reply) => isTransferPost(reply.request()));
  await checkout.goOn();
  await answered;
  await checkout.readyToSend();
  const quotes = transferPosts(page).map(({ body }) => JSON.parse(body).quoteHistoryId);
  assert.equal(new Set(quotes).size, 2, "the second attempt uses a new quote");
});

// Each wait of the page ends, and can be repeated.
const SILENT = {
  "the service": /\/v1\/corridors/,
  "the shop's backend": /\/api\/(config|remit-token)/,
  "the server of the wasm": /\.wasm$/,
};
for (const [who, pattern] of Object.entries(SILENT)) {
  shop.pageTest(`the page gives up on a silent ${who}`, { expectErrors: [/net::ERR_/] }, async (page) => {
    await page.route(pattern, () => {});
    await page.clock.install();
    await page.goto(shop.shopUrl, { waitUntil: "commit" });
    const notice = page.locator(".notice.error");
    const retry = notice.getByRole("button", { name: "Try again" });
    await passTimeUntil(page, () => retry.count());
    await isAbsent(notice.filter({ hasText: "Something went wrong" }), "the notice offers a retry");
    const skeleton = page.locator(".skeleton");
    await hasCount(skeleton, 0);
    await page.unroute(pattern);
    await retry.click();
    await passTimeUntil(page, async () => (await skeleton.count()) === 0, { pauseMs: 100 });
    await page.clock.resume();
    await page.locator(".line.total dd").filter({ hasText: /\d/ }).waitFor();
  });
}

/** What to enter in a field, and the problem that it then shows. */
const FIELD_PROBLEMS = {
  en: {
    firstName: { Ana5: "First name can’t contain “5”.", "": "First name is missing." },
    EMAIL_ADDRESS: { "ana@": "Enter the whole email address, such as name@example.com." },
    PHONE_NUMBER: {
      12345: "Mobile phone number has at least 7 digits; this has 5.",
      "+1 555 123 4567": "The phone number must have the country code +52.",
    },
  },
  es: {
    firstName: { Ana5: "Nombre: sobra “5”.", "": "Falta: Nombre." },
    EMAIL_ADDRESS: { "ana@": "Escribe el correo completo, por ejemplo nombre@ejemplo.com." },
    PHONE_NUMBER: {
      12345: "Teléfono celular: deben ser al menos 7 dígitos y hay 5.",
      "+1 555 123 4567": "El teléfono debe tener el código de país +52.",
    },
  },
};
const VALID = { firstName: "Ana", EMAIL_ADDRESS: "", PHONE_NUMBER: "+52 55 1234 5678" };

for (const [language, problems] of Object.entries(FIELD_PROBLEMS)) {
  const options = { ...PHONE, isMobile: true, hasTouch: true, language };
  shop.test(`a problem names its field and its cause (${language})`, options, async (checkout, page) => {
    const isSaid = (id, problem) =>
      eventually(async () => {
        const described = await checkout.field(id).getAttribute("aria-describedby");
        const note = page.locator(`#${described.split(" ").at(-1)}`);
        assert.deepEqual(await note.allInnerTexts(), [problem]);
      });
    await checkout.toRecipient({ method: "CASH_PICKUP" });
    const summary = page.locator("[part=summary]");
    for (const [id, cases] of Object.entries(problems)) {
      for (const [text, problem] of Object.entries(cases)) {
        await checkout.field(id).fill(text);
        await checkout.goOn();
        await isSaid(id, problem);
        await checkout.hasFocus(id);
        await isAbsent(summary, "one problem is said, and needs no summary");
      }
      await checkout.field(id).fill(VALID[id]);
    }
    for (const id of ["firstName", "lastName"]) await checkout.field(id).fill("");
    await checkout.goOn();
    await checkout.hasFocus("summary");
    const links = summary.getByRole("link");
    await hasCount(links, 2);
    await assertSound(page, { axe: true });
    await links.nth(1).press("Enter");
    await checkout.hasFocus("lastName");
    await page.keyboard.type("García");
    await hasCount(links, 1, "a solved problem leaves the summary");
    await checkout.field("firstName").fill("Ana");
    await checkout.field("firstName").press("Tab");
    await hasCount(summary, 0);
    const isPost = (request) => request.method() === "POST" && request.url().endsWith("/v1/recipients");
    const sent = page.waitForRequest(isPost);
    await checkout.goOn("account");
    const { value } = (await sent).postDataJSON().fields.find(({ id }) => id === "PHONE_NUMBER");
    assert.deepEqual(value, { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" });
  });
}

shop.test("an invalid account number is counted, and nothing is sent", SPANISH, async (checkout, page) => {
  await checkout.toAccount();
  const number = checkout.field("BANK_ACCOUNT_NUMBER");
  await number.fill("03218000011835971");
  await checkout.goOn();
  const note = page.locator("[data-field=BANK_ACCOUNT_NUMBER] [part=problem]");
  await note.getByText("CLABE: deben ser 18 dígitos y hay 17.", { exact: true }).waitFor();
  await hasAttribute(number, "aria-invalid", "true");
  assert.ok(!page.seen.requests.some(({ method, url }) => method === "POST" && url.endsWith("/accounts")));
});

shop.test("the test cards are the sandbox's", async (checkout, page) => {
  const { testCards } = await triggerTable(shop.baseUrl);
  await checkout.toCardForm();
  await page.locator(".aside-note:has(.test-cards) summary").click();
  await page.locator(".test-cards li").first().waitFor();
  // settled: the cards are listed at once.
  const codes = await page.locator(".test-cards code").allInnerTexts();
  const numbers = codes.map((one) => one.replaceAll(" ", ""));
  assert.deepEqual(numbers, testCards.map(({ number }) => number));
  // settled: as above.
  const outcomes = await page.locator(".test-cards span").allInnerTexts();
  for (const outcome of outcomes) assert.match(outcome, /^[^{}]{8,}$/);
});

shop.test("without the sandbox's table no test cards are shown", REFUSALS, async (checkout, page) => {
  await page.route(/\/sandbox\/triggers$/, (route) => {
    return route.fulfill({ status: 404, headers: CORS, json: [{ code: "NotFound" }] });
  });
  const answered = page.waitForResponse(/\/sandbox\/triggers$/);
  await checkout.open();
  await checkout.toCardForm();
  await answered;
  await caughtUp(page);
  await isHidden(page.locator(".aside-note:has(.test-cards)"), "the sandbox has refused its table");
});

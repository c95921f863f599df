import assert from "node:assert/strict";
import { passTimeUntil, transferPosts } from "./support/browser.mjs";
import { AXE } from "./support/axe.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { assertRecorded, setLifetimes } from "./support/sandbox.mjs";
import {
  caughtUp,
  contains,
  eventually,
  hasAttribute,
  hasCount,
  hasValue,
  isAbsent,
  shows,
} from "./support/shown.mjs";
import { assertSound, PHONE, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const SPANISH = { ...PHONE, language: "es" };
const QUOTE = /\/v1\/quote\?/;

const plain = (text) => text.replaceAll("\u00a0", " ");
const timer = (page) => page.locator(".line.held [role=timer]");

function changeReplies(page, pattern, change) {
  return page.route(pattern, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
}

const CURRENCIES = [
  ["JPN", "PUSH_TO_CARD", /^[\d,]+$/, "12,345", "JPY has no decimals."],
  ["KWT", "BANK_ACCOUNT", /^[\d,]+\.\d{3}$/, "123.457", "KWD has at most 3 decimals."],
];
for (const [country, method, pattern, typed, problem] of CURRENCIES) {
  shop.test(`amounts stay exact from entry to record (${country})`, async (checkout, page) => {
    await checkout.chooseRoute({ country, method });
    const receive = page.locator("[data-side=receive] input");
    await hasValue(receive, pattern);
    await receive.fill("123.5555");
    await shows(page.locator("remit-amount :is([part=hint], [part=problem]):not([hidden])"), problem);
    await receive.fill(typed);
    await checkout.priced();
    await contains(checkout.line("receive"), typed);
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.goOn("account");
    if (method === "PUSH_TO_CARD") await checkout.verifyCard(GOOD_CARD);
    else {
      await checkout.fillForm();
      await checkout.goOn();
    }
    await checkout.step("review");
    await checkout.send();
    await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: method });
    const [{ body }, ...others] = transferPosts(page);
    assert.equal(others.length, 0);
    const { amount, quoteBy } = JSON.parse(body);
    assert.deepEqual([quoteBy, amount], ["RECEIVE_AMOUNT", Number(typed.replace(/[.,]/g, ""))]);
  });
}

shop.test("the reply for an earlier amount never replaces a later one", async (checkout, page) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/\/v1\/quote\?.*amount=11100(&|$)/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const send = page.locator("[data-side=send] input");
  const isEarlier = (request) => /amount=11100(&|$)/.test(request.url());
  const asked = page.waitForRequest(isEarlier);
  // The kit may give up on it, as nobody waits for it any more.
  const ends = ["requestfinished", "requestfailed"].map((end) => page.waitForEvent(end, isEarlier));
  await send.fill("111");
  await asked;
  await send.fill("222");
  const total = page.locator(".line.total dd").filter({ hasText: /^\$22\d\.\d\d$/ });
  await total.waitFor();
  release();
  await Promise.race(ends);
  await caughtUp(page);
  await hasCount(total, 1);
  await hasValue(send, "222");
});

shop.test("limits are stated near them, and amounts beyond them get no price", SPANISH, async (checkout, page) => {
  const problem = page.locator("remit-amount [part=problem]:not([hidden])");
  const assertProblem = async (input, pattern) => {
    await problem.filter({ hasText: pattern }).waitFor();
    await checkout.goOn();
    await checkout.hasFocus(input);
    await checkout.staysAt("amount");
  };
  const send = page.locator("[data-side=send] input");
  const hint = page.locator("remit-amount [part=hint]");
  for (const [typed, isNear] of [["1.2", true], ["200", false], ["7499", false], ["7600", true]]) {
    await checkout.sendAmount(typed);
    await hint.and(page.locator(isNear ? ":visible" : ":not(:visible)")).waitFor({ state: "attached" });
  }
  await shows(hint, /^De \$1\.00\sUSD a \$10,000\.00\sUSD\s/);
  for (const typed of ["0.99", "10000.01", "99999999999999"]) {
    await send.fill(typed);
    await assertProblem("send", typed === "0.99" ? /mínimo .*\$1\.00\sUSD\.$/ : /máximo .*\$10,000\.00\sUSD\.$/);
    await shows(checkout.line("total"), /^\D*$/);
  }
  await assertSound(page);
  await page.locator("[data-side=receive] input").fill("250000");
  await assertProblem("receive", /^El máximo .*\$10,000\.00\sUSD\.$/);
  await send.fill("10000");
  await checkout.priced();
  await checkout.goOn("recipient");
});

shop.test("each transfer method shows its fee and its arrival", SPANISH, async (checkout, page) => {
  const prices = page.locator("[part=detail]");
  await prices.last().filter({ hasText: /\d/ }).waitFor();
  const shown = async () => (await prices.allInnerTexts()).map((text) => plain(text).trim());
  await eventually(async () => {
    const first = await shown();
    assert.equal(first.length, 4);
    for (const text of first) assert.match(text, /^Comisión \$\d+\.\d\d USD (en \d+ min|mañana|lunes)$/);
  });
  await checkout.sendAmount("5000");
  // settled: the price of this amount is there.
  const total = Number((await checkout.line("total").innerText()).replace(/[^\d.]/g, ""));
  // Discounts included.
  await prices.first().filter({ hasText: `$${(total - 5_000).toFixed(2)}` }).waitFor();
  // More than the shop pays out in cash.
  await shows(prices.last(), /^El máximo por envío es \$2,500\.00\sUSD\.$/);
});

shop.test("pickup points that cannot pay out the amount are disabled", PHONE, async (checkout, page) => {
  await checkout.toRecipient({ method: "CASH_PICKUP", amount: "900" });
  await checkout.goOn("account");
  const choose = async (id, index) => {
    await checkout.field(id).locator("option:nth-child(2)").waitFor({ state: "attached" });
    await checkout.field(id).selectOption({ index });
  };
  for (const id of ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER"]) await choose(id, 1);
  const point = checkout.field("PAYER_LOCATION");
  await point.locator("option:nth-child(2)").waitFor({ state: "attached" });
  const readOptions = (all) => all.map(({ text, disabled }) => [text, disabled]);
  await eventually(async () => {
    const options = await point.locator("option").evaluateAll(readOptions);
    assert.deepEqual(options.map(([, disabled]) => disabled), [false, true, true]);
    assert.match(options[1][0], /^Plaza Principal \(pays 1\d\d\sMXN to [89],\d{3}\sMXN\)$/);
  });
  const none = checkout.notice("warning");
  await shows(none, /No branch .* \$900\.00/);
  await assertSound(page);
  await choose("PAYER", 2);
  await choose("PAYER_LOCATION", 1);
  await hasCount(none, 0);
  await checkout.goOn("review");
  await checkout.readyToSend();
  await page.locator(".facts").filter({ hasText: "Caja del Mercado, Guadalajara" }).waitFor();
  await checkout.send();
  await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: "CASH_PICKUP" });
});

for (const language of ["en", "es"]) {
  const name = `that no pickup point pays the amount is said, with what to do (${language})`;
  shop.test(name, { ...PHONE, language, scripts: [AXE] }, async (checkout, page) => {
    const description = "10 to 150 USD";
    await changeReplies(page, /\/locations$/, (points) => points.map((point) => ({ ...point, description })));
    await checkout.toRecipient({ method: "CASH_PICKUP" });
    await checkout.goOn("account");
    for (const id of ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER"]) {
      await checkout.field(id).locator("option:nth-child(2)").waitFor({ state: "attached" });
      await checkout.field(id).selectOption({ index: 1 });
    }
    const none = checkout.notice("warning");
    await none.waitFor();
    const amount = language === "en" ? "$200.00" : "$200.00\u00a0USD";
    await shows(none, checkout.text("pickup.none", { amount }));
    await hasAttribute(none, "role", "alert");
    const points = checkout.field("PAYER_LOCATION").locator("option:not([value=''])");
    await hasCount(points.and(page.locator(":enabled")), 0);
    assert.ok((await points.all()).length > 0);
    await assertSound(page, { axe: true });
    await checkout.goOn();
    await checkout.hasFocus("PAYER_LOCATION");
    await checkout.staysAt("account");
    await hasCount(none, 1, "what to do stays in sight");

    // A smaller amount is paid everywhere.
    await checkout.button("action.back").click();
    await checkout.button("action.back").click();
    await checkout.step("amount");
    await checkout.sendAmount("100");
    await checkout.goOn("recipient");
    await checkout.formLoaded();
    await checkout.goOn("account");
    await checkout.fillForm();
    await isAbsent(none, "a pickup point is chosen");
    await checkout.goOn("review");
  });
}

shop.test("a pickup point's range is written in the customer's language", SPANISH, async (checkout, page) => {
  const description = "1 to 2,500.50 USD";
  await changeReplies(page, /\/locations$/, (points) => points.map((point) => ({ ...point, description })));
  await checkout.toAccount({ method: "CASH_PICKUP" });
  // settled: one of them was chosen.
  const [, point] = await checkout.field("PAYER_LOCATION").locator("option").allTextContents();
  assert.match(plain(point), /\(paga de \$1\d MXN a \$4\d,\d{3} MXN\)$/);
});

shop.test("a point that groups digits is answered with what was meant", SPANISH, async (_, page) => {
  await page.locator("[data-side=send] input").fill("1.500");
  const problem = "¿Quisiste decir 1,500? USD lleva 2 decimales como máximo.";
  await shows(page.locator("remit-amount :is([part=hint], [part=problem]):not([hidden])"), problem);
});

/** How each locale reads typed amounts and writes money. */
const LOCALES = {
  "en-US": {
    read: { $300: "$300.00", "US$ 1,250.5": "$1,250.50", "300 USD": "$300.00", "1,5": "$1.50" },
    refused: { "1.250,5": "Use a point for decimals: 1,250.5", "3oo": "Use digits only, such as 1,250.00" },
    money: /^(\$[\d,]+\.\d\d|[\d,]+\.\d\d MXN)$/,
  },
  "es-MX": {
    read: { $300: "$300.00 USD", "1,250.5": "$1,250.50 USD", "1,5": "$1.50 USD" },
    refused: { "1.250,5": "Los decimales van con punto: 1,250.5", "3oo": "Escribe solo números, por ejemplo 1,250.00" },
    money: /^\$[\d,]+\.\d\d (USD|MXN)$/,
  },
  "es-ES": {
    read: { "1,5": "1,50 $ USD", "1.250,50 US$": "1250,50 $ USD", 300: "300,00 $ USD" },
    refused: { "1,250.5": "Los decimales van con coma: 1.250,5" },
    money: /^[\d.]+,\d\d \$ (USD|MXN)$/,
  },
};
for (const [locale, { read, refused, money }] of Object.entries(LOCALES)) {
  shop.test(`amounts are read and written as ${locale} does`, { locale }, async (checkout, page) => {
    const input = (side) => page.locator(`[data-side=${side}] input`);
    const isInvalid = (side, expected) => hasAttribute(input(side), "aria-invalid", expected);
    await hasAttribute(page.locator("html"), "lang", locale);
    const line = async (name) => plain(await checkout.line(name).innerText());
    for (const name of ["send", "total", "receive"]) {
      await eventually(async () => assert.match(await line(name), money));
    }
    for (const [text, amount] of Object.entries(read)) {
      await input("send").fill(text);
      await checkout.priced();
      await eventually(async () => assert.equal(await line("send"), amount));
      await isInvalid("send", "false");
    }
    for (const side of ["send", "receive"]) {
      for (const [text, problem] of Object.entries(refused)) {
        await input(side).fill(text);
        await shows(page.locator("remit-amount :is([part=hint], [part=problem]):not([hidden])"), problem);
        await isInvalid(side, "true");
        await hasCount(page.locator("[aria-invalid=true]"), 1);
      }
      await input(side).fill("200");
      await checkout.priced();
    }
    // The shop reads what it writes.
    // settled: the price is there.
    await input("receive").fill(await input("receive").inputValue());
    await checkout.priced();
    await isInvalid("receive", "false");
  });
}

shop.test("typed amounts follow the chosen language", { locale: "es-ES" }, async (checkout, page) => {
  await checkout.sendAmount("1234,5");
  for (const [language, pattern] of [["en", "^1,234\\.50$"], ["es", "^1\\.?234,50$"]]) {
    await page.locator(`[data-language=${language}]`).click();
    const isRewritten = (source) => new RegExp(source).test(document.querySelector("[data-side=send] input").value);
    await page.waitForFunction(isRewritten, pattern);
    await checkout.priced();
  }
  await checkout.goOn("recipient");
});

shop.test("Back does not lead past an invalid amount", async (checkout, page) => {
  const amount = page.locator("[data-side=send] input");
  await checkout.toReview();
  await checkout.button("review.change.country").click();
  await checkout.step("amount");
  await amount.fill("abc");
  await page.goBack();
  await checkout.hasState("amount");
  await checkout.staysAt("amount");
  await hasValue(amount, "abc");
  await checkout.sendAmount("300");
  await checkout.goOn("recipient");
  await page.goBack();
  await checkout.step("amount");
});

shop.test("a price that changes with the card is explained", SPANISH, async (checkout, page) => {
  await checkout.toCardReview();
  const notice = page.locator(".panel .notice.info");
  await notice.waitFor();
  const { text } = checkout;
  await shows(notice.locator(".notice-title"), text("review.price.lower"));
  const reason = `${text("review.cause.account")} ${text("review.notyet")}`;
  await contains(notice, reason);
  await assertSound(page);
  const total = notice.locator(".change strong");
  await shows(total, /USD$/);
  await page.locator("[data-language=en]").click();
  await shows(total, /^\$/);
});

shop.test("a price counts down, is renewed, and is then used to send", PHONE, async (checkout, page) => {
  await shows(timer(page), /^1[45]:\d\d$/);
  await checkout.toReview();
  const quotes = [];
  await changeReplies(page, QUOTE, (quote) => {
    quotes.push(quote.quoteHistoryId);
    quote.receiveAmount.value += 1_234;
    return quote;
  });
  await page.clock.install();
  await page.clock.fastForward("14:50");
  await timer(page).filter({ hasText: /^00:(0|1)\d$/ }).waitFor();
  await page.clock.fastForward("00:30");
  const notice = page.locator(".panel .notice.success");
  await passTimeUntil(page, () => notice.count(), { pauseMs: 50 });
  await page.clock.resume();
  const { text } = checkout;
  await shows(notice.locator(".notice-title"), text("review.price.more"));
  const reason = `${text("review.cause.ended")} ${text("review.notyet")}`;
  await contains(notice, reason);
  assert.equal(quotes.length, 1);
  await checkout.send();
  await checkout.outcome();
  assert.equal(JSON.parse(transferPosts(page)[0].body).quoteHistoryId, quotes[0]);
});

for (const [what, minutes] of [["ahead", 20], ["behind", -20]]) {
  shop.pageTest(`a price's remaining time is right on a clock that is ${what}`, async (page) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 });
    await page.clock.resume();
    await page.goto(shop.shopUrl);
    await timer(page).filter({ hasText: /^1[45]:\d\d$/ }).waitFor();
    // It arrives thirty minutes from now by the service's time.
    // settled: the remaining time is shown with the rest of the price.
    const arrives = await page.locator(".line dd.sentence").innerText();
    const [, minute] = /^Today, \d+:(\d\d) PM GMT/.exec(plain(arrives)).map(Number);
    const away = (minute - new Date().getUTCMinutes() + 60) % 60;
    assert.ok(Math.abs(away - 30) < 3, `${arrives} is ${away} minutes away`);
  });
}

shop.pageTest("a price that holds for more than an hour shows the hours", async (page) => {
  await setLifetimes(shop.baseUrl, { quoteSeconds: 7_200 });
  await page.goto(shop.shopUrl);
  await timer(page).filter({ hasText: /^01:59:\d\d$/ }).waitFor();
});

// <remit-amount> on a page under a strict policy in each engine, with a scripted kit.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngine } from "../forge/engines.mjs";
import { pageOf, serveFolder } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const SCRIPT = `
import { failure } from "/errors/errors.js";
import { defineRemitAmount } from "/fields.js";
const [USD, MXN, EUR] = ["USD", "MXN", "EUR"].map((iso3Code) => ({ iso3Code, decimalPlaces: 2 }));
const JPY = { iso3Code: "JPY", decimalPlaces: 0 };
const corridorOf = (transferMethod, sourceCurrency = [USD], destinationCurrency = [MXN]) => ({
  destinationCountry: { iso3Code: "MEX" }, sourceCurrency, destinationCurrency, transferMethod,
});
window.several = [corridorOf("PUSH_TO_CARD"), corridorOf("BANK_ACCOUNT", [USD, EUR]), corridorOf("BANK_ACCOUNT", [EUR], [JPY])];
const corridors = ["BANK_ACCOUNT", "PUSH_TO_CARD", "CASH_PICKUP"].map((method) => corridorOf(method));
corridors.push(corridorOf("MOBILE_WALLET", [EUR]));
window.fromYen = corridorOf("BANK_ACCOUNT", [USD, JPY]);
const FEES = { BANK_ACCOUNT: 399, PUSH_TO_CARD: 499, CASH_PICKUP: 599 };
window.page = { asked: [], heard: [], troubles: [], lives: 300_000, other: 0, waits: 0, dearer: 0, looksUp: 0 };
addEventListener("securitypolicyviolation", ({ violatedDirective }) => page.troubles.push(violatedDirective));
addEventListener("unhandledrejection", (event) => page.troubles.push(String(event.reason)));
addEventListener("error", ({ message }) => page.troubles.push(message));
const kit = {
  async corridors({ dstCountryIso3Code }) {
    await new Promise((resolve) => setTimeout(resolve, page.looksUp));
    if (dstCountryIso3Code !== "JPN") return corridors;
    return [{ ...corridorOf("BANK_ACCOUNT", [USD], [JPY]), destinationCountry: { iso3Code: "JPN" } }];
  },
  async quote(request, { signal }) {
    const fee = FEES[request.transferMethod];
    page.asked.push([request.quoteBy, request.amount, request.transferMethod]);
    const { waits, lives, other } = page;
    await new Promise((resolve) => setTimeout(resolve, waits));
    signal.throwIfAborted();
    if (request.transferMethod === page.fails) throw failure("NetworkFailure", "It is down.");
    if (request.transferMethod === "CASH_PICKUP" && request.quoteBy === "RECEIVE_AMOUNT") {
      throw failure("QuoteByReceiveNotSupported", "Only by what is sent.");
    }
    const isSend = request.quoteBy === "SEND_AMOUNT";
    const [source, destination] = ["src", "dst"].map((end) => {
      return [USD, MXN, EUR, JPY].find(({ iso3Code }) => iso3Code === request[end + "CurrencyIso3Code"]);
    });
    const send = (isSend ? request.amount : Math.round(request.amount / 20)) + other;
    return {
      quoteHistoryId: "q" + page.asked.length,
      sendAmount: { value: send, currency: source },
      receiveAmount: { value: isSend ? request.amount * 20 : request.amount, currency: destination },
      totalCost: { value: send + fee + page.dearer, currency: source },
      adjustments: [{ label: "Transfer fee", amount: { value: fee, currency: USD } }],
      rate: 20,
      deliverySLA: { id: "SOON", name: request.transferMethod === "BANK_ACCOUNT" ? "Within minutes" : "At once" },
      expirationDate: new Date(Date.now() + lives).toISOString(),
    };
  },
};
const element = document.querySelector("remit-amount");
element.addEventListener("quote", ({ detail }) => (page.difference = detail.difference && { ...detail.difference }));
for (const type of ["quote", "expired", "error", "methodchange", "pricechanged"]) element.addEventListener(type, () => page.heard.push(type));
element.remit = Promise.resolve(kit);
window.amount = element;
const root = () => element.shadowRoot ?? element;
const part = (name) => root().querySelector("[part~=" + name + "]");
window.inputs = () => [...root().querySelectorAll("[part~=input]")];
const radios = () => [...root().querySelectorAll("[type=radio]")];
window.selects = () => [...root().querySelectorAll("select")].map(({ value, options, ariaLabel }) => {
  return [ariaLabel, value, [...options].map(({ text }) => text).join()];
});
window.select = (at, code) => {
  const select = root().querySelectorAll("select")[at];
  select.value = code;
  select.dispatchEvent(new Event("change", { bubbles: true }));
};
window.methods = () => radios().map(({ value, checked, labels }) => [value, checked, labels[0].textContent]);
window.choose = (method) => radios().find(({ value }) => value === method).click();
window.typed = (at, text) => {
  const input = inputs()[at];
  input.focus();
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
};
window.state = () => ({
  shown: inputs().map(({ value }) => value),
  value: element.value,
  sent: new FormData(element.form).get("quote"),
  isValid: element.form.checkValidity(),
  problem: [...root().querySelectorAll("[part=problem]")].map(({ hidden, textContent }) => (hidden ? "" : textContent)).join(""),
});
window.visibilityOf = (name) => getComputedStyle(part(name)).visibility;
window.text = (name) => part(name)?.textContent;
window.shownAt = (name) => part(name) !== null && !part(name).hidden && part(name).checkVisibility();
Object.assign(window, { defineRemitAmount });
defineRemitAmount();`;

const BODY = `<form><remit-amount name="quote" country="MEX" send="USD" receive="MXN" amount="200" required>
  </remit-amount><button>Next</button></form>`;
/** What a page has in the element, with `shadow="none"`. */
const OWN = '<b slot="summary">Its own price</b><i slot="below">Terms</i></remit-amount>';
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const page = pageOf("", BODY).replace('<script type="module">', '<script type="module" src="/shop.js">');
const url = await serveFolder(
  join(await shop(), "node_modules/remitkit"),
  { "/": page, "/light": page.replace("<remit-amount ", '<remit-amount shadow="none" ').replace("</remit-amount>", OWN), "/shop.js": SCRIPT },
  { "content-security-policy": POLICY },
);
// Where a script of the element does not arrive.
const broken = await serveFolder(
  join(await shop(), "node_modules/remitkit"),
  { "/": page, "/shop.js": SCRIPT, "/fields/amount/amount-price.js": "throw new Error('It is cut off.');" },
  { "content-security-policy": POLICY },
);
const PROGRAMS = {
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
};

const element = 'document.querySelector("remit-amount")';

/** Declares a test in each engine, on a page of its own. */
function inEachEngine(what, work, { path = "", isReady = `${element}.value === "q1"` } = {}) {
  for (const [engine, program] of Object.entries(PROGRAMS)) {
    const skip = program ? false : `${engine} is not there`;
    test(`in ${engine} ${what}`, { skip, timeout: 240_000 }, async () => {
      drivers[engine] ??= startEngine(engine, program);
      const driver = await drivers[engine];
      const does = (work) => driver.evaluate(`() => ${work}`);
      const until = async (condition) => {
        for (let tries = 0; tries < 500; tries += 1, await sleep(20)) {
          if (await does(`Boolean(${condition})`)) return;
        }
        assert.fail(`never: ${condition}; ${JSON.stringify(await does("[state(), page]"))}`);
      };
      await driver.open(new URL(path, url).href);
      await until(`globalThis.page && ${isReady}`);
      await work({ does, until });
    });
  }
}
const drivers = {};
after(() => Promise.all(Object.values(drivers).map(async (driver) => (await driver).stop())));

inEachEngine("both sides can be typed, and only a current price is sent", async ({ does, until }) => {
  const none = { value: "", sent: null, isValid: false };
  const first = { shown: ["200.00", "4,000.00"], value: "q1", sent: "q1", isValid: true, problem: "" };
  assert.deepEqual(await does("state()"), first);
  assert.match(await does('text("summary")'), /Transfer fee\$3\.99Total to pay\$203\.99.*Within minutes/);
  assert.match(await does('text("status")'), /You send \$200\.00 and pay \$203\.99 in total\./);
  assert.match(await does('text("timer")'), /valid for 0[45]:\d\d/);

  // As WebKit empties inputs when it shows a page again: what is sent is also seen.
  await does(`(() => {
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    inputs().forEach((input) => (input.value = ""));
  })()`);
  await until('inputs()[0].value !== ""');
  assert.deepEqual(await does("state()"), first);

  // The other side, and what is being typed, which no price is for.
  const typed = await does('(page.waits = 50, typed(1, "1,000"), state())');
  assert.deepEqual(typed, { ...none, shown: ["200.00", "1,000"], problem: "" });
  await until(`${element}.value === "q2"`);
  assert.deepEqual(await does("state().shown"), ["50.00", "1,000"]);
  assert.deepEqual(await does(`${element}.request.amount`), 100_000);
  await does('typed(0, "12x")');
  assert.deepEqual(await does("state()"), { ...none, shown: ["12x", ""], problem: "Use digits only, such as 1,250.00" });
  await does('(typed(0, "3"), typed(0, "30"), typed(0, "300"))');
  await until(`${element}.value !== ""`);
  const method = "BANK_ACCOUNT";
  const amounts = [["SEND_AMOUNT", 20_000, method], ["RECEIVE_AMOUNT", 100_000, method]];
  assert.deepEqual((await does("page.asked")).slice(0, 2), amounts);
  assert.deepEqual((await does("page.asked")).at(-1), ["SEND_AMOUNT", 30_000, method]);

  // An amount keeps its meaning in another language.
  await does('(typed(0, "5,550"), 0)');
  await until(`${element}.request?.amount === 555000`);
  await does(`(${element}.lang = "de", 0)`);
  await until('inputs()[0].value === "5.550,00"');
  assert.equal(await does(`${element}.request.amount`), 555_000);
  await does(`(${element}.lang = "en", 0)`);
  await until('inputs()[0].value === "5,550.00"');

  // Limits of what is sent hold for both sides.
  await does(`(${element}.limits = { min: 1000, max: 50000 }, 0)`);
  await until('state().problem === "Enter $500.00 or less: that is the most in one transfer."');
  await does('typed(1, "20,000")');
  await until('inputs()[0].value === "1,000.00"');
  await does(`(${element}.name = "quote", 0)`);
  assert.deepEqual(await does("[state().value, state().problem]"), ["", "Enter $500.00 or less: that is the most in one transfer."]);

  // A price for another amount than was asked for is none.
  await does('(page.other = 1, typed(0, "40"))');
  await until('inputs()[0].value === "40.01"');
  assert.deepEqual(await does("[state().isValid, state().value]"), [false, ""]);
  await sleep(1100);
  assert.deepEqual(await does(`[state().isValid, ${element}.request === undefined]`), [false, true], "later, too");

  // It ends, and a new one is fetched.
  await does('(page.other = 0, page.lives = 2500, typed(0, "41"))');
  await until('page.heard.includes("expired")');
  assert.deepEqual(await does("[state().value, text('timer')]"), ["", "This price has expired."]);
  await does(`(page.lives = 300000, ${element}.shadowRoot.querySelector("[part=refresh]").click())`);
  await until(`${element}.value !== ""`);
  await does(`(${element}.form.reset(), 0)`);
  await until('inputs()[1].value === "4,000.00"');
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("methods are compared by what they cost and when they arrive", async ({ does, until }) => {
  assert.deepEqual(await does("methods()"), [], "nobody asked for it");
  await does(`(${element}.compare = true, 0)`);
  const isPriced = 'methods().length === 3 && methods().every(([, , text]) => text.includes("Fee"))';
  await until(isPriced);
  assert.deepEqual(await does("methods()"), [
    ["BANK_ACCOUNT", true, "Bank account To the recipient's account They receive 4,000.00\u00a0MXN Fee $3.99 Within minutes "],
    ["PUSH_TO_CARD", false, "Debit card To the recipient's card They receive 4,000.00\u00a0MXN Fee $4.99 At once "],
    ["CASH_PICKUP", false, "Cash pickup Collected at a counter They receive 4,000.00\u00a0MXN Fee $5.99 At once "],
  ]);

  // Another method has another price.
  await does('(choose("PUSH_TO_CARD"), 0)');
  assert.equal(await does(`${element}.method`), "PUSH_TO_CARD");
  await until(`${element}.request?.transferMethod === "PUSH_TO_CARD"`);
  assert.match(await does('text("summary")'), /\$4\.99.*\$204\.99/);
  assert.deepEqual(await does('page.heard.filter((type) => type === "methodchange")'), ["methodchange"]);

  // What takes no amount to receive is compared all the same, and says so once it is chosen.
  await does('typed(1, "1,000")');
  await until(`${element}.request?.quoteBy === "RECEIVE_AMOUNT" && methods()[2][2].includes("1,000.00\u00a0MXN")`);
  await does('(choose("CASH_PICKUP"), 0)');
  await until('state().problem !== ""');
  assert.deepEqual(await does("[state().value, inputs()[1].readOnly]"), ["", true]);
  await does('typed(0, "70")');
  await until(`${element}.request?.transferMethod === "CASH_PICKUP"`);
  assert.equal(await does("inputs()[1].readOnly"), true);

  // One that has no price can be chosen too, and says why.
  await does('(page.fails = "BANK_ACCOUNT", typed(0, "80"))');
  await until('methods()[0][2].includes("cannot be reached")');
  await until('methods()[1][2].includes("1,600.00\u00a0MXN")');
  // Once it has left the page, it does not even ask for those that were on their way.
  await does('(page.waits = 800, typed(0, "90"))');
  await until(`${element}.request?.amount === 9000`);
  await does("(amount.remove(), page.asked = [], 0)");
  await does("(amount.check(), 0)");
  await sleep(400);
  assert.deepEqual(await does("page.asked"), []);
  await does('(page.waits = 0, document.querySelector("form").append(amount), typed(0, "80"))');
  await does(`(${element}.lang = "es-MX", 0)`);
  await until('methods()[2][2].startsWith("Efectivo Para recoger en sucursal El destinatario recibe $1,600.00\u00a0MXN Comisión $5.99\u00a0USD At once")');
  await does(`(${element}.compare = false, 0)`);
  await until('document.querySelector("remit-amount").shadowRoot.querySelector("[part=methods]").hidden');
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("customers choose the currency of each side", async ({ does, until }) => {
  assert.deepEqual(await does("selects()"), [], "a page fixes them");
  await does(`Object.assign(${element}, { corridor: several, method: "BANK_ACCOUNT", currencies: true }) && 0`);
  const asked = `[${element}.request?.srcCurrencyIso3Code, ${element}.request?.dstCurrencyIso3Code]`;
  await until("selects().length === 2");
  const labels = ["Currency you send", "Currency they receive"];
  assert.deepEqual(await does("selects()"), [[labels[0], "USD", "USD,EUR"], [labels[1], "MXN", "MXN,JPY"]]);
  await does('select(0, "EUR")');
  await until(`${element}.request?.srcCurrencyIso3Code === "EUR"`);
  assert.deepEqual(await does(`[${element}.send, inputs()[0].value, inputs()[0].inputMode]`), ["EUR", "200.00", "decimal"]);
  assert.match(await does('text("total")'), /€203\.99$/);

  // An amount to receive means nothing in another currency. Only euros are paid out in yen.
  await does('typed(1, "4,000")');
  await until(`${element}.request?.quoteBy === "RECEIVE_AMOUNT" && inputs()[0].value === "200.00"`);
  const isPriceless = await does(`(inputs()[0].focus(), select(1, "JPY"), ${element}.request === undefined)`);
  assert.equal(isPriceless, true, "the old price does not hold");
  await until(`${element}.request?.dstCurrencyIso3Code === "JPY"`);
  assert.deepEqual(await does(`[${element}.quoteBy, ...${asked}]`), ["SEND_AMOUNT", "EUR", "JPY"]);
  assert.deepEqual(await does("[selects().length, inputs()[1].inputMode, inputs()[1].value]"), [1, "numeric", "400,000"]);
  await does(`(${element}.compare = true, 0)`);
  await until("methods().length === 2");
  assert.equal(await does("methods()[0][2].trim()"), "Debit card To the recipient's card", "another currency is another amount");
  await does('(choose("PUSH_TO_CARD"), 0)');
  await until(`${element}.request?.transferMethod === "PUSH_TO_CARD"`);
  assert.deepEqual(await does(asked), ["USD", "MXN"]);
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("amounts are taken as people type them, and a problem says how to correct it", async ({ does, until }) => {
  for (const [typed, amount] of [["$300", 30_000], ["US$ 1,250.5", 125_050], ["41 usd", 4100], [".5", 50], ["42.", 4200], ["1 234", 123_400]]) {
    await does(`typed(0, ${JSON.stringify(typed)})`);
    await until(`${element}.request?.amount === ${amount}`);
    assert.equal(await does("inputs()[0].value"), typed, "what is being typed stays");
  }
  const refused = {
    "1.250,5": "Use a point for decimals: 1,250.5",
    "1.500": "Did you mean 1,500? USD has at most 2 decimals.",
    "1.2345": "USD has at most 2 decimals.",
    "0.001": "USD has at most 2 decimals.",
    "12 50": "Use digits only, such as 1,250.00",
    "3oo": "Use digits only, such as 1,250.00",
    "€300": "Use digits only, such as 1,250.00",
    "CA$300": "Use digits only, such as 1,250.00",
    0: "Enter an amount.",
  };
  for (const [typed, problem] of Object.entries(refused)) {
    await does(`typed(0, "${typed}")`);
    assert.deepEqual(await does("[state().problem, state().isValid, state().value]"), [problem, false, ""], typed);
  }
  // Nothing typed is no mistake until the customer wants to go on.
  await does('typed(0, "")');
  assert.equal(await does('shownAt("problem")'), false);
  assert.equal(await does(`${element}.check()`), false);
  assert.deepEqual(await does('[text("problem"), inputs()[0].getAttribute("aria-invalid")]'), ["Enter an amount.", "true"]);
  await does(`Object.assign(${element}, { lang: "es-ES", limits: (method, code) => ({ min: 100, max: code === "USD" ? 5000 : 1 }) }) && 0`);
  await until('text("hint") === "De 1,00\u00a0$\u00a0USD a 50,00\u00a0$\u00a0USD por envío." || state().problem === "Falta la cantidad."');
  await does('typed(0, "1,250.5")');
  assert.equal(await does("state().problem"), "Los decimales van con coma: 1.250,5");
  await does('typed(0, "50,01")');
  assert.equal((await does("state().problem")).replace(/\s/g, " "), "El máximo por envío es 50,00 $ USD.");
  await does('typed(0, "50")');
  await until(`${element}.request?.amount === 5000`);
  assert.deepEqual(await does('[shownAt("hint"), shownAt("problem")]'), [true, false]);
});

inEachEngine("a page hears when the price changes, and by how much", async ({ does, until }) => {
  assert.deepEqual(await does("page.heard.at(-1)"), "quote");
  const refresh = `(Object.assign(page, { dearer: 25, heard: [] }), ${element}.refresh())`;
  assert.deepEqual(await does(`[${refresh}, ${element}.isLoading, [...page.heard]].slice(1)`), [true, ["pricechanged"]]);
  await until("page.difference");
  assert.deepEqual(await does("Object.values(page.difference).map(String)"), ["0", "25", "0"]);
  assert.deepEqual(await does("page.heard"), ["pricechanged", "pricechanged", "quote"]);
  // Another amount has another price.
  await does('typed(0, "50")');
  await until("page.difference === undefined");

  // A failure is told with its reason, and tried again by whom the page lets it.
  await does('(page.fails = "BANK_ACCOUNT", typed(0, "60"))');
  await until('page.heard.includes("error")');
  assert.deepEqual(await does(`[${element}.error.code, ${element}.quote === undefined, state().value]`), ["NetworkFailure", true, ""]);
  assert.equal(await does("state().problem"), await does(`${element}.error.userMessage`));
  assert.equal(await does("inputs()[1].value"), "", "no figure of an earlier price");
  assert.equal(await does("visibilityOf('summary')"), "hidden");
  await does(`(page.fails = undefined, ${element}.refreshExpired = true, 0)`);
  await does("(page.now = performance.now.bind(performance), performance.now = () => page.now() + 60000, 0)");
  await until(`${element}.request?.amount === 6000`);
  assert.equal(await does(`${element}.error === undefined`), true);
  assert.equal(await does("visibilityOf('summary')"), "visible");

  // What the service promises is worded by its id.
  await does(`(${element}.messages = { SOON: "in a moment" }, 0)`);
  await until('text("arrives") === "Arrivesin a moment"');
});

inEachEngine("a page's own tree has the amounts, and its own price in their place", async ({ does, until }) => {
  assert.deepEqual(await does(`[${element}.shadowRoot, text("summary"), text("timer")].map((one) => one ?? "none")`), Array(3).fill("none"));
  assert.deepEqual(await does('[...document.querySelectorAll("slot")].map((slot) => slot.textContent)'), ["Its own price", "Terms"]);
  assert.deepEqual(await does(`[...new FormData(${element}.form)].map(String)`), ["quote,q1"]);
  await does('(page.fails = "BANK_ACCOUNT", typed(0, "60"))');
  await until(`${element}.error?.code === "NetworkFailure"`);
  assert.deepEqual(await does("[state().problem, state().isValid]"), ["", false], "the page shows why there is no price");
  await does('(page.fails = undefined, typed(0, "6x"))');
  assert.equal(await does("state().problem"), "Use digits only, such as 1,250.00");
  await does('(amount.remove(), document.querySelector("form").append(amount), typed(0, "70"))');
  await until(`${element}.request?.amount === 7000`);
  assert.deepEqual(await does('[inputs().length, document.querySelectorAll("slot").length]'), [2, 2]);
  assert.deepEqual(await does("page.troubles"), []);
}, { path: "light" });

inEachEngine("a page starts with either side, and a broken restored state changes nothing", async ({ does, until }) => {
  await does(`Object.assign(${element}, { quoteBy: "RECEIVE_AMOUNT", amount: "900" }) && 0`);
  await until(`${element}.request?.quoteBy === "RECEIVE_AMOUNT"`);
  assert.deepEqual(await does(`[${element}.request.amount, ...inputs().map(({ value }) => value)]`), [90_000, "45.00", "900.00"]);
  const broken = ["", "[", "null", "{}", "5", '["send","7"]'];
  broken.push('{"side":"toString","text":"7"}', '{"side":"send","text":7}', '{"side":"send"}');
  for (const state of broken) {
    await does(`${element}.formStateRestoreCallback(${JSON.stringify(state)})`);
  }
  assert.deepEqual(await does(`[${element}.quoteBy, ...inputs().map(({ value }) => value)]`), ["RECEIVE_AMOUNT", "45.00", "900.00"]);
  // Under a debugger, WebKit runs microtasks late, and the element shows the time left meanwhile.
  await does(`(() => {
    const { queueMicrotask } = window;
    page.late = [];
    window.queueMicrotask = (work) => page.late.push(work);
    ${element}.formStateRestoreCallback('{"side":"send","text":"7"}');
    window.queueMicrotask = queueMicrotask;
  })()`);
  await until(`${element}.request === undefined`);
  assert.deepEqual(await does("[state().isValid, inputs()[0].value]"), [false, "7"]);
  await does("page.late.forEach((work) => work())");
  await until(`${element}.request?.amount === 700`);
  // Where only an amount to send is taken, trying again goes by it.
  await does(`(${element}.method = "CASH_PICKUP", 0)`);
  await until(`${element}.request?.transferMethod === "CASH_PICKUP"`);
  await does('typed(1, "500")');
  await until('text("refresh") === "Enter the amount to send"');
  await does(`${element}.refresh()`);
  await until(`${element}.request?.amount === 700`);
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("an amount is never taken to be in a currency in which it was not typed", async ({ does, until }) => {
  await does('typed(1, "4,000")');
  await until(`${element}.request?.quoteBy === "RECEIVE_AMOUNT"`);
  await does(`(Object.assign(page, { asked: [], looksUp: 300 }), Object.assign(${element}, { country: "JPN", receive: null }), 0)`);
  await until(`${element}.request?.dstCurrencyIso3Code === "JPY"`);
  assert.deepEqual(await does("page.asked"), [["SEND_AMOUNT", 20_000, "BANK_ACCOUNT"]]);

  // Nor has it decimals that only the other currency has.
  await does(`Object.assign(${element}, { country: "MEX", corridor: fromYen, currencies: true, send: "USD" }) && 0`);
  await until("selects().length === 1");
  await until(`${element}.request?.dstCurrencyIso3Code === "MXN" && inputs()[0].value === "200.00"`);
  await does('(inputs()[1].focus(), select(0, "JPY"))');
  await until(`${element}.request?.srcCurrencyIso3Code === "JPY"`);
  assert.deepEqual(await does(`[${element}.request.amount, inputs()[0].value, state().problem]`), [200, "200", ""]);
  await does('(select(0, "USD"), typed(0, "200.5"))');
  await until(`${element}.request?.amount === 20050`);
  await does('select(0, "JPY")');
  assert.deepEqual(await does("[inputs()[0].value, state().problem, state().value]"), ["200.5", "JPY has no decimals.", ""]);
  await does('typed(0, "1,2")');
  assert.equal(await does("state().problem"), "JPY has no decimals.", "with whichever sign");

  // Who may no longer choose a currency sees the only one.
  await does(`(${element}.currencies = false, 0)`);
  await until("selects().length === 0");
  assert.equal(await does('text("currency")'), "JPY");
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("what is shown is what is sent, also if a script writes into the page", async ({ does, until }) => {
  // Also what the page has just set.
  assert.deepEqual(await does(`(${element}.amount = "50", [${element}.check(), ${element}.value, inputs()[0].value])`), [false, "", "50"]);
  await until(`${element}.request?.amount === 5000`);
  await does(`(${element}.amount = "200", 0)`);
  await until(`${element}.request?.amount === 20000`);
  // As autofill does that says nothing.
  await does('(inputs()[0].value = "999", 0)');
  await until(`${element}.request?.amount === 99900`);
  assert.deepEqual(await does(`[parseFloat(inputs()[0].value), ${element}.value === "q" + page.asked.length]`), [999, true]);

  // Nothing is sent before there can be a price.
  await does(`(() => {
    window.late = document.createElement("remit-amount");
    Object.assign(late, { country: "MEX", amount: "200", name: "late" });
    amount.form.append(late);
  })()`);
  assert.deepEqual(await does("[late.checkValidity(), late.value, late.check()]"), [false, "", false]);
  await does("(late.amount = null, 0)");
  assert.equal(await does("late.checkValidity()"), true, "it may stay empty");
  await does("(late.required = true, 0)");
  assert.equal(await does("late.checkValidity()"), false);
  // Nor does one that has left the page ask for a price.
  await does('(late.amount = "55", late.remit = new Promise((resolve) => (window.arrive = resolve)), 0)');
  await until('late.shadowRoot.querySelector("label").textContent === "You send"');
  await does("(page.asked = [], late.remove(), 0)");
  await does("(arrive(amount.remit), 0)");
  await sleep(500);
  assert.deepEqual(await does("[page.asked, page.troubles]"), [[], []]);
});

inEachEngine("nobody sends at a price that cannot be shown", async ({ does, until }) => {
  assert.equal(await does("state().problem"), await does(`${element}.error.userMessage`));
  await does('typed(0, "40")');
  await sleep(500);
  assert.deepEqual(await does("[state().isValid, state().value, page.asked]"), [false, "", []]);
}, { path: broken, isReady: 'page.heard.includes("error")' });

inEachEngine("a remit that is no kit is named", async ({ does, until }) => {
  for (const remit of ["{}", "Promise.reject(new Error('Not this way.'))"]) {
    await does(`(${element}.remit = ${remit}, 0)`);
    await until(`${element}.error`);
    assert.deepEqual(await does(`[${element}.error.code, ${element}.error.option]`), ["InvalidConfiguration", "remit"]);
  }
});

inEachEngine("a property that has no text is no TypeError", async ({ does, until }) => {
  await does(`(${element}.debounceMs = Symbol(), ${element}.messages = { group: Symbol() }, typed(0, "300"), 0)`);
  await until(`${element}.request?.amount === 30000`);
  await does(`(${element}.country = Symbol(), 0)`);
  await until(`${element}.error`);
  assert.deepEqual(await does(`[${element}.error.code, ${element}.error.option]`), ["InvalidRequest", "country"]);
  await does(`(${element}.corridor = Symbol(), page.heard = [], 0)`);
  await until('page.heard.includes("error")');
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("no price holds without readable limits, nor without a corridor", async ({ does, until }) => {
  const limits = ["{ min: 10.5 }", "{ min: Symbol() }", '{ max: "1,000" }', "5", "async () => ({})", '() => { throw new Error("Not yet."); }'];
  for (const [row, own] of limits.entries()) {
    await does(`(${element}.limits = ${own}, typed(0, "30${row}"), page.heard = [], 0)`);
    await until(`${element}.error`);
    assert.deepEqual(await does(`[${element}.error.code, ${element}.error.option]`), ["InvalidRequest", "limits"], own);
    const { isValid, value, sent, problem } = await does("state()");
    const found = [isValid, value, sent, problem];
    assert.deepEqual(found, [false, "", null, await does(`${element}.error.userMessage`)], own);
    assert.equal(await does(`${element}.check()`), false);
    // What is received is limited by what is sent for it.
    await does(`(typed(1, "6,00${row}"), 0)`);
    await sleep(400);
    assert.deepEqual(await does(`[${element}.value, ${element}.error.option]`), ["", "limits"], own);
    await does(`(${element}.limits = { min: null }, 0)`);
    await until(`${element}.value`);
    assert.equal(await does(`${element}.error === undefined`), true);
  }
  await does(`(${element}.limits = () => page.limits.now, 0)`);
  await until(`${element}.error`);
  await does(`(page.limits = { now: {} }, ${element}.refresh(), 0)`);
  await until(`${element}.value`);

  for (const own of ["Promise.resolve(several)", '"MEX"', "[null]", "() => several", "{ ...fromYen, sourceCurrency: {} }"]) {
    await does(`(${element}.corridor = ${own}, 0)`);
    await until(`${element}.error`);
    assert.deepEqual(await does(`[${element}.error.code, ${element}.error.option]`), ["InvalidRequest", "corridor"], own);
    assert.deepEqual(await does("[state().isValid, state().value]"), [false, ""], own);
    await does(`(${element}.corridor = null, 0)`);
    await until(`${element}.value`);
  }
  await does(`(${element}.corridor = 0, ${element}.lang = "de", 0)`);
  await until(`${element}.value`);

  const noCorridor = [
    ["en", "Sending to this country in this currency is not available this way."],
    ["es-MX", "No se puede enviar así a este país en esta moneda."],
  ];
  for (const [lang, userMessage] of noCorridor) {
    await does(`((document.documentElement.lang = "${lang}"), (${element}.method = "CARRIER_PIGEON"), 0)`);
    await until(`${element}.error`);
    const error = await does(`(({ code, kind, resolution, userMessage }) => ({ code, kind, resolution, userMessage }))(${element}.error)`);
    assert.deepEqual(error, {
      code: "NoCorridorFoundForSpecificValues", kind: "quote", resolution: "choose_another_corridor", userMessage,
    });
    await does(`(${element}.method = "BANK_ACCOUNT", 0)`);
    await until(`${element}.value`);
  }
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("what a browser keeps of an amount is its currency and method, too", async ({ does, until }) => {
  await does(`Object.assign(${element}, { corridor: several, compare: true, currencies: true }) && 0`);
  await until("methods().length === 2");
  await does('choose("BANK_ACCOUNT")');
  await until("selects().length === 2");
  await does(`(() => {
    // As Prototype.js writes lists.
    Object.defineProperty(Array.prototype, "toJSON", { configurable: true, value: () => "[]" });
    const { setFormValue } = ElementInternals.prototype;
    ElementInternals.prototype.setFormValue = function (...given) {
      page.kept = given[1];
      return setFormValue.apply(this, given);
    };
    select(0, "EUR");
  })()`);
  await until(`${element}.request?.srcCurrencyIso3Code === "EUR"`);
  await does('typed(0, "500")');
  await until(`${element}.request?.amount === 50000`);
  await does(`(() => {
    page.state = page.kept;
    delete Array.prototype.toJSON;
    window.again = (more) => {
      const next = document.createElement("remit-amount");
      Object.assign(next, { country: "MEX", send: "USD", amount: "200", remit: amount.remit, ...more });
      document.querySelector("remit-amount").replaceWith(next);
      next.formStateRestoreCallback(page.state);
    };
    again({ corridor: several, compare: true, currencies: true });
  })()`);
  const request = `(({ amount, srcCurrencyIso3Code, transferMethod } = {}) => [amount, srcCurrencyIso3Code, transferMethod])(${element}.request)`;
  await until(`${element}.request`);
  assert.deepEqual(await does(request), [50_000, "EUR", "BANK_ACCOUNT"]);
  // What is typed afterwards goes by what is chosen then.
  await does(`((${element}.shadowRoot.querySelector("select").value = "USD"), 0)`);
  await until(`${element}.request?.srcCurrencyIso3Code === "USD"`);
  assert.deepEqual(await does(request), [50_000, "USD", "BANK_ACCOUNT"]);
  // In another currency than it was typed in, it would be another amount.
  for (const more of ["method: 'BANK_ACCOUNT'", "corridor: [several[0]], compare: true, currencies: true"]) {
    await does(`again({ ${more} })`);
    await until(`${element}.request`);
    assert.deepEqual((await does(request)).slice(0, 2), [20_000, "USD"], more);
  }
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("a price that replaces the chosen method's replaces those of the others, and none stays that has expired", async ({ does, until }) => {
  await does(`(${element}.compare = true, 0)`);
  await until('methods().length === 3 && methods().every(([, , text]) => text.includes("Fee"))');
  await does(`(page.dearer = 25, ${element}.refresh())`);
  await until('methods().map(([, , text]) => /Fee (.{5})/.exec(text)[1]).join() === "$4.24,$5.24,$6.24"');
  // Another method that is chosen has its own: the others' prices hold.
  await does("(page.asked = [], choose('PUSH_TO_CARD'))");
  await until(`${element}.request?.transferMethod === "PUSH_TO_CARD" && page.asked.length === 2`);
  await sleep(400);
  assert.deepEqual((await does("page.asked")).map(([, , method]) => method).sort(), ["BANK_ACCOUNT", "PUSH_TO_CARD"]);
  // Those of the others do not last.
  await does(`(${element}.addEventListener("quote", () => (page.lives = 200), { once: true }), ${element}.refresh())`);
  const seen = '[...amount.shadowRoot.querySelectorAll("[part=detail]")].map((one) => getComputedStyle(one).visibility)';
  await until(`${seen}.join() === "hidden,visible,hidden"`);
  assert.equal(await does("state().isValid"), true);
  assert.deepEqual(await does("page.troubles"), []);
});

inEachEngine("what has left the page asks for no other price", async ({ does }) => {
  await does("(amount.remove(), 0)");
  await does("(page.asked = [], amount.refresh(), 0)");
  await sleep(400);
  assert.deepEqual(await does("[page.asked, page.troubles]"), [[], []]);
});

inEachEngine("what a framework sets as a property that can only be read changes nothing", async ({ does, until }) => {
  await does(`(${element}.value = "", 0)`);
  assert.equal(await does(`${element}.value`), "q1");
  // Before it is defined, such a property would hide the element's own.
  const atFirst = await does(`(() => {
    const early = document.createElement("early-amount");
    Object.assign(early, { value: "mine", request: {}, quoteBy: "SEND_AMOUNT", country: "MEX", amount: "200", remit: amount.remit });
    document.querySelector("remit-amount").replaceWith(early);
    defineRemitAmount("early-amount");
    return [early.value, early.request === undefined];
  })()`);
  assert.deepEqual(atFirst, ["", true]);
  const early = 'document.querySelector("early-amount")';
  await until(`${early}.value === "q2"`);
  assert.equal(await does(`${early}.request.quoteHistoryId`), "q2");
  assert.deepEqual(await does("page.troubles"), []);
});

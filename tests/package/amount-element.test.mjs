// <remit-amount> on a page under a strict policy in each engine, with a scripted kit.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngine } from "../forge/engines.mjs";
import { pageOf, serveFolder } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const SCRIPT = `
import { failure } from "/errors.js";
import { defineRemitAmount } from "/fields.js";
const [USD, MXN, EUR] = ["USD", "MXN", "EUR"].map((iso3Code) => ({ iso3Code, decimalPlaces: 2 }));
const corridorOf = (transferMethod, sourceCurrency = [USD]) => ({
  destinationCountry: { iso3Code: "MEX" }, sourceCurrency, destinationCurrency: [MXN], transferMethod,
});
const corridors = ["BANK_ACCOUNT", "PUSH_TO_CARD", "CASH_PICKUP"].map((method) => corridorOf(method));
corridors.push(corridorOf("MOBILE_WALLET", [EUR]));
const FEES = { BANK_ACCOUNT: 399, PUSH_TO_CARD: 499, CASH_PICKUP: 599 };
window.page = { asked: [], heard: [], troubles: [], lives: 300_000, other: 0, waits: 0 };
addEventListener("securitypolicyviolation", ({ violatedDirective }) => page.troubles.push(violatedDirective));
addEventListener("unhandledrejection", (event) => page.troubles.push(String(event.reason)));
const kit = {
  corridors: async ({ transferMethod }) =>
    corridors.filter((one) => transferMethod === undefined || one.transferMethod === transferMethod),
  async quote(request, { signal }) {
    const fee = FEES[request.transferMethod];
    page.asked.push([request.quoteBy, request.amount, request.transferMethod]);
    const { waits, lives, other } = page;
    await new Promise((resolve) => setTimeout(resolve, waits));
    signal.throwIfAborted();
    if (request.transferMethod === page.fails) throw failure("ServiceUnavailable", "It is down.");
    if (request.transferMethod === "CASH_PICKUP" && request.quoteBy === "RECEIVE_AMOUNT") {
      throw failure("QuoteByReceiveNotSupported", "Only by what is sent.");
    }
    const isSend = request.quoteBy === "SEND_AMOUNT";
    const send = (isSend ? request.amount : Math.round(request.amount / 20)) + other;
    return {
      quoteHistoryId: "q" + page.asked.length,
      sendAmount: { value: send, currency: USD },
      receiveAmount: { value: isSend ? request.amount * 20 : request.amount, currency: MXN },
      totalCost: { value: send + fee, currency: USD },
      adjustments: [{ label: "Transfer fee", amount: { value: fee, currency: USD } }],
      rate: 20,
      deliverySLA: { name: request.transferMethod === "BANK_ACCOUNT" ? "Within minutes" : "At once" },
      expirationDate: new Date(Date.now() + lives).toISOString(),
    };
  },
};
const element = document.querySelector("remit-amount");
for (const type of ["quote", "expired", "error", "methodchange"]) element.addEventListener(type, () => page.heard.push(type));
element.remit = Promise.resolve(kit);
const part = (name) => element.shadowRoot.querySelector("[part~=" + name + "]");
window.inputs = () => [...element.shadowRoot.querySelectorAll("[part~=input]")];
const radios = () => [...element.shadowRoot.querySelectorAll("[type=radio]")];
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
  problem: part("problem").hidden ? "" : part("problem").textContent,
});
window.text = (name) => part(name).textContent;
defineRemitAmount();`;

const BODY = `<form><remit-amount name="quote" country="MEX" send="USD" receive="MXN" amount="200" required>
  </remit-amount><button>Next</button></form>`;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const page = pageOf("", BODY).replace('<script type="module">', '<script type="module" src="/shop.js">');
const url = await serveFolder(
  join(await shop(), "node_modules/remitkit"),
  { "/": page, "/shop.js": SCRIPT },
  { "content-security-policy": POLICY },
);
const PROGRAMS = {
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
};

const element = 'document.querySelector("remit-amount")';

/** Declares a test in each engine, on a page of its own. */
function inEachEngine(what, work) {
  for (const [engine, program] of Object.entries(PROGRAMS)) {
    const skip = program ? false : `${engine} is not there`;
    test(`in ${engine} ${what}`, { skip, timeout: 120_000 }, async () => {
      drivers[engine] ??= startEngine(engine, program);
      const driver = await drivers[engine];
      const does = (work) => driver.evaluate(`() => ${work}`);
      const until = async (condition) => {
        for (let tries = 0; tries < 500; tries += 1, await sleep(20)) {
          if (await does(`Boolean(${condition})`)) return;
        }
        assert.fail(`never: ${condition}; ${JSON.stringify(await does("[state(), page]"))}`);
      };
      await driver.open(url);
      await until(`globalThis.page && ${element}.value === "q1"`);
      await work({ does, until });
    });
  }
}
const drivers = {};
after(async () => {
  for (const driver of Object.values(drivers)) await (await driver).stop();
});

inEachEngine("both sides can be typed, and only a current price is sent", async ({ does, until }) => {
  const none = { value: "", sent: null, isValid: false };
  const first = { shown: ["200.00", "4,000.00"], value: "q1", sent: "q1", isValid: true, problem: "" };
  assert.deepEqual(await does("state()"), first);
  assert.match(await does('text("summary")'), /Transfer fee\$3\.99Total to pay\$203\.99.*Within minutes/);
  assert.match(await does('text("status")'), /You send \$200\.00 and pay \$203\.99 in total\./);
  assert.match(await does('text("timer")'), /valid for (5:00|4:5\d)/);

  // The other side, and what is being typed, which no price is for.
  await does('(page.waits = 50, typed(1, "1,000"))');
  assert.deepEqual(await does("state()"), { ...none, shown: ["200.00", "1,000"], problem: "" });
  await until(`${element}.value === "q2"`);
  assert.deepEqual(await does("state().shown"), ["50.00", "1,000"]);
  assert.deepEqual(await does(`${element}.request.amount`), 100_000);
  await does('typed(0, "12x")');
  assert.deepEqual(await does("state()"), { ...none, shown: ["12x", "1,000"], problem: "Enter an amount, such as 125.00." });
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
  await until('state().problem === "Send at most $500.00."');
  await does('typed(1, "20,000")');
  await until('inputs()[0].value === "1,000.00"');
  await does(`(${element}.name = "quote", 0)`);
  assert.deepEqual(await does("[state().value, state().problem]"), ["", "Send at most $500.00."]);

  // A price for another amount than was asked for is none.
  await does('(page.other = 1, typed(0, "40"))');
  await until('inputs()[0].value === "40.01"');
  assert.deepEqual(await does("[state().isValid, state().value]"), [false, ""]);
  await sleep(1100);
  assert.deepEqual(await does(`[state().isValid, ${element}.request === undefined]`), [false, true], "later, too");

  // It ends, and a new one is fetched.
  await does('(page.other = 0, page.lives = 900, typed(0, "41"))');
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
    ["BANK_ACCOUNT", true, "Bank account They receive: MX$4,000.00 · Fee: $3.99 · Arrives: Within minutes"],
    ["PUSH_TO_CARD", false, "Debit card They receive: MX$4,000.00 · Fee: $4.99 · Arrives: At once"],
    ["CASH_PICKUP", false, "Cash pickup They receive: MX$4,000.00 · Fee: $5.99 · Arrives: At once"],
  ]);

  // Another method has another price.
  await does('(choose("PUSH_TO_CARD"), 0)');
  assert.equal(await does(`${element}.method`), "PUSH_TO_CARD");
  await until(`${element}.request?.transferMethod === "PUSH_TO_CARD"`);
  assert.match(await does('text("summary")'), /\$4\.99.*\$204\.99/);
  assert.deepEqual(await does('page.heard.filter((type) => type === "methodchange")'), ["methodchange"]);

  // What takes no amount to receive is compared all the same, and says so once it is chosen.
  await does('typed(1, "1,000")');
  await until(`${element}.request?.quoteBy === "RECEIVE_AMOUNT" && methods()[2][2].includes("MX$1,000.00")`);
  await does('(choose("CASH_PICKUP"), 0)');
  await until('state().problem !== ""');
  assert.deepEqual(await does("[state().value, inputs()[1].readOnly]"), ["", true]);
  await does('typed(0, "70")');
  await until(`${element}.request?.transferMethod === "CASH_PICKUP"`);
  assert.equal(await does("inputs()[1].readOnly"), true);

  // One that has no price can be chosen too, and says why.
  await does('(page.fails = "BANK_ACCOUNT", typed(0, "80"))');
  await until('methods()[0][2].includes("not available") || methods()[0][2].includes("again")');
  await until('methods()[1][2].includes("MX$1,600.00")');
  await does(`(${element}.lang = "es", 0)`);
  await until('methods()[2][2].startsWith("Efectivo Reciben: MXN") || methods()[2][2].startsWith("Efectivo Reciben: 1")');
  await does(`(${element}.compare = false, 0)`);
  await until('document.querySelector("remit-amount").shadowRoot.querySelector("[part=methods]").hidden');
  assert.deepEqual(await does("page.troubles"), []);
});

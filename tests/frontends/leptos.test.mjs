// The example of a front end in Rust: the whole checkout, on the sandbox, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { serveFolder } from "../package/packed.mjs";
import { translate } from "../package/samples/check.js";
import { fileSandbox, installed } from "../package/testing.mjs";
import { browser } from "./app.mjs";

const { REMITKIT_LEPTOS_PAGE, REMITKIT_LEPTOS_PAGE_WITH_JS } = process.env;
const areNamed = REMITKIT_LEPTOS_PAGE && REMITKIT_LEPTOS_PAGE_WITH_JS;
assert.ok(areNamed, "REMITKIT_LEPTOS_PAGE and …_WITH_JS name the built example, as cargo xtask test does");

const OPTIONS = { skip: browser === undefined && "there is no Chromium here", timeout: 120_000 };
const { fillCardForm, startSandbox, testCards } = await installed();
const sandbox = await fileSandbox(startSandbox);
const PAGE = `<!doctype html>
<html lang="en" data-base-url="${sandbox.baseUrl}" data-card-url="${sandbox.cardUrl}">
<link rel="icon" href="data:,"><body>
<script type="module">import start from "./example.js"; start();</script></body></html>`;
const own = {
  "/": PAGE,
  "/unset": PAGE.replace(sandbox.baseUrl, "nowhere"),
  "/api/remit-token": async (_, reply) => {
    reply.setHeader("content-type", "application/json").end(JSON.stringify(await sandbox.token()));
  },
};
const shopUrl = await serveFolder(REMITKIT_LEPTOS_PAGE, own);
/** Of the example whose SDK has the feature `js`, as another crate of a page's may enable it. */
const withJsUrl = await serveFolder(REMITKIT_LEPTOS_PAGE_WITH_JS, own);

/** Opens a page and chooses a payout method in Mexico. */
async function opened(t, method, url = shopUrl) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => t.diagnostic(String(error)));
  await page.goto(url);
  const label = `Mexico ${method}`;
  const corridors = page.locator("select[name=corridor]");
  await corridors.locator("option", { hasText: label }).first().waitFor({ state: "attached" });
  await corridors.selectOption({ label });
  return page;
}

const VALUES = [
  [/PHONE/, "5512345678"],
  [/EMAIL/, "ana@example.com"],
  [/ACCOUNT_NUMBER|CLABE/i, "032180000118359719"],
  [/./, "Ana"],
];

/** Fills in a form and sends it. */
async function fill(page, title) {
  await page.getByRole("heading", { name: title }).waitFor();
  for (const field of await page.locator("form input").all()) {
    const name = await field.getAttribute("name");
    await field.fill(VALUES.find(([pattern]) => pattern.test(name))[1]);
  }
  for (const field of await page.locator("form select").all()) {
    await field.locator("option").nth(1).waitFor({ state: "attached" });
    await field.selectOption({ index: 1 });
  }
  await page.locator("form button").click();
}

/** Asserts that the page offers a receipt and the service has the transfer. */
async function assertPaid(page) {
  const number = await page.getByRole("heading", { name: /Confirmation \S+/ }).locator("b").textContent();
  assert.match(await page.locator("i").textContent(), /\S/);
  await page.getByText(/^You can cancel for a full refund/).waitFor();
  const link = page.getByRole("link", { name: "Receipt" });
  assert.match(await link.evaluate(async ({ href }) => (await fetch(href)).text()), /^%PDF-/);
  const transfers = await sandbox.transfers();
  assert.ok(transfers.some(({ confirmationNumber }) => confirmationNumber === number));
}

test("a Rust front end quotes the typed amount", OPTIONS, async (t) => {
  const page = await opened(t, "PUSH_TO_CARD");
  const quoted = () => page.locator("output").textContent();
  await page.getByText(/^They get [\d.]+ MXN$/).waitFor();
  await page.getByText(/^The recipient may receive less/).waitFor();
  const before = await quoted();
  await page.locator("input[name=amount]").fill("251");
  await page.waitForFunction((text) => document.querySelector("output").textContent !== text, before);
  assert.match(await quoted(), /^They get [\d.]+ MXN$/);
  await page.locator("input[name=amount]").fill("1.005");
  await page.getByText("no more decimals than the currency has").waitFor();
});

for (const [name, url] of [["a Rust front end", shopUrl], ["one with the feature js", withJsUrl]]) {
  test(`${name} pays to a card and shows the receipt`, OPTIONS, async (t) => {
    const page = await opened(t, "PUSH_TO_CARD", url);
    await page.getByRole("button", { name: "Continue" }).click();
    await fill(page, "Who receives?");
    await fill(page, "Which account?");
    await page.getByRole("heading", { name: "Which card?" }).waitFor();
    await fillCardForm(page, { card: testCards.success });
    await fill(page, /You pay .+, they get .+ MXN/);
    await assertPaid(page);
  });

  test(`${name} names an option as Rust does`, OPTIONS, async (t) => {
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(new URL("/unset", url).href);
    await page.getByRole("alert").getByText(/^base_url must be /).waitFor({ timeout: 30_000 });
  });
}

test("a Rust front end pays to an account and names each problem", OPTIONS, async (t) => {
  const page = await opened(t, "BANK_ACCOUNT");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Who receives?" }).waitFor();
  await page.locator("form button").click();
  await page.locator("form em", { hasText: /\S/ }).first().waitFor();
  await fill(page, "Who receives?");
  await fill(page, "Which account?");
  await fill(page, /You pay .+, they get .+ MXN/);
  await assertPaid(page);
});

test("a Rust front end shows another price before it is paid, on a translated page", OPTIONS, async (t) => {
  const page = await opened(t, "BANK_ACCOUNT");
  await page.getByText(/^They get [\d.]+ MXN$/).waitFor();
  await page.locator("main").evaluate(translate);
  const output = page.locator("output");
  const before = await output.textContent();
  await page.locator("input[name=amount]").fill("251");
  await page.waitForFunction((text) => document.querySelector("output").textContent !== text, before);
  await page.getByRole("button", { name: "Continue" }).click();
  await fill(page, "Who receives?");
  await fill(page, "Which account?");
  const price = page.getByRole("heading", { name: /^You pay .+, they get .+ MXN$/ });
  const outdated = await price.textContent();
  await page.getByText(/^The recipient may receive less/).waitFor();
  const { length } = await sandbox.transfers();
  await sandbox.moveRate("MXN", 10000);
  await fill(page, outdated);
  await page.getByText(/^The rate or the fee has changed\./).waitFor();
  await page.waitForFunction((text) => document.querySelector("h1").textContent !== text, outdated);
  assert.equal((await sandbox.transfers()).length, length);
  await page.locator("form button").click();
  await assertPaid(page);
});

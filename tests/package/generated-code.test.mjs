// The code that the workbench generates, run as a page would have it: with a kit that records its calls.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { buildWithVite, IN_PAGE, launchBrowser, page as pageText, serveFolder } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { ROOT, shop } from "./packed.mjs";

/** Bundles a module of the workbench and imports it. */
async function load(name) {
  const outDir = await shop();
  const entry = join(ROOT, "www/src/workbench", name);
  const lib = { entry, formats: ["es"], fileName: () => "codes.mjs" };
  const bundling = { outDir, emptyOutDir: false, lib, rollupOptions: { external: /^remitkit/ } };
  await build({ configFile: false, logLevel: "error", publicDir: false, build: bundling });
  return import(pathToFileURL(join(outDir, "codes.mjs")).href);
}

const { fieldCodes } = await load("fields/codes.ts");
const { reactCode } = await load("snippets.ts");

const place = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
const query = { ...place, transferMethod: "PUSH_TO_CARD", recipientType: "PERSON" };
const attributesOf = (kind) => [`kind="${kind}"`, 'country="MEX"', 'currency="MXN"', 'method="PUSH_TO_CARD"'];
const codesOf = (kind, requiresCard = false) => fieldCodes({ kind, query }, attributesOf(kind), requiresCard);

const COMMON = `
import { fakeFieldForm, fakeRemitKit } from "remitkit/testing";
const fake = window.fake = { sent: [], done: [], failed: [], kit: {} };
addEventListener("unhandledrejection", ({ reason }) => fake.failed.push(String(reason)));
const create = async (...args) => {
  fake.sent.push(args.at(-1));
  if (fake.sent.length === 1) throw Object.assign(new Error("refused"), { userMessage: "refused" });
  return { id: fake.sent.length };
};
fake.remit = fakeRemitKit({
  recipientFields: async () => fakeFieldForm([{ fieldId: "NAME", isRequired: true }]),
  recipientAccountFields: async () => fakeFieldForm([{ fieldId: "CARD_ID", isRequired: true }]),
  cardForm: async () => ({ completed: new Promise((resolve) => (fake.completeCard = resolve)) }),
  createRecipient: create,
  createRecipientAccount: create,
}).remit;
window.show = (text) => fake.failed.push(text);
window.next = (made) => fake.done.push(made);
window.recipientId = "3f2504e0-4f89-41d3-9a0c-000000000001";
`;

/** Gives a page's script the kit of the test. */
function withFake(script) {
  return script.replace(/^ *import \{ createRemitKit.*$/m, "").replace(/createRemitKit\(.*\)/, "fake.remit");
}

/** Returns the markup and the script of a generated page. */
function htmlShop(kind, requiresCard) {
  const { HTML } = codesOf(kind, requiresCard);
  const [, markup, script] = /^([^]*)<script type="module">([^]*)<\/script>$/.exec(HTML);
  const main = `import "./common.js";${withFake(script)}`;
  return { "index.html": pageText(markup), "main.js": main, "common.js": COMMON };
}

const reactShop = (code, element) => ({
  "index.html": pageText('<div id="root"></div>'),
  "main.js": 'import "./common.js"; import "./app.jsx";',
  "common.js": COMMON,
  "app.jsx": `${code}
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RemitKitProvider } from "remitkit/react";
const root = createRoot(document.querySelector("#root"));
const given = { recipientId, onDone: next, onError: (error) => show(error.userMessage) };
fake.render = (props, remit = fake.remit) => {
  const content = createElement(${element}, { ...given, ...props });
  root.render(createElement(StrictMode, null, createElement(RemitKitProvider, { remit }, content)));
};
fake.render({});`,
});

const browser = await launchBrowser();

async function opened(t, files) {
  const root = await shop(files);
  for (const name of ["react", "react-dom", "scheduler"]) await link(root, name);
  const built = await buildWithVite(root, { esbuild: { jsx: "automatic" } });
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(20_000);
  await page.goto(await serveFolder(built));
  return page;
}

/** Submits the form twice before the page can react. */
async function submitTwice(page) {
  await page.locator("form").evaluate((form) => {
    form.requestSubmit();
    form.requestSubmit();
  });
}

async function pressTwice(page) {
  await page.locator("button:enabled").evaluate((button) => {
    button.click();
    button.click();
  });
}

const countSent = (page) => page.evaluate(() => fake.sent.length);
const hasFailed = (page) => page.waitForFunction(() => fake.failed.length > 0);

/** Submits a form that is complete until the service accepts it, and then again. */
async function assertSentOnce(page, fields) {
  await page.locator("form:valid").waitFor();
  await submitTwice(page);
  await hasFailed(page);
  assert.equal(await countSent(page), 1);
  await submitTwice(page);
  await page.waitForFunction(() => fake.done.length > 0);
  await page.getByRole("button", { name: "Next" }).click();
  assert.deepEqual(await page.evaluate(() => [fake.done.length, fake.failed]), [1, ["refused"]]);
  const sent = await page.evaluate(() => fake.sent.map((body) => body.fields));
  assert.deepEqual(sent, [fields, fields]);
}

/** Submits a form that lacks something, as browsers without form-associated elements do. */
async function assertNotSent(page) {
  await page.waitForFunction(() => document.querySelector("remit-fields")?.definition);
  await page.locator("form").evaluate((form) => {
    form.noValidate = true;
    form.requestSubmit();
    form.noValidate = false;
  });
  assert.deepEqual(await page.evaluate(() => [fake.sent, fake.failed]), [[], []]);
}

const RECIPIENT = [{ id: "NAME", value: "Ana" }];
const ACCOUNT = [{ id: "CARD_ID", value: "17" }];

test("the HTML of a recipient sends it once, if it is complete", IN_PAGE, async (t) => {
  const page = await opened(t, htmlShop("recipient"));
  await assertNotSent(page);
  await page.locator("remit-fields input").fill("Ana");
  await assertSentOnce(page, RECIPIENT);
});

test("the React code of a recipient sends it once, if it is complete", IN_PAGE, async (t) => {
  const page = await opened(t, reactShop(codesOf("recipient").React, "Fields"));
  await assertNotSent(page);
  await page.locator("remit-fields input").fill("Ana");
  await assertSentOnce(page, RECIPIENT);
});

test("the HTML of a card's account sends what the card form gives", IN_PAGE, async (t) => {
  const page = await opened(t, htmlShop("recipientAccount", true));
  await assertNotSent(page);
  await page.evaluate(() => fake.completeCard({ cardId: "17" }));
  await assertSentOnce(page, ACCOUNT);
});

test("the React code of a card's account sends what the card form gave", IN_PAGE, async (t) => {
  const page = await opened(t, reactShop(codesOf("recipientAccount", true).React, "Fields"));
  await assertNotSent(page);
  await page.evaluate(() => fake.render({ cardId: "17" }));
  await assertSentOnce(page, ACCOUNT);
});

test("the React code of a call makes it once, and only with a kit", IN_PAGE, async (t) => {
  const code = reactCode('await remit.createRecipient({ userType: "PERSON" });');
  const page = await opened(t, reactShop(code, "Example"));
  await page.evaluate(() => fake.render({}, null));
  await page.locator("button:disabled").waitFor();
  await page.evaluate(() => fake.render({}));
  await pressTwice(page);
  await hasFailed(page);
  assert.equal(await countSent(page), 1);
  await pressTwice(page);
  await page.locator("button").click();
  assert.deepEqual(await page.evaluate(() => [fake.sent.length, fake.failed]), [2, ["Error: refused"]]);
});

// The example of a front end in Rust: the whole checkout, on the sandbox, in a real browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../chromium-flags.mjs";
import { fetchSenderToken } from "../sender-token.mjs";

const { REMITKIT_LEPTOS_PAGE, REMITKIT_SANDBOX, REMITKIT_CHROMIUM = "/usr/bin/chromium" } = process.env;
assert.ok(REMITKIT_LEPTOS_PAGE, "REMITKIT_LEPTOS_PAGE names the built example, as cargo xtask test does");
assert.ok(REMITKIT_SANDBOX, "REMITKIT_SANDBOX names the sandbox's program, as cargo xtask test does");

const browser = await chromium.launch({ executablePath: REMITKIT_CHROMIUM, args: CHROMIUM_FLAGS }).catch((error) => {
  if (!/doesn't exist|ENOENT/.test(error.message)) throw error;
});
const OPTIONS = { skip: browser === undefined && "there is no Chromium here", timeout: 120_000 };
const sandbox = await started();
const shop = await serve();
after(() => Promise.all([browser?.close(), shop.close(), sandbox.stop()]));

async function started() {
  const program = spawn(REMITKIT_SANDBOX, ["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(program.stdout, "data");
  const stop = () => {
    program.stdin.end();
    return once(program, "exit");
  };
  return { ...JSON.parse(String(line).split("\n")[0]), stop };
}

/** The page and the shop's backend. */
async function serve() {
  const page =
    `<!doctype html><html lang="en" data-base-url="${sandbox.baseUrl}" data-card-url="${sandbox.cardUrl}">` +
    '<link rel="icon" href="data:,"><body><script type="module">import start from "./example.js"; start();</script></body></html>';
  const server = createServer(async (request, reply) => {
    const { pathname } = new URL(request.url, "http://shop");
    if (pathname === "/api/remit-token") {
      const token = JSON.stringify(await fetchSenderToken(sandbox));
      return reply.writeHead(200, { "content-type": "application/json" }).end(token);
    }
    if (pathname === "/") return reply.writeHead(200, { "content-type": "text/html" }).end(page);
    const type = extname(pathname) === ".wasm" ? "application/wasm" : "text/javascript";
    const file = await readFile(join(REMITKIT_LEPTOS_PAGE, pathname)).catch(() => undefined);
    return reply.writeHead(file ? 200 : 404, { "content-type": type }).end(file);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** Opens the page and chooses a way to pay out in Mexico. */
async function opened(t, method) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => t.diagnostic(String(error)));
  await page.goto(shop.url);
  await page.locator("select[name=corridor] option", { hasText: `Mexico ${method}` }).first().waitFor({ state: "attached" });
  await page.locator("select[name=corridor]").selectOption({ label: `Mexico ${method}` });
  return page;
}

const VALUES = [
  [/PHONE/, "5512345678"],
  [/EMAIL/, "ana@example.com"],
  [/ACCOUNT_NUMBER|CLABE/i, "032180000118359719"],
  [/./, "Ana"],
];

/** Fills in whatever a form asks for. */
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

async function enterCard(page) {
  const form = page.frameLocator('iframe[src*="/v2/add-card/"]');
  for (const [id, value] of [
    ["number", "4111 1111 1111 1111"],
    ["expiry", "12/34"],
    ["code", "123"],
    ["name", "Ana Garcia"],
  ]) {
    await form.locator(`#card-${id}`).fill(value);
  }
  await form.locator("#verify").click();
}

/** The receipt that the page offers, and the transfer that the service has. */
async function paid(page) {
  const number = await page.getByRole("heading", { name: /Confirmation \S+/ }).locator("b").textContent();
  assert.match(await page.locator("i").textContent(), /\S/);
  const receipt = await page.getByRole("link", { name: "Receipt" }).evaluate(async ({ href }) => (await fetch(href)).text());
  assert.match(receipt, /^%PDF-/);
  const reply = await fetch(`${sandbox.baseUrl}/sandbox/transfers?newest=1`);
  assert.ok((await reply.text()).includes(number), `no transfer with the confirmation ${number}`);
}

test("a Rust front end quotes the typed amount", OPTIONS, async (t) => {
  const page = await opened(t, "PUSH_TO_CARD");
  const shown = () => page.locator("output").textContent();
  await page.getByText(/^They get [\d.]+ MXN$/).waitFor();
  const before = await shown();
  await page.locator("input[name=amount]").fill("251");
  await page.waitForFunction((text) => document.querySelector("output").textContent !== text, before);
  assert.match(await shown(), /^They get [\d.]+ MXN$/);
  await page.locator("input[name=amount]").fill("1.005");
  await page.getByText("no more decimals than the currency has").waitFor();
});

test("a Rust front end pays to a card and shows the receipt", OPTIONS, async (t) => {
  const page = await opened(t, "PUSH_TO_CARD");
  await page.getByRole("button", { name: "Continue" }).click();
  await fill(page, "Who receives?");
  await page.getByRole("heading", { name: "Which card?" }).waitFor();
  await enterCard(page);
  await fill(page, /You pay .+, they get .+ MXN/);
  await paid(page);
});

test("a Rust front end pays to an account and names each problem", OPTIONS, async (t) => {
  const page = await opened(t, "BANK_ACCOUNT");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Who receives?" }).waitFor();
  await page.locator("form button").click();
  await page.locator("form em", { hasText: /\S/ }).first().waitFor();
  await fill(page, "Who receives?");
  await fill(page, "Which account?");
  await fill(page, /You pay .+, they get .+ MXN/);
  await paid(page);
});

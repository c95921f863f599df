import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { readEnvironment } from "./support/environment.mjs";

const { SHOP_URL, CHROMIUM, SANDBOX_BASE_URL, SANDBOX_CARD_URL } = readEnvironment(
  "SHOP_URL",
  "CHROMIUM",
  "SANDBOX_BASE_URL",
  "SANDBOX_CARD_URL",
);
/** The package as the shop has installed it. */
const PACKAGE = join(import.meta.dirname, "../../www/node_modules/remitkit");
let browser;
before(async () => {
  browser = await launch(CHROMIUM);
});
after(() => browser?.close());

/** The shop's page under another policy than its own. */
async function under(change) {
  const page = await openPage(browser, { expectErrors: [/Content Security Policy|securitypolicy|Refused|ERR_/i] });
  const told = [];
  page.on("console", (message) => message.type() === "info" && told.push(message.text()));
  await page.route(`${SHOP_URL}/`, async (route) => {
    const reply = await route.fetch();
    const headers = reply.headers();
    headers["content-security-policy"] = change(headers["content-security-policy"]);
    await route.fulfill({ response: reply, headers });
  });
  await page.goto(`${SHOP_URL}/`);
  return Object.assign(page, { told });
}

/** Demands that the console names what to allow, and that the customer reads nothing of it. */
async function mustNameForDevelopers(page, what) {
  const notice = page.locator(".notice.error").first();
  await notice.waitFor();
  assert.ok(page.told.some((text) => text.includes(what)), page.told.join("\n"));
  assert.ok(!(await notice.innerText()).includes(what));
}

test("a policy that blocks the service names the directive, to developers alone", async () => {
  const page = await under((policy) => policy.replace(` ${new URL(SANDBOX_BASE_URL).origin}`, ""));
  await mustNameForDevelopers(page, "connect-src");
  assert.ok(page.seen.violations.some((violation) => violation.startsWith("connect-src")));
  const asked = page.seen.requests.filter(({ url }) => url.startsWith(SANDBOX_BASE_URL));
  assert.ok(asked.length <= 2, `it was asked again and again: ${asked.length}`);
  await page.context().close();
});

test("a policy that forbids wasm names what to allow, to developers alone", async () => {
  const page = await under((policy) => policy.replace(" 'wasm-unsafe-eval'", ""));
  await mustNameForDevelopers(page, "wasm-unsafe-eval");
  await page.context().close();
});

/** The strictest policy under which a page works: the wasm and the token come with its own scripts. */
const STRICTEST = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  `connect-src ${new URL(SANDBOX_BASE_URL).origin} ${new URL(SANDBOX_CARD_URL).origin}`,
  `frame-src ${new URL(SANDBOX_CARD_URL).origin}`,
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
].join("; ");

const PAGE =
  '<!doctype html><html lang="en"><title>Strict</title><link rel="icon" href="/icon.png"><main><div id="card"></div></main><output></output><script type="module" src="/main.js"></script></html>';
const MAIN = `
import { createRemitKit } from "/remitkit/index.js";
import { baseUrl, cardUrl, token, wasm } from "/given.js";
const output = document.querySelector("output");
try {
  const bytes = Uint8Array.from(atob(wasm), (sign) => sign.charCodeAt(0));
  const remit = await createRemitKit({ baseUrl, cardUrl, token, wasm: bytes, journal: "local" });
  const corridors = await remit.corridors();
  const form = await remit.cardForm({ container: "#card", theme: { primary: "#0a7", lng: "es-MX" } });
  form.update({ theme: { primary: "#07a", lng: "en" } });
  const { cardId } = await form.completed;
  await remit.destroy();
  output.textContent = \`\${corridors.length > 0} \${cardId !== ""} \${(await navigator.locks.query()).held.length}\`;
} catch (error) {
  output.textContent = \`\${error} \${error.stack}\`;
}`;

/** Serves the page, the package and what the page is given, all of one origin. */
async function serveStrictPage() {
  const token = await (await fetch(`${SHOP_URL}/api/remit-token`, { method: "POST" })).json();
  const wasm = await readFile(join(PACKAGE, "remitkit_core_bg.wasm"), "base64");
  const given = { baseUrl: SANDBOX_BASE_URL, cardUrl: SANDBOX_CARD_URL, token, wasm };
  const files = new Map([
    ["/", ["text/html", PAGE]],
    ["/main.js", ["text/javascript", MAIN]],
    ["/given.js", ["text/javascript", Object.entries(given).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n")]],
  ]);
  for (const name of await readdir(PACKAGE, { recursive: true })) {
    if (name.endsWith(".js")) files.set(`/remitkit/${name}`, ["text/javascript", await readFile(join(PACKAGE, name))]);
  }
  const server = createServer((request, response) => {
    const [type, body] = files.get(new URL(request.url, "http://page").pathname) ?? [];
    response.writeHead(body ? 200 : 404, { "content-type": type ?? "image/png", "content-security-policy": STRICTEST });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("the strictest policy lets a card be entered without a violation", async () => {
  const server = await serveStrictPage();
  const page = await openPage(browser, { expectErrors: [/icon\.png/] });
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const form = page.frameLocator("#card iframe");
    await form.locator("html[lang=en] #card-number").fill(GOOD_CARD);
    await form.locator("#card-expiry").fill("12/34");
    await form.locator("#card-code").fill("123");
    await form.locator("#card-name").fill("Ana Garcia");
    await form.locator("#verify").click();
    await page.locator("output:not(:empty)").waitFor();
    assert.equal(await page.locator("output").innerText(), "true true 0");
    assert.deepEqual([page.seen.violations, page.seen.errors], [[], []]);
  } finally {
    await page.context().close();
    server.close();
  }
});

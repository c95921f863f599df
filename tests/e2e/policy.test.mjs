// The content security policy, and what the pages keep and send.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesIn, pathOf, startServer, TYPES } from "../local-server.mjs";
import { isTransferPost } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { enterCard } from "./support/fill.mjs";
import { addTransferFault } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const PACKAGE = join(import.meta.dirname, "../../www/node_modules/remitkit");
const BLOCKED = {
  expectErrors: [/Content Security Policy|CORS policy|Refused|ERR_/i],
  expectViolations: [/^connect-src/, /^script-src/],
};

/** A part of the policy that is removed, and what the console then names. */
const REMOVED = {
  "connect-src": ` ${new URL(shop.baseUrl).origin}`,
  "wasm-unsafe-eval": " 'wasm-unsafe-eval'",
};
for (const [name, part] of Object.entries(REMOVED)) {
  shop.pageTest(`a policy without ${name} is reported to developers alone`, BLOCKED, async (page) => {
    const infos = [];
    page.on("console", (message) => message.type() === "info" && infos.push(message.text()));
    await page.route(`${shop.shopUrl}/`, async (route) => {
      const reply = await route.fetch();
      const headers = reply.headers();
      const policy = headers["content-security-policy"].replace(part, "");
      await route.fulfill({ response: reply, headers: { ...headers, "content-security-policy": policy } });
    });
    await page.goto(`${shop.shopUrl}/`);
    const notice = page.locator(".notice.error").first();
    await notice.waitFor();
    assert.ok(infos.some((text) => text.includes(name)), infos.join("\n"));
    assert.ok(!(await notice.innerText()).includes(name));
    const asked = page.seen.requests.filter(({ url }) => url.startsWith(shop.baseUrl));
    assert.ok(asked.length <= 2, `a blocked request was repeated ${asked.length} times`);
  });
}

/** The strictest policy for a page that brings the wasm and the token in its own scripts. */
const STRICTEST = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  `connect-src ${new URL(shop.baseUrl).origin} ${new URL(shop.cardUrl).origin}`,
  `frame-src ${new URL(shop.cardUrl).origin}`,
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
].join("; ");
const PAGE = `<!doctype html><html lang="en"><title>Strict</title><link rel="icon" href="/icon.png">
  <main><div id="card"></div></main><output></output><script type="module" src="/main.js"></script></html>`;
const MAIN = `
import { createRemitKit } from "/remitkit/index.js";
import { given } from "/given.js";
const output = document.querySelector("output");
try {
  const wasm = Uint8Array.from(atob(given.wasm), (sign) => sign.charCodeAt(0));
  const remit = await createRemitKit({ ...given, wasm, journal: "local" });
  const corridors = await remit.corridors();
  const form = await remit.cardForm({ container: "#card", theme: { primary: "#0a7", lng: "es-MX" } });
  form.update({ theme: { primary: "#07a", lng: "en" } });
  const { cardId } = await form.completed;
  await remit.destroy();
  output.textContent = \`\${corridors.length > 0} \${cardId !== ""} \${(await navigator.locks.query()).held.length}\`;
} catch (error) {
  output.textContent = \`\${error} \${error.stack}\`;
}`;

const NO_ICON = { expectErrors: [/icon\.png/] };
shop.pageTest("the strictest policy lets a card be entered without a violation", NO_ICON, async (page) => {
  const token = await (await fetch(`${shop.shopUrl}/api/remit-token`, { method: "POST" })).json();
  const wasm = await readFile(join(PACKAGE, "remitkit_core_bg.wasm"), "base64");
  const given = JSON.stringify({ baseUrl: shop.baseUrl, cardUrl: shop.cardUrl, token, wasm });
  const files = new Map([
    ["/", { type: TYPES[".html"], body: PAGE }],
    ["/main.js", { type: TYPES[".js"], body: MAIN }],
    ["/given.js", { type: TYPES[".js"], body: `export const given = ${given};` }],
    ...(await filesIn(PACKAGE, "/remitkit/")),
  ]);
  const server = await startServer((request, response) => {
    const { type, body } = files.get(pathOf(request)) ?? { type: "image/png" };
    response.writeHead(body ? 200 : 404, { "content-type": type, "content-security-policy": STRICTEST }).end(body);
  });
  try {
    await page.goto(server.url);
    const form = page.frameLocator("#card iframe");
    await form.locator("html[lang=en]").waitFor();
    await enterCard(form, { number: GOOD_CARD });
    await page.locator("output:not(:empty)").waitFor();
    assert.equal(await page.locator("output").innerText(), "true true 0");
  } finally {
    await server.stop();
  }
});

/** Returns everything that the page's origin stores. */
function stored(page) {
  return page.evaluate(async () => {
    const found = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state];
    const resultOf = (request) =>
      new Promise((resolve, reject) => {
        Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject });
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        found.push(await resultOf(database.transaction(store).objectStore(store).getAll()));
      }
      database.close();
    }
    return JSON.stringify(found);
  });
}

shop.test("token, card number and cardholder never leak during a transfer", async (checkout, page) => {
  const printed = [];
  page.on("console", (message) => printed.push(message.text()));
  await checkout.toCardReview();
  await addTransferFault(shop.baseUrl, { kind: "latency", when: "during", delayMilliseconds: 1_500 });
  const sent = page.waitForRequest(isTransferPost);
  await checkout.send();
  await sent;
  const whileSending = await stored(page);
  assert.match(whileSending, /SENT/, "the attempt is in the journal");
  await checkout.outcome();

  const { requests } = page.seen;
  const tokens = new Set(requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "")));
  tokens.delete(undefined);
  assert.ok(tokens.size > 0);
  const inputs = await page.locator("input").evaluateAll((all) => all.map(({ value }) => value));
  const places = {
    storage: whileSending + (await stored(page)),
    page: (await page.content()) + inputs.join(),
    console: printed.join("\n"),
    addresses: requests.map(({ url, headers }) => `${url} ${headers.referer}`).join("\n"),
    "the sandbox's log": await (await fetch(`${shop.baseUrl}/sandbox/requests`)).text(),
  };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [...tokens, GOOD_CARD, "Ana Garcia"]) assert.ok(!text.includes(secret), `a secret is in ${place}`);
  }
  const number = new RegExp(GOOD_CARD.replace(/(\d{4})(?=\d)/g, "$1[ +%20-]*"));
  const carrying = requests.filter(({ url, headers, body }) => number.test(`${url} ${JSON.stringify(headers)} ${body}`));
  assert.deepEqual(carrying.map(({ method, url }) => [method, new URL(url).origin]), [["POST", new URL(shop.cardUrl).origin]]);
  assert.doesNotMatch(carrying[0].url, number);
});

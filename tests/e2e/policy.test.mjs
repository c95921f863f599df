// The content security policy, and what the pages keep and send.

import assert from "node:assert/strict";
import { holdTransferPosts, isTransferPost } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { eventually, isAbsent } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
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
    await eventually(() => assert.ok(infos.some((text) => text.includes(name)), infos.join("\n")));
    await isAbsent(notice.filter({ hasText: name }), "the notice is there");
    const asked = page.seen.requests.filter(({ url }) => url.startsWith(shop.baseUrl));
    assert.ok(asked.length <= 2, `a blocked request was repeated ${asked.length} times`);
  });
}

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
  const release = await holdTransferPosts(page);
  const sent = page.waitForRequest(isTransferPost);
  await checkout.send();
  await sent;
  const whileSending = await stored(page);
  release();
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
    const isLeaked = [...tokens, GOOD_CARD, "Ana Garcia"].some((secret) => text.includes(secret));
    assert.ok(!isLeaked, `a secret is in ${place}`);
  }
  const number = new RegExp(GOOD_CARD.replace(/(\d{4})(?=\d)/g, "$1[ +%20-]*"));
  const carrying = requests.filter((request) => number.test(JSON.stringify(request)));
  const targets = carrying.map(({ method, url }) => [method, new URL(url).origin]);
  assert.deepEqual(targets, [["POST", new URL(shop.cardUrl).origin]]);
  assert.doesNotMatch(carrying[0].url, number);
});

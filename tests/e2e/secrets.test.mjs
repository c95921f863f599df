import assert from "node:assert/strict";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { addFault } from "./support/sandbox.mjs";
import { toCardReview } from "./support/paths.mjs";
import { isTransferPost } from "./support/requests.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
// What Checkout types into the card form.
const CARDHOLDER = "Ana Garcia";

/** All that the pages keep: both storages and every database, as text. */
function kept(page) {
  return page.evaluate(async () => {
    const found = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve, reject) => {
        Object.assign(indexedDB.open(name), { onsuccess: (event) => resolve(event.target.result), onerror: reject });
      });
      for (const store of database.objectStoreNames) {
        const values = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => (values.onsuccess = resolve));
        found.push(values.result);
      }
      database.close();
    }
    return JSON.stringify(found);
  });
}

test("token, card number and cardholder never leak during a transfer", async () => {
  const printed = [];
  await shop.inShop(
    async (checkout, page) => {
      page.on("console", (message) => printed.push(message.text()));
      await toCardReview(checkout);
      await addFault(shop.baseUrl, { kind: "latency", when: "during", method: "POST", path: "/v1/transfers", delayMilliseconds: 1_500 });
      const sent = page.waitForRequest(isTransferPost);
      await checkout.send();
      await sent;
      const whileSending = await kept(page);
      assert.match(whileSending, /SENT/, "the attempt is in the journal");
      await checkout.outcome();

      const tokens = new Set(page.seen.requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "")));
      tokens.delete(undefined);
      assert.ok(tokens.size > 0);
      const places = {
        storage: whileSending + (await kept(page)),
        page: await page.content(),
        console: printed.join("\n"),
        addresses: page.seen.requests.map(({ url, headers }) => `${url} ${headers.referer}`).join("\n"),
        "the sandbox's log": await (await fetch(`${shop.baseUrl}/sandbox/requests`)).text(),
      };
      for (const [place, text] of Object.entries(places)) {
        for (const secret of [...tokens, GOOD_CARD, CARDHOLDER]) {
          assert.ok(!text.includes(secret), `a secret stands in ${place}`);
        }
      }
      // Card data goes to the card form's own service alone, in bodies alone.
      const cardOrigin = new URL(shop.cardUrl).origin;
      for (const { url, body } of page.seen.requests) {
        if (new URL(url).origin !== cardOrigin) assert.ok(!body.includes(GOOD_CARD) && !body.includes(CARDHOLDER), url);
      }
    },
    { expectErrors: [] },
  );
});

// The shop in a browser that lacks what is newer than Safari 15.0, as the package's oldest one does.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { NEWER, removing, UNUSABLE, withoutComments } from "../newer-apis.mjs";
import { assertRecorded } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const SOURCES = new URL("../../www/src/", import.meta.url);
/** What only pages use. */
const NEWER_IN_PAGES = {
  ...NEWER,
  "HTMLFormElement.prototype": "requestSubmit",
  "HTMLElement.prototype": "inert",
  "Navigator.prototype": "locks",
};
const UNUSABLE_IN_PAGES = [...UNUSABLE, /\b(requestSubmit|throwIfAborted)\b/, /:has\(/];

test("the shop's sources contain nothing that Safari 15.0 cannot parse or lacks", async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith(".ts"));
  // The workbench is for developers.
  const ofShop = files.filter((name) => !name.startsWith("workbench"));
  assert.ok(ofShop.length > 40 && ofShop.includes("main.ts"), `${ofShop.length} sources`);
  for (const name of ofShop) {
    const text = withoutComments(await readFile(new URL(name, SOURCES), "utf8"));
    for (const pattern of UNUSABLE_IN_PAGES) assert.doesNotMatch(text, pattern, name);
  }
});

/** Makes formats fail that are newer. */
function refuseNewer() {
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    const own = Date.prototype[name];
    Date.prototype[name] = function (locale, style) {
      if (/Generic$/.test(style?.timeZoneName)) throw new RangeError("timeZoneName is out of range.");
      return own.call(this, locale, style);
    };
  }
}

// The service's own pages, such as the card form, are no part of the shop.
const inShop = (script) => `if (self === top) {\n${script}\n}`;
const OLD = { scripts: [{ content: inShop(`${removing(NEWER_IN_PAGES)}\n(${refuseNewer})();`) }] };
shop.test("a checkout needs nothing that is newer than Safari 15.0", OLD, async (checkout, page) => {
  assert.equal(await page.evaluate(() => typeof crypto.randomUUID), "undefined");
  await checkout.toCardReview();
  await checkout.send();
  await assertRecorded(shop.baseUrl, await checkout.outcome(), { transferMethod: "PUSH_TO_CARD" });
});

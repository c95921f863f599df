// The required element in a form that is submitted before its kit is there.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually } from "../e2e/support/shown.mjs";
import { startEngine } from "../forge/engines.mjs";
import { pageOf, serveFolder } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const PROGRAMS = {
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
};
const MAIN = 'import { defineRemitCardForm } from "/element.js"; defineRemitCardForm(); globalThis.isDefined = true;';
const FORM = '<form><remit-card-form required></remit-card-form><button>Pay</button></form>';
const url = await serveFolder(join(await shop(), "node_modules/remitkit"), { "/": pageOf(MAIN, FORM) });

for (const [engine, program] of Object.entries(PROGRAMS)) {
  const skip = program ? false : `${engine} is not there`;
  test(`in ${engine} the browser shows its message at the element`, { skip, timeout: 240_000 }, async () => {
    const browser = await startEngine(engine, program);
    after(() => browser.stop());
    await browser.open(url);
    await eventually(async () => assert.ok(await browser.evaluate("() => globalThis.isDefined")));
    await browser.evaluate('() => document.querySelector("form").requestSubmit()');
    const focused = "() => document.activeElement.localName";
    await eventually(async () => assert.equal(await browser.evaluate(focused), "remit-card-form"));
  });
}

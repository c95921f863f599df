// An amount that was typed stays as it is until it has a price, wherever the customer goes meanwhile.

import assert from "node:assert/strict";
import { caughtUp, eventually, hasValue, shows } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const QUOTE = /\/v1\/quote\?/;
const REFUSALS = { expectErrors: [/Failed to load resource|net::ERR_/] };

const input = (page, side) => page.locator(`[data-side=${side}] input`);

/** Leaves the first step for another page, and returns to it. */
async function leaveAndReturn(checkout, { by, back = "button" }) {
  if (by === "transfers") await checkout.button("transfers.title").click();
  else await checkout.page.locator(".profile-button").click();
  await checkout.step(by);
  if (back === "history") await checkout.page.goBack();
  else await checkout.button("profile.back").click();
  await checkout.step("amount");
}

shop.test("an amount beyond the limit is kept", async (checkout, page) => {
  await input(page, "send").fill("20000");
  await page.locator("remit-amount [part=problem]:not([hidden])").waitFor();
  await leaveAndReturn(checkout, { by: "transfers" });
  await hasValue(input(page, "send"), /^20,?000(\.00)?$/);
  await page.locator("remit-amount [part=problem]:not([hidden])").waitFor();
});

shop.test("what is no amount is kept, also twice", async (checkout, page) => {
  await input(page, "receive").fill("12x");
  for (const way of [{ by: "profile" }, { by: "transfers", back: "history" }]) {
    await leaveAndReturn(checkout, way);
    await hasValue(input(page, "receive"), "12x");
  }
  await page.reload();
  await checkout.step("amount");
  await hasValue(input(page, "receive"), "12x");
});

shop.test("an emptied amount stays empty", async (checkout, page) => {
  await input(page, "send").fill("");
  await leaveAndReturn(checkout, { by: "transfers" });
  await leaveAndReturn(checkout, { by: "transfers" });
  await caughtUp(page);
  await hasValue(input(page, "send"), "");
});

shop.test("an amount that is left before its price has come is priced on return", async (checkout, page) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(QUOTE, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await input(page, "receive").fill("4321");
  await leaveAndReturn(checkout, { by: "transfers" });
  await hasValue(input(page, "receive"), /^4,?321/);
  release();
  await checkout.priced();
  await shows(checkout.line("receive"), /4,321\.00/);
  // What has a price is kept as before.
  await leaveAndReturn(checkout, { by: "profile" });
  await hasValue(input(page, "receive"), "4,321.00");
  await checkout.goOn("recipient");
});

shop.test("an amount is kept while the service fails", REFUSALS, async (checkout, page) => {
  await page.route(QUOTE, (route) => route.abort("connectionrefused"));
  await input(page, "send").fill("345");
  await leaveAndReturn(checkout, { by: "transfers" });
  await hasValue(input(page, "send"), /^345/);
  await page.unroute(QUOTE);
  await page.reload();
  await checkout.priced();
  await hasValue(input(page, "send"), /^345/);
  await shows(checkout.line("send"), "$345.00");
});

shop.test("Forward does not lead on with an earlier amount", async (checkout, page) => {
  await checkout.goOn("recipient");
  await page.goBack();
  await checkout.priced();
  await page.route(QUOTE, () => {});
  await input(page, "send").fill("222");
  await page.goForward();
  await checkout.hasState("amount");
  await checkout.staysAt("amount");
  await hasValue(input(page, "send"), "222");
});

shop.test("an amount means the same in the other language", { language: "es", locale: "es-ES" }, async (checkout, page) => {
  await page.route(QUOTE, () => {});
  await input(page, "send").fill("1.234,5");
  await checkout.button("transfers.title").click();
  await checkout.step("transfers");
  await page.locator("[data-language=en]").click();
  await page.unroute(QUOTE);
  await page.goBack();
  await checkout.step("amount");
  await hasValue(input(page, "send"), "1,234.50");
  await checkout.priced();
  await eventually(async () => assert.match(await checkout.line("send").innerText(), /1,234\.50/));
});

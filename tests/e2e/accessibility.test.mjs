import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { toCardReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";
import { Workbench } from "./support/workbench.mjs";

const shop = shopSuite();

/** How an element is drawn, as far as a selection may show in it. */
function looks(locator) {
  return locator.evaluate((element) => {
    const { backgroundColor, color, outlineStyle, outlineColor, borderTopColor, borderTopWidth } = getComputedStyle(element);
    return [backgroundColor, color, outlineStyle === "none" ? "" : `${outlineStyle} ${outlineColor}`, borderTopColor, borderTopWidth].join();
  });
}

test("a transfer method has its own name and a separate description", async () => {
  await shop.inShop(async (_, page) => {
    const card = page.getByRole("radio", { name: "Debit card", exact: true });
    await card.waitFor();
    const described = await card.getAttribute("aria-describedby");
    assert.equal(await page.locator(`[id="${described}"]`).innerText(), "Straight to their card");
  });
});

const OWN = {
  firstName: "given-name",
  MIDDLE_NAME: "additional-name",
  lastName: "family-name",
  DATE_OF_BIRTH: "bday",
  NICKNAME: "nickname",
  ADDRESS_LINE_1: "address-line1",
  ADDRESS_LINE_2: "address-line2",
  ADDRESS_CITY: "address-level2",
  ADDRESS_STATE: "address-level1",
  ADDRESS_ZIP: "postal-code",
  PHONE_NUMBER: "tel-national",
  EMAIL_ADDRESS: "email",
};

test("the browser autofills the customer's own details and nobody else's", async () => {
  await shop.inShop(async (checkout, page) => {
    const tokens = () => page.locator("[data-field]").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.field, one.autocomplete])));
    await checkout.openProfile();
    const own = await tokens();
    for (const [id, token] of Object.entries(OWN)) assert.equal(own[id], token, id);
    assert.equal(own.ID_NUMBER, "off");
    assert.equal(await page.locator("[data-field=EMAIL_ADDRESS]").getAttribute("type"), "email");
    assert.deepEqual(await axeProblems(page), []);
    await checkout.closeProfile("amount");
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    const theirs = await tokens();
    assert.ok(Object.keys(theirs).length > 3);
    for (const [id, token] of Object.entries(theirs)) assert.ok(token === "off" || token === "", `${id}: ${token}`);
  }, { scripts: [AXE] });
});

test("selections are visible in forced colours", async () => {
  await shop.inShop(async (checkout, page) => {
    const differs = async (chosen, other) => assert.notEqual(await looks(page.locator(chosen).first()), await looks(page.locator(other).first()), chosen);
    await differs(".languages button[aria-pressed=true]", ".languages button[aria-pressed=false]");
    await differs(".tile:has(:checked)", ".tile:not(:has(:checked))");
    await differs(".step.current .step-badge", ".step.ahead .step-badge");
    await differs(".actions .primary", ".tile:not(:has(:checked))");
    await checkout.goOn("recipient");
    await page.locator(".field-form").waitFor();
    await checkout.goOn();
    await differs(".control:has([aria-invalid=true])", ".control:not(:has([aria-invalid=true]))");
    await page.setViewportSize({ width: 320, height: 800 });
    await differs(".step-bar .current", ".step-bar .ahead");
    await differs(".step-bar .done", ".step-bar .ahead");
  }, { forcedColors: "active" });
});

test("forced colours keep the workbench's selection and swatches visible", async () => {
  await shop.onPage(async (page) => {
    const bench = new Workbench(page, shop.shopUrl);
    await bench.open();
    const differs = async (chosen, other) => assert.notEqual(await looks(page.locator(chosen).first()), await looks(page.locator(other).first()), chosen);
    await differs(".languages button[aria-pressed=true]", ".languages button[aria-pressed=false]");
    await differs(".button.primary", ".button:not(.primary)");
    await page.locator("input[name=primary]").fill("#6b2fb3");
    const well = await page.locator(".well").first().evaluate((input) => getComputedStyle(input).forcedColorAdjust);
    assert.equal(well, "none");
  }, { forcedColors: "active" });
});

test("keyboard focus keeps its place when the pressed control goes away", async () => {
  const place = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.localName);
  await shop.inShop(async (checkout, page) => {
    await page.locator("#amount-send").fill("9900.40");
    await checkout.notice("error").waitFor();
    await page.route(/\/v1\/quote/, (route) => route.abort("connectionrefused"));
    await page.locator("#amount-send").fill("210");
    const again = checkout.notice("error").getByRole("button", { name: "Try again" });
    await again.waitFor({ timeout: 60_000 });
    await page.unroute(/\/v1\/quote/);
    await again.press("Enter");
    await checkout.priced();
    assert.equal(await place(page), "summary-title");
    await toCardReview(checkout);
    await checkout.readyToSend();
    await page.route(/\/v1\/transfers$/, (route) => route.fulfill({ status: 400, headers: { "access-control-allow-origin": "*" }, json: [{ code: "RspTransferException", message: "Not now." }] }));
    await checkout.send();
    const fresh = checkout.notice("error").getByRole("button", { name: "Get a new price" });
    await fresh.waitFor();
    await fresh.press("Enter");
    await checkout.readyToSend();
    assert.match(await place(page), /step-title|notice/);
  }, { expectErrors: [/Failed to load resource/] });
});

for (const path of ["/", "/workbench.html"]) {
  test(`without JavaScript ${path} asks for it in both languages, clear of the edge`, async () => {
    await shop.onPage(async (page) => {
      await page.goto(shop.shopUrl + path);
      const texts = page.locator("noscript p");
      assert.match((await texts.allInnerTexts()).join("\n"), /^Turn on JavaScript .*\nActiva JavaScript /);
      for (const text of await texts.all()) assert.ok((await text.boundingBox()).x >= 16);
    }, { javaScriptEnabled: false });
  });
}

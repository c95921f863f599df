import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { caughtUp, eventually, hasAttribute, hasCount, isShown, shows } from "./support/shown.mjs";
import { assertSound, CORS, shopSuite } from "./support/suite.mjs";
import { workbenchTest } from "./support/workbench.mjs";

const shop = shopSuite();
const benchTest = workbenchTest(shop);
const REFUSALS = { expectErrors: [/Failed to load resource/] };
const FORCED = { forcedColors: "active" };

async function assertDiffers(page, selector, other) {
  const looks = [selector, other].map((css) =>
    page.locator(css).first().evaluate((element) => {
      const style = getComputedStyle(element);
      const outline = style.outlineStyle === "none" ? "" : `${style.outlineStyle} ${style.outlineColor}`;
      return [style.backgroundColor, style.color, outline, style.borderTopColor, style.borderTopWidth].join();
    }),
  );
  const [look, otherLook] = await Promise.all(looks);
  assert.notEqual(look, otherLook, selector);
}

shop.test("a transfer method has its own name and a separate description", async (_, page) => {
  const card = page.getByRole("radio", { name: "Debit card", exact: true });
  // settled: the price is there, and descriptions are rendered with it.
  const ids = (await card.getAttribute("aria-describedby")).split(" ");
  const [about, price] = ids.map((id) => page.locator(`[id="${id}"]`));
  await shows(about, "To the recipient's card");
  await shows(price, /^Fee \$4\.49 in 30 min$/);
});

shop.test("only the customer's own details are autofilled", async (checkout, page) => {
  const tokens = () =>
    page.locator("[data-field] [part~=control]").evaluateAll((all) =>
      Object.fromEntries(all.map(({ name, autocomplete }) => [name, autocomplete])),
    );
  await checkout.openProfile();
  const { firstName, lastName, ID_NUMBER, ...own } = await tokens();
  assert.deepEqual([firstName, lastName, ID_NUMBER], ["given-name", "family-name", "off"]);
  const expected = {
    MIDDLE_NAME: "additional-name",
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
  for (const [id, token] of Object.entries(expected)) assert.equal(own[id], token, id);
  await hasAttribute(checkout.field("EMAIL_ADDRESS"), "inputmode", "email");
  await assertSound(page, { axe: true });
  await checkout.closeProfile("amount");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  const theirs = Object.values(await tokens());
  assert.ok(theirs.length > 3);
  assert.ok(theirs.every((token) => token === "off"), theirs.join());
});

for (const language of ["en", "es"]) {
  shop.test(`no field is called as its group is (${language})`, { language }, async (checkout, page) => {
    const assertNamed = async () => {
      for (const group of await page.locator(".field-form fieldset:visible").all()) {
        // settled: a form is shown with all of its labels.
        const [legend] = await group.locator("legend").allTextContents();
        // settled: as above.
        const labels = await group.locator("label").allTextContents();
        assert.ok(legend && !labels.includes(legend), `${legend}: ${labels}`);
        await isShown(group.locator("legend"), `${legend} is not shown`);
      }
    };
    await checkout.openProfile();
    await assertNamed();
    await checkout.closeProfile("amount");
    await checkout.goOn("recipient");
    await checkout.formLoaded();
    await assertNamed();
  });
}

shop.test("selections are visible in forced colors", FORCED, async (checkout, page) => {
  await assertDiffers(page, "[part=method]:has(:checked)", "[part=method]:not(:has(:checked))");
  await assertDiffers(page, ".step.current .step-badge", ".step.ahead .step-badge");
  await assertDiffers(page, ".actions .primary", "[part=method]:not(:has(:checked))");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await checkout.goOn();
  await assertDiffers(page, "[part=box]:has([aria-invalid=true])", "[part=box]:not(:has([aria-invalid=true]))");
  await page.setViewportSize({ width: 320, height: 800 });
  await assertDiffers(page, ".step.current .step-badge", ".step.ahead .step-badge");
  await assertDiffers(page, ".step.done .step-badge", ".step.ahead .step-badge");
});

benchTest("forced colors keep the workbench's buttons and swatches", FORCED, async (_, page) => {
  await assertDiffers(page, ".button.primary", ".button:not(.primary)");
  await page.locator("input[name=primary]").fill("#6b2fb3");
  const well = page.locator(".well").first();
  assert.equal(await well.evaluate((input) => getComputedStyle(input).forcedColorAdjust), "none");
});

shop.test("the focus keeps its place when its control goes away", REFUSALS, async (checkout, page) => {
  const retry = checkout.button("action.again", checkout.notice("error"));
  await page.route(/\/v1\/quote/, (route) => route.abort("connectionrefused"));
  await page.locator("[data-side=send] input").fill("210");
  await retry.waitFor();
  await page.locator(".summary .notice").evaluate((notice) => notice.setAttribute("data-first", ""));
  for (const isBusy of [true, false]) await page.locator(`.summary[aria-busy=${isBusy}]`).waitFor();
  await hasCount(page.locator("[data-first]"), 1, "an automatic retry repeats no alert");
  await page.unroute(/\/v1\/quote/);
  await retry.press("Enter");
  await checkout.priced();
  await checkout.hasFocus("summary-title");
  await checkout.toReview();
  const json = [{ code: "RspTransferException", message: "Not now." }];
  await page.route(/\/v1\/transfers$/, (route) => route.fulfill({ status: 400, headers: CORS, json }));
  await checkout.send();
  await checkout.button("review.newquote", checkout.notice("error")).press("Enter");
  await checkout.readyToSend();
  await checkout.hasFocus(/step-title|notice/);
});

shop.test("a step takes the focus, and the keyboard can skip the head", async (checkout, page) => {
  await page.locator("[data-side=send] input").press("Enter");
  await checkout.step("recipient");
  await checkout.hasFocus("step-title");
  await page.locator(".skip").press("Enter");
  await checkout.hasFocus("main");
  await checkout.staysAt("recipient");
  await page.goBack();
  await checkout.step("amount");
  await page.goForward();
  await checkout.step("recipient");
});

shop.test("errors take the focus, but not while the customer types", REFUSALS, async (checkout, page) => {
  await page.locator("[data-side=send] input").fill("9900.40");
  await page.locator(".summary .notice.error[role=alert]").waitFor();
  await caughtUp(page);
  await checkout.hasFocus("send");
  await checkout.sendAmount("200");
  await hasCount(page.locator(".summary .notice"), 0);
  await checkout.goOn("recipient");
  await checkout.fillForm();
  const json = [{ code: "BusinessOrDataValidationError", message: "It could not be saved." }];
  await page.route(/\/v1\/recipients$/, (route) => route.fulfill({ status: 400, headers: CORS, json }));
  await checkout.goOn();
  await page.locator(".panel .notice.error[role=alert]").waitFor();
  await checkout.hasFocus("notice error");
  await eventually(async () => assert.equal(await page.evaluate(() => scrollY), 0));
  await page.keyboard.press("Tab");
  await shows(page.locator(":focus"), "Try again");
  await page.unroute(/\/v1\/recipients$/);
  await page.keyboard.press("Enter");
  await checkout.step("account");
});

shop.test("a screen reader hears each new price once", async (checkout, page) => {
  const price = page.locator(".summary [role=status]");
  await shows(price, /They receive .*Total to pay/);
  // settled: nothing was typed yet.
  const before = await price.innerText();
  await checkout.sendAmount("250");
  await eventually(async () => assert.notEqual(await price.innerText(), before));
  // The role "timer" is not announced every second.
  await hasCount(page.locator(".line.held [role=timer]"), 1);
});

const NO_SCRIPT = { javaScriptEnabled: false };
for (const [path, wanted] of [
  ["/", /^Turn on JavaScript .*\nActiva JavaScript /],
  ["/workbench.html", /^Turn on JavaScript /],
]) {
  shop.pageTest(`${path} asks for JavaScript`, NO_SCRIPT, async (page) => {
    await page.goto(shop.shopUrl + path);
    const texts = page.locator("noscript p");
    // settled: without scripts, a page is whole once it has loaded.
    assert.match((await texts.allInnerTexts()).join("\n"), wanted);
    for (const text of await texts.all()) assert.ok((await text.boundingBox()).x >= 16);
  });
}

for (const language of ["en", "es"]) {
  const name = `a problem is said in the page's title, and headings lead to it (${language})`;
  shop.test(name, { language }, async (checkout, page) => {
    const { text } = checkout;
    const titled = (key) => `${text(key)} · Sendero`;
    const hasTitle = (title) => eventually(async () => assert.equal(await page.title(), title));
    await page.locator("[data-side=send] input").fill("");
    await checkout.goOn();
    await hasTitle(`Error: ${titled("amount.title")}`);
    await checkout.sendAmount("200");
    await checkout.goOn("recipient");
    await hasTitle(titled("recipient.title"));
    await checkout.formLoaded();
    await checkout.goOn();
    await hasTitle(`Error: ${titled("recipient.title")}`);
    const summary = language === "es" ? /^Hay \d+ datos por revisar$/ : /^\d+ details need another look$/;
    await page.locator("main").getByRole("heading", { level: 2, name: summary }).waitFor();
    const heading = { level: 2, name: text("recipient.type"), exact: true };
    await page.locator("main").getByRole("heading", heading).waitFor();
    await page.locator("input[value=BUSINESS]").check();
    await page.getByText(text("recipient.about.business")).waitFor();
  });
}

const MORE_CONTRAST = { contrast: "more", scripts: [AXE] };
shop.test("hints and borders are dark where more contrast is asked for", MORE_CONTRAST, async (checkout, page) => {
  const read = (one, name) => getComputedStyle(one)[name];
  const color = (css, name) => page.locator(css).first().evaluate(read, name);
  const text = await color("body", "color");
  assert.equal(await color("remit-amount [part=hint]", "color"), text);
  assert.equal(await color("remit-amount [part=box]", "borderTopColor"), text);
  await checkout.toCardForm();
  const inFrame = (name) => checkout.frame.locator("html").evaluate((html, name) => {
    return getComputedStyle(html).getPropertyValue(name).trim();
  }, name);
  assert.equal(await inFrame("--input-line"), await inFrame("--text"));
  await assertSound(page, { axe: true });
});

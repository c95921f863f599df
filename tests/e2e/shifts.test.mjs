import assert from "node:assert/strict";
import { isTransferPost } from "./support/browser.mjs";
import { assertStill, delayReplies, takeShifts, watchShifts } from "./support/budget.mjs";
import { GOOD_CARD, REFUSED_CARD } from "./support/checkout.mjs";
import { screen, screensOf, shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const EXPECTED = { scripts: [watchShifts], expectErrors: [/status of (4|5)\d\d.*\/v1\//] };

/** Asserts that the page did not move since the last call. */
async function still(page, what, options) {
  assertStill(await takeShifts(page), what, options);
}

for (const { width } of screensOf([{ width: 1280 }, { width: 360, inChoice: true }])) {
  const options = screen(width, EXPECTED);
  shop.test(`refusals, prices and reloads move nothing at ${width} px`, options, async (checkout, page) => {
    await delayReplies(page);
    await takeShifts(page);
    await page.locator("[data-side=send] input").fill("9900.40");
    await checkout.notice("error").waitFor();
    await still(page, "no price");
    await checkout.sendAmount("9900.30");
    await still(page, "a price again");

    await checkout.toReview();
    await checkout.send();
    await page.locator(".notice").waitFor();
    await checkout.readyToSend();
    await still(page, "a new price");
    await checkout.hasFocus("notice warning");

    await backToReview(checkout, page, "9900.01");
    await checkout.goOn();
    await checkout.notice("error").waitFor();
    await still(page, "a limit is reached");

    await backToReview(checkout, page, "100");
    const sent = page.waitForRequest(isTransferPost);
    await checkout.goOn();
    await sent;
    await page.reload();
    const show = checkout.button("earlier.show");
    await show.or(page.locator("[data-transfer]")).first().waitFor();
    // The service first tells whose transfer it was, and the notice is as high as its text.
    await still(page, "an interrupted transfer", { factor: 2 });
    await checkout.earlierOutcome();
    await still(page, "its outcome");
    await page.reload();
    await checkout.outcome();
    await still(page, "a transfer that was made");
  });
}

/** Changes the amount from the review, and returns there with the same input. */
async function backToReview(checkout, page, amount) {
  await page.locator(".fact .link").nth(1).click();
  await checkout.step("amount");
  await checkout.sendAmount(amount);
  for (const step of ["recipient", "account", "review"]) {
    await checkout.goOn(step);
    if (step !== "review") await checkout.formLoaded();
  }
  await checkout.readyToSend();
}

const SPANISH = screen(320, { language: "es", ...EXPECTED });
shop.test("the events of a card form move nothing at 320 px in es", SPANISH, async (checkout, page) => {
  await delayReplies(page);
  await checkout.toRecipient();
  await takeShifts(page);
  await checkout.goOn("account");
  const stillAfter = async (status) => {
    await checkout.cardStatus(status);
    await still(page, status);
    const { width } = await page.locator(".card-status p").boundingBox();
    assert.ok(width > 200, `${status}: its text is ${width} px wide`);
  };
  await stillAfter("ready");
  await checkout.verifyCard(REFUSED_CARD);
  await checkout.frame.getByText("La tarjeta no es válida").first().waitFor();
  await stillAfter("ready");
  await checkout.verifyCard(GOOD_CARD);
  await stillAfter("verified");
});

shop.test("nothing moves while the customer types", screen(360, EXPECTED), async (checkout, page) => {
  await takeShifts(page);
  const send = page.locator("[data-side=send] input");
  for (const amount of ["1", "12345.67", "abc", "", "250"]) {
    await send.fill("");
    await send.pressSequentially(amount, { delay: 20 });
    await page.locator(".summary[aria-busy=false]").waitFor();
    await still(page, `typing “${amount}”`, { all: true });
  }
  await page.locator("[data-side=receive] input").fill("4000");
  await checkout.priced();
  await still(page, "the amount received", { all: true });
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await takeShifts(page);
  await checkout.fillForm();
  await still(page, "filling in the recipient", { all: true });
});

shop.test("a long wait is explained and moves nothing", screen(320, EXPECTED), async (checkout, page) => {
  const held = [];
  await page.route(/\/v1\/(corridors|recipient-fields)/, (route) => held.push(route));
  const release = () => Promise.all(held.splice(0).map((route) => route.continue().catch(() => {})));
  const late = page.locator(".skeleton-late");
  const explained = late.filter({ hasText: checkout.text("loading.long") });
  await page.goto(shop.shopUrl);
  await explained.waitFor();
  await release();
  await checkout.priced();
  await checkout.goOn("recipient");
  await checkout.button("action.back", late).click();
  await checkout.step("amount");
  await checkout.goOn("recipient");
  await explained.waitFor();
  await release();
  await checkout.formLoaded();
  await still(page, "a long wait");
});

// Whole checkouts that look at each step.

import { EXPIRING_CARD, GOOD_CARD } from "./checkout.mjs";

/** Calls `look` on every step of a checkout to a card, and on its forms with problems. */
export async function visitSteps(checkout, page, look) {
  await look("amount");
  await page.locator(".trigger-picker summary").click();
  await page.locator("select[name=trigger]").selectOption("transfer RecipientAccountNotFound");
  await look("amount with an error to try");
  await page.locator(".trigger-picker summary").click();
  await checkout.openProfile();
  await look("profile");
  await checkout.closeProfile("amount");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await look("recipient");
  await checkout.goOn();
  await look("recipient with problems");
  await checkout.fillForm();
  await look("recipient, filled in");
  await checkout.goOn("account");
  await cardFormShown(checkout);
  await look("card");
  for (const summary of await page.locator(".card-entry summary").all()) await summary.click();
  await look("card, unfolded");
  await checkout.verifyCard(EXPIRING_CARD);
  await checkout.waitForEvent("CARD_VALIDATION_STOP_EXPIRED");
  await look("card expired");
  await page.locator(".card-room .notice button").click();
  await page.locator(".card-status[data-status=ready]").waitFor();
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
  await checkout.readyToSend();
  await look("review");
  await checkout.send();
  await checkout.outcome();
  await look("done");
}

/** Calls `look` on each step of a checkout by a transfer method, with its form empty and filled in. */
export async function visitMethod(checkout, page, method, look) {
  await checkout.chooseRoute({ method });
  await look("amount");
  await checkout.goOn("recipient");
  await checkout.formLoaded();
  await look("recipient");
  await checkout.fillForm();
  await look("recipient, filled in");
  await checkout.goOn("account");
  if (method === "PUSH_TO_CARD") {
    await cardFormShown(checkout);
    await look("card");
    await checkout.verifyCard(GOOD_CARD);
  } else {
    await checkout.formLoaded();
    await look("account");
    await checkout.goOn();
    await look("account with problems");
    await checkout.fillForm();
    await look("account, filled in");
    await checkout.goOn();
  }
  await checkout.step("review");
  await checkout.readyToSend();
  await checkout.fillForm();
  await look("review");
  await checkout.goOn();
  await checkout.outcome();
  await look("done");
}

async function cardFormShown(checkout) {
  await checkout.waitForEvent("READY");
  await checkout.frame.locator("#verify").waitFor();
}

// How a checkout gets to where something can be tried.

import { GOOD_CARD } from "./checkout.mjs";

/** Leads a checkout to the card step and waits for the form. */
export async function toCardForm(checkout, route = {}) {
  await checkout.chooseRoute({ method: "PUSH_TO_CARD", ...route });
  await checkout.goOn("recipient");
  await checkout.fillForm();
  await checkout.goOn("account");
  await checkout.waitForEvent("READY");
}

/** Leads a checkout to the review of a transfer to a card. */
export async function toCardReview(checkout, route) {
  await toCardForm(checkout, route);
  await checkout.verifyCard(GOOD_CARD);
  await checkout.step("review");
}

/** Leads a checkout that needs no card to the destination, an account or a pickup point, and fills it in. */
export async function toFilledAccount(checkout, { amount, method = "BANK_ACCOUNT" } = {}) {
  await checkout.chooseRoute({ country: "MEX", method });
  if (amount) await checkout.sendAmount(amount);
  await checkout.goOn("recipient");
  await checkout.fillForm();
  await checkout.goOn("account");
  await checkout.fillForm();
}

/** Leads a checkout that needs no card to its review, with a price. */
export async function toReview(checkout, options) {
  await toFilledAccount(checkout, options);
  await checkout.goOn("review");
}

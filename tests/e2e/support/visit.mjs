import { isTransferPost } from "./browser.mjs";
import { EXPIRING_CARD, GOOD_CARD } from "./checkout.mjs";

/** The requests that make a transfer or ask for its progress. */
export const TRANSFERS = /\/v1\/transfers(\/progress\/.*)?$/;

/** Makes a checkout by a transfer method. Calls `look` on each step, and on its form in each state. */
export async function visit(checkout, page, method, look) {
  const fillIn = async (step) => {
    await checkout.formLoaded();
    await look(step);
    await checkout.goOn();
    await look(`${step} with problems`);
    await checkout.fillForm();
    await look(`${step}, filled in`);
  };
  await checkout.chooseRoute({ method });
  await look("amount");
  await checkout.openProfile();
  await look("profile");
  await checkout.closeProfile("amount");
  await checkout.goOn("recipient");
  await fillIn("recipient");
  await checkout.goOn("account");
  if (method === "PUSH_TO_CARD") await enterCards(checkout, page, look);
  else {
    await fillIn("account");
    await checkout.goOn();
  }
  await checkout.step("review");
  await checkout.readyToSend();
  await look("review");
  await checkout.send();
  await checkout.outcome();
  await look("done");
}

async function enterCards(checkout, page, look) {
  await checkout.cardStatus("ready");
  await checkout.frame.locator("#verify").waitFor();
  await look("card");
  for (const summary of await page.locator(".card-entry summary").all()) await summary.click();
  await look("card, unfolded");
  await checkout.verifyCard(EXPIRING_CARD);
  await checkout.cardStatus("expired");
  await look("card expired");
  await page.locator(".card-room .notice button").click();
  await checkout.cardStatus("ready");
  await checkout.verifyCard(GOOD_CARD);
}

/** Sends with a broken network, and reloads before the page learns the outcome. */
export async function interrupt(checkout, page) {
  await checkout.toReview();
  await page.context().route(TRANSFERS, (route) => route.abort("connectionfailed"));
  await checkout.send();
  await page.waitForRequest(isTransferPost);
  await page.reload();
  await checkout.priced();
  await checkout.earlier.waitFor();
}

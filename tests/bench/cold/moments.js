// A checkout's page up to its first quote, the card form's READY, the first transfer, or a late first call.

import { OTHER_ID, QUOTE_REQUEST } from "../page/samples.js";

const { apiUrl, cardUrl } = JSON.parse(document.documentElement.dataset.config);
const token = () => fetch("/api/remit-token", { method: "POST" }).then((reply) => reply.json());
export const options = { baseUrl: apiUrl, cardUrl, token, locale: "en-US" };

/** The rest of a transfer is in the quote. */
const TRANSFER = { ...QUOTE_REQUEST, recipientId: OTHER_ID };

const quote = async (shop) => {
  const found = await shop.quote(QUOTE_REQUEST);
  document.body.append(`${found.receiveAmount.value} ${found.receiveAmount.currency.iso3Code}`);
  return found;
};

const MOMENTS = {
  quote: (shop) => quote(shop),
  card: (shop, { readyForm }) => readyForm(shop, document.body),
  transfer: async (shop, { transfer }) => {
    const { quoteHistoryId } = await quote(shop);
    return transfer(shop, { ...TRANSFER, quoteHistoryId });
  },
};

/**
 * Starts the page's moment. `ways.open` returns the shop that `quote`, `readyForm` and `transfer` use. Where
 * the page waits for its customer, the runner calls `goOn`.
 */
export function begin(ways) {
  const { moment = "quote", waits } = document.documentElement.dataset;
  const reach = async () => {
    const began = performance.now();
    await MOMENTS[moment](await ways.open(), ways);
    return { sinceCall: performance.now() - began, sinceNavigation: performance.now() };
  };
  // The first call of a part, in a page that has been idle since its first quote.
  const late = async () => {
    const shop = await ways.open();
    await quote(shop);
    globalThis.goOn = async () => {
      const began = performance.now();
      await shop.nonce();
      return { sinceCall: performance.now() - began };
    };
  };
  if (moment === "late") globalThis.reached = late();
  else if (waits === undefined) globalThis.reached = reach();
  else globalThis.goOn = reach;
}

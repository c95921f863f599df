// A checkout page up to its first quote, the READY of the card form or the first transfer, or a late call.

import { OTHER_ID, QUOTE_REQUEST } from "../page/samples.js";

const { config, moment = "quote", waits } = document.documentElement.dataset;
const { apiUrl, cardUrl } = JSON.parse(config);
const token = () => fetch("/api/remit-token", { method: "POST" }).then((reply) => reply.json());
export const options = { baseUrl: apiUrl, cardUrl, token, locale: "en-US" };

async function quote(shop) {
  const found = await shop.quote(QUOTE_REQUEST);
  document.body.append(`${found.receiveAmount.value} ${found.receiveAmount.currency.iso3Code}`);
  return found;
}

const MOMENTS = {
  quote: (shop) => quote(shop),
  card: (shop, { readyForm }) => readyForm(shop, document.body),
  transfer: async (shop, { transfer }) => {
    const { quoteHistoryId } = await quote(shop);
    return transfer(shop, { ...QUOTE_REQUEST, recipientId: OTHER_ID, quoteHistoryId });
  },
};

/**
 * Starts the page's moment: `reached` resolves with its times. `ways.open` returns the shop that `quote`,
 * `readyForm` and `transfer` use. Where the page waits for its customer, the runner calls `goOn` first.
 */
export function begin(ways) {
  const sinceCall = async (work) => {
    const began = performance.now();
    await work();
    return { sinceCall: performance.now() - began, sinceNavigation: performance.now() };
  };
  const reach = () => sinceCall(async () => MOMENTS[moment](await ways.open(), ways));
  // The first call of a part, in a page that has been idle since its first quote.
  const late = async () => {
    const shop = await ways.open();
    await quote(shop);
    globalThis.goOn = () => sinceCall(() => shop.nonce());
  };
  if (moment === "late") globalThis.reached = late();
  else if (waits === undefined) globalThis.reached = reach();
  else globalThis.goOn = reach;
}

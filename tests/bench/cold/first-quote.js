// The page of a checkout as far as its first quote.

import { QUOTE_REQUEST } from "../page/samples.js";

const { apiUrl, cardUrl } = JSON.parse(document.documentElement.dataset.config);
const token = () => fetch("/api/remit-token", { method: "POST" }).then((reply) => reply.json());
export const options = { baseUrl: apiUrl, cardUrl, token, locale: "en-US" };

/** `open` gives what has `quote`. Where the page waits for its customer, the runner calls `quoteNow`. */
export async function firstQuote(open) {
  const show = async () => {
    const began = performance.now();
    const { receiveAmount } = await (await open()).quote(QUOTE_REQUEST);
    document.body.append(`${receiveAmount.value} ${receiveAmount.currency.iso3Code}`);
    return { sinceCall: performance.now() - began, sinceNavigation: performance.now() };
  };
  if ("waits" in document.documentElement.dataset) globalThis.quoteNow = show;
  else globalThis.quoted = show();
}

// No line below a mark may compile.

import { createRemitKit, isRemitError, lightTheme } from "remitkit";
import { formatAmount, fromMinorUnits, toMinorUnits } from "remitkit";
import type * as remitkit from "remitkit";

declare const remit: remitkit.RemitKit;
declare const error: remitkit.RemitError;
declare const attempt: remitkit.TransferAttempt;
declare const request: remitkit.TransferRequest;
const usd = { iso3Code: "USD", decimalPlaces: 2 };
const route = { dstCountryIso3Code: "MEX", srcCurrencyIso3Code: "USD", dstCurrencyIso3Code: "MXN" };
const price = { ...route, amount: 12550 };

// @ts-expect-error an address is missing
createRemitKit({ baseUrl: "https://api.example", token: "t" });
// @ts-expect-error client credentials have no place in a page
createRemitKit({ baseUrl: "", cardUrl: "", token: () => ({ client_id: "a", client_secret: "b" }) });
// @ts-expect-error a misspelt option
createRemitKit({ baseUrl: "", cardUrl: "", token: "", timeoutMS: 5 });
// @ts-expect-error a journal that cannot delete
createRemitKit({ baseUrl: "", cardUrl: "", token: "", journal: { get: () => "", set() {}, keys: () => [] } });
// @ts-expect-error no such place
createRemitKit({ baseUrl: "", cardUrl: "", token: "", journal: "tab" });

// @ts-expect-error amounts are text, never a float
toMinorUnits(125.5, usd);
// @ts-expect-error a code does not have the number of decimals
toMinorUnits("125.50", "USD");
// @ts-expect-error minor units are a number
fromMinorUnits("12550", usd);
// @ts-expect-error an amount has a currency
formatAmount(12550, "en-US");

// @ts-expect-error a misspelt transfer method
remit.quote({ ...price, quoteBy: "SEND_AMOUNT", transferMethod: "PUSH_TO_CRAD" });
// @ts-expect-error neither of the two sides
remit.quote({ ...price, quoteBy: "SEND" });
// @ts-expect-error the amount is missing
remit.quote(route);
// @ts-expect-error the amount is text
remit.quote({ ...route, amount: "12550" });
// @ts-expect-error a misspelt member
remit.corridors({ country: "MEX" });
// @ts-expect-error a misspelt method in a filter
remit.corridors({ transferMethod: "BANK" });
// @ts-expect-error neither a person nor a business
remit.senderFields({ senderType: "COMPANY" });
// @ts-expect-error no such reason
remit.cancelCustomerHold("t", { reason: "FRAUD" });
// @ts-expect-error a signal goes into an object
remit.nonce(new AbortController().signal);
// @ts-expect-error an id is text
remit.getQuote(7);
// @ts-expect-error the body is missing
remit.createRecipient();
// @ts-expect-error a path begins with a slash
remit.request({ method: "GET", path: "v1/corridors" });
// @ts-expect-error no such method
remit.request({ method: "get", path: "/v1/corridors" });
// @ts-expect-error only destroy releases memory
remit.free();

// @ts-expect-error the container is missing
remit.cardForm({ theme: {} });
// @ts-expect-error switches are booleans, 1 and 0
export const numbers: remitkit.Theme = { showStep: 2 };
// @ts-expect-error the form does not have this language
export const language: remitkit.Theme = { lng: "fr" };
// @ts-expect-error this case is written lower
export const textCase: remitkit.Theme = { buttonTextCase: "LOWER" };
// @ts-expect-error no such parameter
export const parameter: remitkit.Theme = { colour: "red" };
// @ts-expect-error the presets are frozen
lightTheme.text = "#000";

export async function card() {
  const form = await remit.cardForm({ container: "#card" });
  // @ts-expect-error no such event
  form.on("CARD_VALIDATION_STOP", () => {});
  // @ts-expect-error only LOAD_FAILED has a reason
  form.on("READY", (event) => event.reason);
  // @ts-expect-error off is "never"
  await remit.cardForm({ container: "#card", loadError: false });
  // @ts-expect-error a misspelt text
  await remit.cardForm({ container: "#card", loadError: { mesage: "" } });
  // @ts-expect-error read-only
  form.completed = Promise.resolve();
}

export async function push(options: remitkit.PushToCardOptions) {
  // @ts-expect-error a flow is no promise
  await remit.pushToCard(options).completed;
  // @ts-expect-error the flow creates its session
  remit.pushToCard({ ...options, sessionId: "s" });
  for await (const step of remit.pushToCard(options)) {
    // @ts-expect-error only the last step has an attempt
    step.attempt.submit();
  }
}

// @ts-expect-error an attempt never takes another quote
attempt.quoteHistoryId = "another";
// @ts-expect-error an attempt never takes another nonce
attempt.nonce = "another";
// @ts-expect-error an attempt is submitted as it was prepared
attempt.submit(request);
// @ts-expect-error an attempt is prepared, not made
export const made: remitkit.TransferAttempt = { quoteHistoryId: "q", nonce: "n" };

// @ts-expect-error kinds are a closed set
export const kind = error.kind === "invalidRequest";
// @ts-expect-error a misspelt code
export const expired = error.code === "QuotExpired";
// @ts-expect-error a misspelt resolution
export const again = error.resolution === "fetch_a_new_quote";
// @ts-expect-error a misspelt code in a table of texts
export const texts: Partial<Record<remitkit.ErrorCode, string>> = { QuotExpired: "Too late." };
// @ts-expect-error anything may be thrown
export const code = (thrown: unknown) => thrown.code;
// @ts-expect-error it returns a boolean
export const never: never = isRemitError(error);
// @ts-expect-error an optional member of a reply may be absent
export const total = (quote: remitkit.Quote) => quote.totalCost.value;

// Nothing here may compile: each line must be an error, or the line above it is one.

import {
  createRemitKit,
  formatAmount,
  fromMinorUnits,
  isRemitError,
  lightTheme,
  toMinorUnits,
} from "remitkit";
import type {
  ErrorCode,
  PushToCardOptions,
  Quote,
  RemitError,
  RemitKit,
  Theme,
  TransferAttempt,
  TransferRequest,
} from "remitkit";

declare const remit: RemitKit;
declare const error: RemitError;
declare const attempt: TransferAttempt;
declare const request: TransferRequest;
const usd = { iso3Code: "USD", decimalPlaces: 2 };
const route = { dstCountryIso3Code: "MEX", srcCurrencyIso3Code: "USD", dstCurrencyIso3Code: "MXN" };

// @ts-expect-error an address is missing
createRemitKit({ baseUrl: "https://api.example", token: "t" });
// @ts-expect-error client credentials have no place in a page
createRemitKit({ baseUrl: "", cardUrl: "", token: () => ({ client_id: "a", client_secret: "b" }) });
// @ts-expect-error a misspelt option
createRemitKit({ baseUrl: "", cardUrl: "", token: "", timeoutMS: 5 });
// @ts-expect-error a journal that cannot forget
createRemitKit({ baseUrl: "", cardUrl: "", token: "", journal: { get: () => "", set() {}, keys: () => [] } });
// @ts-expect-error not a place that exists
createRemitKit({ baseUrl: "", cardUrl: "", token: "", journal: "tab" });

// @ts-expect-error amounts are text here, never a float
toMinorUnits(125.5, usd);
// @ts-expect-error a code does not say how many decimals there are
toMinorUnits("125.50", "USD");
// @ts-expect-error minor units are a number
fromMinorUnits("12550", usd);
// @ts-expect-error an amount has a currency
formatAmount(12550, "en-US");

const asked = { ...route, amount: 12550 };
// @ts-expect-error a misspelt transfer method
remit.quote({ ...asked, quoteBy: "SEND_AMOUNT", transferMethod: "PUSH_TO_CRAD" });
// @ts-expect-error neither of the two sides
remit.quote({ ...asked, transferMethod: "PUSH_TO_CARD", quoteBy: "SEND" });
// @ts-expect-error a misspelt filter
remit.corridors({ transferMethod: "BANK" });
// @ts-expect-error neither a person nor a business
remit.senderFields({ senderType: "COMPANY" });
// @ts-expect-error a misspelt reason
remit.cancelCustomerHold("t", { reason: "FRAUD" });
// @ts-expect-error a misspelt code
export const expired = error.code === "QuotExpired";
// @ts-expect-error a misspelt resolution
export const again = error.resolution === "fetch_a_new_quote";
// @ts-expect-error a misspelt code in a table of texts
export const texts: Partial<Record<ErrorCode, string>> = { QuotExpired: "Too late." };

// @ts-expect-error the amount is missing
remit.quote({ ...route, transferMethod: "PUSH_TO_CARD", quoteBy: "SEND_AMOUNT" });
// @ts-expect-error the amount is text
remit.quote({ ...route, transferMethod: "PUSH_TO_CARD", quoteBy: "SEND_AMOUNT", amount: "12550" });
// @ts-expect-error a misspelt member
remit.corridors({ country: "MEX" });
// @ts-expect-error a signal goes into an object
remit.nonce(new AbortController().signal);
// @ts-expect-error an id is text
remit.getQuote(7);
// @ts-expect-error the body is missing
remit.createRecipient();
// @ts-expect-error a path begins with a slash
remit.request({ method: "GET", path: "v1/corridors" });
// @ts-expect-error there is no such method
remit.request({ method: "get", path: "/v1/corridors" });
// @ts-expect-error there is no way to free what RemitKit holds but destroy
remit.free();

// @ts-expect-error where the form goes is missing
remit.cardForm({ theme: {} });
// @ts-expect-error switches are booleans, 1 and 0
export const numbers: Theme = { showStep: 2 };
// @ts-expect-error a language that the form does not speak
export const language: Theme = { lng: "fr" };
// @ts-expect-error lower is written lower
export const textCase: Theme = { buttonTextCase: "LOWER" };
// @ts-expect-error a parameter that the form does not have
export const parameter: Theme = { colour: "red" };

export async function card() {
  const form = await remit.cardForm({ container: "#card" });
  // @ts-expect-error an event that the form does not have
  form.on("CARD_VALIDATION_STOP", () => {});
  // @ts-expect-error only LOAD_FAILED has a reason
  form.on("READY", (event) => event.reason);
  // @ts-expect-error off is "never"
  await remit.cardForm({ container: "#card", loadError: false });
  // @ts-expect-error a text of the message is misspelt
  await remit.cardForm({ container: "#card", loadError: { mesage: "" } });
  // @ts-expect-error it belongs to the form
  form.completed = Promise.resolve();
}

export async function push(options: PushToCardOptions) {
  // @ts-expect-error it is a flow, not a promise
  await remit.pushToCard(options).completed;
  // @ts-expect-error the flow makes a session of its own
  remit.pushToCard({ ...options, sessionId: "s" });
  for await (const step of remit.pushToCard(options)) {
    // @ts-expect-error only the last step has an attempt
    step.attempt.submit();
  }
}
// @ts-expect-error the presets are frozen
lightTheme.text = "#000";

// @ts-expect-error an attempt never takes another quote
attempt.quoteHistoryId = "another";
// @ts-expect-error an attempt never takes another nonce
attempt.nonce = "another";
// @ts-expect-error an attempt is submitted as it was prepared
attempt.submit(request);
// @ts-expect-error an attempt is prepared, not made
export const made: TransferAttempt = { quoteHistoryId: "q", nonce: "n" };

// @ts-expect-error kinds are a closed set
export const kind = error.kind === "invalidRequest";
// @ts-expect-error anything may be thrown
export const code = (thrown: unknown) => thrown.code;
// @ts-expect-error it answers, it does not throw
export const never: never = isRemitError(error);
// @ts-expect-error what the service need not say may be absent
export const total = (quote: Quote) => quote.totalCost.value;

import { createRemitKit, disclosureTexts, isRemitError, lightTheme } from "remitkit";
import { formatAmount, fromMinorUnits, toMinorUnits } from "remitkit";
import type * as remitkit from "remitkit";

declare const remit: remitkit.RemitKit;
declare const error: remitkit.RemitError;
declare const attempt: remitkit.TransferAttempt;
declare const request: remitkit.TransferRequest;
declare const form: remitkit.CardForm;
declare const push: remitkit.PushToCardOptions;
declare const step: remitkit.PushToCardStep;
declare const quote: remitkit.Quote;
declare const thrown: unknown;
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
const usd = { iso3Code: "USD", decimalPlaces: 2 };
const route = { dstCountryIso3Code: "MEX", srcCurrencyIso3Code: "USD", dstCurrencyIso3Code: "MXN" };
const price = { ...route, amount: 12550 };

// Each line below is an error.

createRemitKit({ baseUrl: "https://api.example", token: "t" });
createRemitKit({ ...options, token: () => ({ client_id: "a", client_secret: "b" }) });
createRemitKit({ ...options, timeoutMS: 5 });
createRemitKit({ ...options, journal: { get: () => "", set() {}, keys: () => [] } });
createRemitKit({ ...options, journal: "tab" });

toMinorUnits(125.5, usd);
toMinorUnits("125.50", "USD");
fromMinorUnits("12550", usd);
formatAmount(12550, "en-US");
disclosureTexts(quote);
disclosureTexts([7]);

remit.quote({ ...price, quoteBy: "SEND_AMOUNT", transferMethod: "PUSH_TO_CRAD" });
remit.quote({ ...price, quoteBy: "SEND" });
remit.quote(route);
remit.quote({ ...route, amount: "12550" });
remit.corridors({ country: "MEX" });
remit.corridors({ transferMethod: "BANK" });
remit.senderFields({ senderType: "COMPANY" });
remit.cancelCustomerHold("t", { reason: "FRAUD" });
remit.nonce(new AbortController().signal);
remit.getQuote(7);
remit.createRecipient();
remit.request({ method: "GET", path: "v1/corridors" });
remit.request({ method: "get", path: "/v1/corridors" });
remit.free();

remit.cardForm({ theme: {} });
remit.cardForm({ container: "#card", theme: { showStep: 2 } });
remit.cardForm({ container: "#card", theme: { lng: "fr" } });
remit.cardForm({ container: "#card", theme: { buttonTextCase: "LOWER" } });
remit.cardForm({ container: "#card", theme: { colour: "red" } });
remit.cardForm({ container: "#card", loadError: false });
remit.cardForm({ container: "#card", loadError: { mesage: "" } });
lightTheme.text = "#000";
form.on("CARD_VALIDATION_STOP", () => {});
form.on("READY", (event) => event.reason);
form.completed = Promise.resolve({ cardId: "c", sessionId: "s" });

remit.pushToCard(push).completed;
remit.pushToCard({ ...push, sessionId: "s" });
step.attempt.submit();

attempt.quoteHistoryId = "another";
attempt.nonce = "another";
attempt.submit(request);
export const made: remitkit.TransferAttempt = { quoteHistoryId: "q", nonce: "n" };

error.kind === "invalidRequest";
error.code === "QuotExpired";
error.resolution === "fetch_a_new_quote";
export const texts: Partial<Record<remitkit.ErrorCode, string>> = { QuotExpired: "Too late." };
thrown.code;
export const never: never = isRemitError(error);
quote.totalCost.value;

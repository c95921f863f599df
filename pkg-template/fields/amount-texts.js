import { builtIn } from "./texts.js";

const ENGLISH = {
  group: "Amount",
  send: "You send",
  receive: "They receive",
  method: "How they receive it",
  fee: "Fee",
  total: "Total to pay",
  rate: "Exchange rate",
  arrives: "Arrives",
  timer: "This price is valid for {time}.",
  expired: "This price has expired.",
  refresh: "Get a new price",
  retry: "Try again",
  invalid: "Enter an amount, such as {example}.",
  min: "Send at least {amount}.",
  max: "Send at most {amount}.",
  missing: "Wait for the price.",
  price: "You send {send} and pay {total} in total. They receive {receive}.",
  BANK_ACCOUNT: "Bank account",
  PUSH_TO_CARD: "Debit card",
  CASH_PICKUP: "Cash pickup",
  MOBILE_WALLET: "Mobile wallet",
};

/** Returns a function that returns a text by name, with these values in it; the page's own come first. */
export async function amountTexts(language, own) {
  const texts = { ...ENGLISH, ...(await builtIn(language))?.amount, ...own };
  return (name, values = {}) => (texts[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

import { isSpanish } from "../locale.js";

const ENGLISH = {
  group: "Amount",
  send: "You send",
  receive: "They receive",
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
};

const SPANISH = {
  group: "Monto",
  send: "Usted envía",
  receive: "Reciben",
  fee: "Comisión",
  total: "Total a pagar",
  rate: "Tipo de cambio",
  arrives: "Llega",
  timer: "Este precio vale por {time}.",
  expired: "Este precio venció.",
  refresh: "Obtener un precio nuevo",
  retry: "Intentar de nuevo",
  invalid: "Escriba un monto, como {example}.",
  min: "Envíe al menos {amount}.",
  max: "Envíe como máximo {amount}.",
  missing: "Espere el precio.",
  price: "Usted envía {send} y paga {total} en total. Reciben {receive}.",
};

/** Returns a function that returns a text by name, with these values in it; the page's own come first. */
export function amountTexts(language, own = {}) {
  const texts = { ...(isSpanish(language) ? SPANISH : ENGLISH), ...own };
  return (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

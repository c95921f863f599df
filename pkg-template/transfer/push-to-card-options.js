import { invalid, toPlain } from "./transfer-imports.js";

const CODE = "InvalidRequest";
const METHOD = "PUSH_TO_CARD";
const NAME = /^[^]{1,255}$/u;
const NAMED = "a text of 1 to 255 characters";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the options of `pushToCard`, already plain data, and refuses invalid ones before a card is entered.
 */
export function readPushToCard(options) {
  const { corridor, srcCurrencyIso3Code, dstCurrencyIso3Code, recipientId, ...others } = options;
  const { amount, quoteBy = "SEND_AMOUNT", recipientType = "PERSON", ...more } = others;
  const { fields = [], transfer = {}, paymentId, ...form } = more;
  if (form.sessionId !== undefined) {
    const expected = "left out: the flow begins a session each time that a card is asked for";
    throw invalid(CODE, "sessionId", expected);
  }
  const { destinationCountry, sourceCurrency, destinationCurrency } = readCorridor(corridor);
  return {
    route: {
      dstCountryIso3Code: destinationCountry.iso3Code,
      dstCurrencyIso3Code: currencyOf(destinationCurrency, dstCurrencyIso3Code, "dstCurrencyIso3Code"),
      transferMethod: METHOD,
    },
    price: {
      srcCurrencyIso3Code: currencyOf(sourceCurrency, srcCurrencyIso3Code, "srcCurrencyIso3Code"),
      quoteBy: matching(quoteBy, /^[A-Z][A-Z0-9_]*$/, "quoteBy", "SEND_AMOUNT or RECEIVE_AMOUNT"),
      amount: readAmount(amount),
    },
    recipientId: matching(recipientId, UUID, "recipientId", "a UUID of a recipient", "InvalidRecipientId"),
    recipientType,
    payment: paymentId === undefined ? {} : { paymentId: matching(paymentId, NAME, "paymentId", NAMED) },
    fields: source(fields, "fields"),
    transfer: source(transfer, "transfer"),
    form,
  };
}

const isObject = (value) => typeof value === "object" && value !== null;

function readCorridor(corridor) {
  const isCode = (record) => /^[A-Z]{3}$/.test(record?.iso3Code);
  const isList = (list) => Array.isArray(list) && list.length > 0 && list.every(isCode);
  const { destinationCountry, sourceCurrency, destinationCurrency, transferMethod } = isObject(corridor)
    ? corridor
    : {};
  if (!isCode(destinationCountry) || !isList(sourceCurrency) || !isList(destinationCurrency)) {
    throw invalid(CODE, "corridor", "an element of what corridors() gives");
  }
  if (transferMethod !== METHOD) throw invalid(CODE, "corridor", `one whose transferMethod is ${METHOD}`);
  return corridor;
}

function currencyOf(currencies, wanted, option) {
  const codes = currencies.map((currency) => currency.iso3Code);
  if (wanted === undefined && codes.length === 1) return codes[0];
  if (!codes.includes(wanted)) {
    throw invalid(CODE, option, `of the corridor's currencies: ${codes.join(", ")}`);
  }
  return wanted;
}

function readAmount(amount) {
  const isWhole = typeof amount === "bigint" || Number.isSafeInteger(amount);
  if (!isWhole || amount < 0 || amount >= 2n ** 63n) {
    throw invalid("InvalidAmount", "amount", "a whole number of minor units, at least 0");
  }
  return amount;
}

function matching(value, pattern, option, expected, code = CODE) {
  if (typeof value !== "string" || !pattern.test(value)) throw invalid(code, option, expected);
  return value;
}

/** Returns a function that gives plain data: the option, or what the page's function returns each time. */
function source(given, option) {
  const readPlain = (value) => {
    if (isObject(value)) return toPlain(value, option, CODE);
    throw invalid(CODE, option, "plain data, or a function that gives it");
  };
  if (typeof given !== "function") {
    const data = readPlain(given);
    return async () => data;
  }
  return async (argument) => {
    let answer;
    try {
      answer = await given(argument);
    } catch (cause) {
      throw invalid(CODE, option, "a function that does not fail", { cause });
    }
    return readPlain(answer);
  };
}

import { invalid, toPlain } from "./transfer-imports.js";

const CODE = "InvalidRequest";
const METHOD = "PUSH_TO_CARD";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the options of `pushToCard`. Refuses invalid ones before the customer has entered a card. */
export function readPushToCard(options) {
  const {
    corridor,
    srcCurrencyIso3Code,
    dstCurrencyIso3Code,
    amount,
    quoteBy = "SEND_AMOUNT",
    recipientId,
    recipientType = "PERSON",
    fields = [],
    transfer = {},
    ...form
  } = options;
  if (form.sessionId !== undefined) {
    throw invalid(
      CODE,
      "sessionId",
      "left out: the flow begins a session each time that a card is asked for",
    );
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
    recipientId: matching(
      recipientId,
      UUID,
      "recipientId",
      "a UUID from createRecipient",
      "InvalidRecipientId",
    ),
    recipientType,
    fields: source(fields, "fields"),
    transfer: source(transfer, "transfer"),
    form,
  };
}

function readCorridor(corridor) {
  const copy = typeof corridor === "object" ? toPlain(corridor, "corridor", CODE) : undefined;
  const isCode = (record) => /^[A-Z]{3}$/.test(record?.iso3Code);
  const isList = (list) => Array.isArray(list) && list.length > 0 && list.every(isCode);
  if (
    !isCode(copy?.destinationCountry) ||
    !isList(copy.sourceCurrency) ||
    !isList(copy.destinationCurrency)
  ) {
    throw invalid(CODE, "corridor", "an element of what corridors() gives");
  }
  if (copy.transferMethod !== METHOD) {
    throw invalid(CODE, "corridor", `one whose transferMethod is ${METHOD}`);
  }
  return copy;
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
  if (!(typeof amount === "bigint" || Number.isSafeInteger(amount)) || amount < 0) {
    throw invalid("InvalidAmount", "amount", "a whole number of minor units, at least 0");
  }
  return amount;
}

function matching(value, pattern, option, expected, code = CODE) {
  if (typeof value !== "string" || !pattern.test(value)) throw invalid(code, option, expected);
  return value;
}

/**
 * Returns a function that gives plain data: the option itself, or what the page's function returns each time.
 */
function source(given, option) {
  const readPlain = (value) => {
    if (typeof value !== "object" || value === null) {
      throw invalid(CODE, option, "plain data, or a function that gives it");
    }
    return toPlain(value, option, CODE);
  };
  if (typeof given !== "function") {
    const copy = readPlain(given);
    return async () => copy;
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

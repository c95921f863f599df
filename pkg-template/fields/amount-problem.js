// What is wrong with an amount. Loaded beside the texts, and nothing is asked before. It is given what it shares
// with the amount's element instead of importing it, which would make bundlers split the page's first script.

export const ENGLISH = {
  empty: "Enter an amount.",
  invalid: "Use digits only, such as {example}",
  decimals: "{currency} has at most {places} decimals.",
  whole: "{currency} has no decimals.",
  meant: "Did you mean {meant}?",
  point: "Use a point for decimals: {example}",
  comma: "Use a comma for decimals: {example}",
  range: "From {min} to {max} in one transfer.",
  min: "Enter {amount} or more.",
  max: "Enter {amount} or less: that is the most in one transfer.",
};

const MAX_PLACES = 8;

/** Judges amounts, in words of a language that say how to correct them. */
export class AmountProblem {
  #tools;
  #texts;
  #language;

  constructor(tools, texts, language) {
    this.#tools = tools;
    this.#texts = texts;
    this.#language = language;
  }

  /** Says why what was typed is no amount. */
  ofText(typed, { iso3Code, decimalPlaces: places }) {
    const [{ bareOf, parseDigits }, texts, language] = [this.#tools, this.#texts, this.#language];
    const text = bareOf(typed, { iso3Code });
    const parse = (one) => parseDigits(one, { decimalPlaces: MAX_PLACES }, language);
    const show = (decimal, minimumFractionDigits) => {
      const options = { minimumFractionDigits, maximumFractionDigits: MAX_PLACES };
      return new Intl.NumberFormat(language, options).format(decimal);
    };
    const exact = parse(text);
    if (text === "" || (exact !== undefined && BigInt(exact) === 0n)) return texts("empty");
    if (exact !== undefined) {
      const problem = texts(places === 0 ? "whole" : "decimals", { currency: iso3Code, places });
      // Who groups digits by the sign for decimals means a whole number.
      const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(text);
      return isGrouped ? `${texts("meant", { meant: show(text.replace(/\D/g, "")) })} ${problem}` : problem;
    }
    const swapped = text.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
    if (swapped === text || parse(swapped) === undefined) return texts("invalid", { example: show("1250", places) });
    return texts(show("1.5").includes(".") ? "point" : "comma", { example: swapped });
  }

  /** Says which limit an amount to send violates, if any. */
  ofLimits(units, currency, { min = units, max = units }) {
    const [name, limit] = BigInt(units) < BigInt(min) ? ["min", min] : ["max", max];
    const isWithin = name === "max" && BigInt(units) <= BigInt(max);
    return isWithin ? undefined : this.#texts(name, { amount: this.#format(limit, currency) });
  }

  /** Says that a price is for another amount than was asked for. None such counts, even if its figures are shown. */
  ofQuote({ sendAmount, receiveAmount }, { amount, quoteBy, srcCurrencyIso3Code, dstCurrencyIso3Code }) {
    const isSend = quoteBy === "SEND_AMOUNT";
    const [fixed, code] = isSend ? [sendAmount, srcCurrencyIso3Code] : [receiveAmount, dstCurrencyIso3Code];
    if (`${fixed?.value}` === `${amount}` && fixed.currency.iso3Code === code) return undefined;
    return this.#tools.failure("UnreadableReply", "The quote is for another amount than was asked for.").userMessage;
  }

  /** Returns a hint at the limits, if there are both. */
  rangeText(currency, { min, max }) {
    if (min === undefined || max === undefined) return "";
    return this.#texts("range", { min: this.#format(min, currency), max: this.#format(max, currency) });
  }

  #format(value, currency) {
    return this.#tools.formatAmount({ value, currency }, this.#language);
  }
}

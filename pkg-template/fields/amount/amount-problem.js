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
  #words;
  #limits;

  /** `limits` returns those of a method and a currency. */
  constructor(tools, words, limits) {
    this.#tools = tools;
    this.#words = words;
    this.#limits = limits;
  }

  /** Says what is wrong with what was typed, if anything. */
  ofEntry({ text, side, route, units }) {
    if (units === undefined) return this.#ofText(text, route[side]);
    return side === "send" ? this.ofLimits(units, route) : undefined;
  }

  // Says why what was typed is no amount.
  #ofText(typed, currency) {
    const { iso3Code, decimalPlaces: places } = currency;
    const [{ bareOf, parseDigits, swapped }, { textOf, language }] = [this.#tools, this.#words];
    const text = bareOf(typed, currency, language);
    const parse = (one) => parseDigits(one, { decimalPlaces: MAX_PLACES }, language);
    const show = (decimal, minimumFractionDigits) => {
      const options = { minimumFractionDigits, maximumFractionDigits: MAX_PLACES };
      return new Intl.NumberFormat(language, options).format(decimal);
    };
    const exact = parse(text);
    if (text === "" || (exact !== undefined && BigInt(exact) === 0n)) return textOf("empty");
    if (exact !== undefined) {
      const problem = textOf(places === 0 ? "whole" : "decimals", { currency: iso3Code, places });
      // Who groups digits by the sign for decimals means a whole number.
      const isGrouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(text);
      return isGrouped ? textOf("meant", { meant: show(text.replace(/\D/g, "")) }).and(problem) : problem;
    }
    const other = swapped(text);
    if (other === text || parse(other) === undefined) return textOf("invalid", { example: show("1250", places) });
    if (places === 0) return textOf("whole", { currency: iso3Code });
    return textOf(show("1.5").includes(".") ? "point" : "comma", { example: other });
  }

  /** Says which limit of a method an amount to send violates, if any. */
  ofLimits(units, route, method) {
    const { min = units, max = units } = this.#limitsOf(route, method);
    const [name, limit] = BigInt(units) < BigInt(min) ? ["min", min] : ["max", max];
    const isWithin = name === "max" && BigInt(units) <= BigInt(max);
    return isWithin ? undefined : this.#words.textOf(name, { amount: this.#amountOf(limit, route) });
  }

  /**
   * Says why the price for a request must not be used, if so: none for another amount than was asked for counts, even
   * if its figures are shown.
   */
  ofQuote({ sendAmount, receiveAmount }, { amount, quoteBy, srcCurrencyIso3Code, dstCurrencyIso3Code }, route) {
    const isSend = quoteBy === "SEND_AMOUNT";
    const [fixed, code] = isSend ? [sendAmount, srcCurrencyIso3Code] : [receiveAmount, dstCurrencyIso3Code];
    const isSame = `${fixed?.value}` === `${amount}` && fixed.currency.iso3Code === code;
    if (isSame) return this.ofLimits(sendAmount.value, route);
    const { errorText, failure } = this.#tools;
    const error = failure("UnreadableReply", "The quote is for another amount than was asked for.");
    return errorText(error, this.#words.language);
  }

  /** Returns a hint at the limits, if there are both. */
  rangeText(route) {
    const { min, max } = this.#limitsOf(route);
    if (min === undefined || max === undefined) return "";
    return this.#words.textOf("range", { min: this.#amountOf(min, route), max: this.#amountOf(max, route) });
  }

  #limitsOf({ corridor, send }, method = corridor.transferMethod) {
    return this.#limits(method, send.iso3Code);
  }

  #amountOf(value, { send: currency }) {
    return this.#words.amountOf({ value, currency });
  }
}

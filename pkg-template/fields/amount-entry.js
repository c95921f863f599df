import { typedText, unitsOf } from "./typed-amount.js";

/** The sides of a transfer, and what a quote by them is called. */
export const SIDES = { send: "SEND_AMOUNT", receive: "RECEIVE_AMOUNT" };

/** What the customer typed, on a route, and what is wrong with it. */
export class AmountEntry {
  #inputOf;
  #language;
  #judge;
  /** The side that was typed last, whose amount is sent. */
  side = "send";
  /** Whether a missing amount is to be said, as the customer wanted to go on. */
  isChecked = false;
  route;
  /** The page's limits, or a function that returns them. */
  limits;

  /** `inputOf` returns the input of a side. */
  constructor(inputOf) {
    this.#inputOf = inputOf;
  }

  get input() {
    return this.#inputOf(this.side);
  }

  get isBlank() {
    return this.input.value.trim() === "";
  }

  get method() {
    return this.route?.corridor.transferMethod;
  }

  /** What was typed last, in minor units; undefined if that is no amount. */
  get units() {
    const { side, route } = this;
    return route && this.#judge && unitsOf(this.input.value, route[side], this.#language);
  }

  /** Takes a text as typed. */
  type(side, text) {
    this.take(side);
    this.input.value = text;
  }

  /** Makes a side that which counts. */
  take(side) {
    [this.side, this.isChecked] = [side, false];
  }

  /** Makes what is sent count, `initial` if nothing was. */
  goBySend(initial) {
    this.type("send", this.#inputOf("send").value || initial);
  }

  /** Speaks another language, as `judge` does. What was typed keeps its meaning: "1,234" is another amount there. */
  translate(language, judge) {
    const value = language === this.#language ? undefined : this.units;
    [this.#language, this.#judge] = [language, judge];
    if (value !== undefined) this.show(this.side, { value, currency: this.route[this.side] });
  }

  /** Shows an amount, but leaves what is being typed as it is, as long as it means the same. */
  show(side, amount) {
    const [input, currency] = [this.#inputOf(side), this.route[side]];
    const text = amount ? typedText(amount, this.#language) : "";
    const isTyping = input.getRootNode().activeElement === input && this.side === side;
    const unitsOfText = (typed) => `${unitsOf(typed, currency, this.#language)}`;
    if (!isTyping || unitsOfText(input.value) !== unitsOfText(text)) input.value = text;
  }

  /** What is wrong with the text; undefined if it is an amount that may be sent. */
  get problem() {
    const { side, route, units, input } = this;
    if (units === undefined) return this.#judge.ofText(input.value, route[side]);
    return side === "send" ? this.limitProblem(units) : undefined;
  }

  limitProblem(units, method = this.method) {
    return this.#judge.ofLimits(units, this.route.send, this.#limitsOf(method));
  }

  quoteProblem(quote, request) {
    return this.#judge.ofQuote(quote, request) ?? this.limitProblem(quote.sendAmount.value);
  }

  get rangeText() {
    return this.route && this.#judge?.rangeText(this.route.send, this.#limitsOf(this.method));
  }

  #limitsOf(method) {
    const { limits, route } = this;
    return (typeof limits === "function" ? limits(method, route.send.iso3Code) : limits) ?? {};
  }
}

import { typedText, unitsOf } from "./typed-amount.js";

/** The sides of a transfer, and what a quote by them is called. */
export const SIDES = { send: "SEND_AMOUNT", receive: "RECEIVE_AMOUNT" };

/** The texts of both amounts, and which was typed last. */
export class AmountEntry {
  #language;
  // The last route, in whose currencies the texts are.
  #known;
  // Whether the last text was typed while the currencies of another country were still looked up, and none was shown.
  #isOfNext = false;
  // The currency of an amount of an earlier visit, until there is a route.
  #kept;
  /** The side that was typed last, whose amount is sent. */
  side = "send";
  texts = { send: "", receive: "" };
  /** Whether a missing amount is to be said, as the customer wanted to go on. */
  isChecked = false;
  /** Whether a price was asked for what was typed: until then, none of an earlier one is shown or sent. */
  isAsked = false;
  route;

  get text() {
    return this.texts[this.side];
  }

  get isBlank() {
    return this.text.trim() === "";
  }

  /** What was typed last, in minor units; undefined if that is no amount. */
  get units() {
    return this.#unitsOf(this.text, this.side);
  }

  /** The currency of what was typed last, once that is known. */
  get currency() {
    return this.#kept ?? (this.#isOfNext ? undefined : this.#known?.[this.side].iso3Code);
  }

  /** Takes a text as typed: this side counts from now on. */
  type(side, text) {
    this.#kept = undefined;
    this.side = side;
    this.texts[side] = text;
    this.isChecked = false;
    this.isAsked = false;
    this.#isOfNext = this.route === undefined;
  }

  /** Takes back what was typed at an earlier visit, in a currency that the next route must have: see `fits`. */
  restore({ side, text, currency }) {
    this.type(side, text);
    this.#kept = currency;
    this.#isOfNext = true;
  }

  /** Returns whether what was typed may be an amount in the currencies of a route. */
  fits(route) {
    return this.#kept === undefined || this.#kept === route[this.side].iso3Code;
  }

  /** Makes what is sent count, `initial` if nothing was. */
  goBySend(initial) {
    this.type("send", this.texts.send || initial);
  }

  /**
   * Goes over to a language, and to a route if there is one. What was typed keeps its meaning: "1,234" is another
   * amount in another language. In another currency, an amount to send is as many units of that, but an amount to
   * receive means nothing: what is sent counts, `initial` if nothing was. Where the customer `isTyping`, a text stays
   * that means the same.
   */
  translate(language, route, initial, isTyping) {
    const [spoken, before] = [this.#language, this.#known];
    const now = route ?? before;
    this.#language = language;
    this.route = route;
    this.#known = now;
    const isOfNext = this.#isOfNext;
    if (route) [this.#isOfNext, this.#kept] = [false, undefined];
    if (before === undefined) return;
    for (const side of Object.keys(SIDES)) {
      if (route && isOfNext && side === this.side) continue;
      const currency = before[side];
      const [places, otherPlaces] = [currency.decimalPlaces, now[side].decimalPlaces];
      const value = unitsOf(this.texts[side], currency, spoken);
      const isSame = language === spoken || (isTyping(side) && unitsOf(this.texts[side], currency, language) === value);
      if (value === undefined || (isSame && places === otherPlaces)) continue;
      this.texts[side] = typedText({ value, currency }, language, Math.min(places, otherPlaces));
    }
    const isOther = before.receive.iso3Code !== now.receive.iso3Code;
    if (isOther && this.side === "receive" && !isOfNext) this.goBySend(initial);
  }

  /** Shows an amount, but leaves what the customer `isTyping` as it is, as long as it means the same. */
  show(side, amount, isTyping) {
    const text = amount ? typedText(amount, this.#language) : "";
    const isSame = `${this.#unitsOf(this.texts[side], side)}` === `${this.#unitsOf(text, side)}`;
    if (!isTyping || !isSame) this.texts[side] = text;
  }

  #unitsOf(text, side) {
    return this.route && unitsOf(text, this.route[side], this.#language);
  }
}

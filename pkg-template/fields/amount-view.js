import { make, showText, slot } from "./dom.js";

let count = 0;

/** Shows both amounts, with places for what is chosen before them, and for the price. */
export class AmountView {
  #hint = make("p", "hint");
  #problem = make("p", "problem");
  /** What the ids of its elements begin with. */
  id = `remit-amount-${(count += 1)}`;
  legend = make("legend", "legend");
  summary = slot("summary");
  /** The elements of each side. */
  rows;

  /** `onTyped` is called with the side that was typed, and its text. */
  constructor(onTyped) {
    this.rows = { send: this.#row("send", onTyped), receive: this.#row("receive", onTyped) };
    this.legend.className = "quiet";
    this.#hint.id = `${this.id}-hint`;
    this.#problem.id = `${this.id}-problem`;
    this.#problem.setAttribute("aria-live", "polite");
    const rows = Object.values(this.rows).map(({ element }) => element);
    const about = [this.#hint, this.#problem, this.summary, slot("below")];
    this.place = make("fieldset", "form", this.legend, ...rows, ...about);
    // Until there are texts.
    this.place.hidden = true;
  }

  #row(side, onTyped) {
    const label = make("label", "label");
    const input = make("input", "control input");
    const currency = make("span", "currency");
    Object.assign(input, { autocomplete: "off", dir: "ltr", id: `${this.id}-${side}` });
    currency.id = `${input.id}-currency`;
    input.setAttribute("aria-describedby", `${this.id}-problem ${this.id}-hint ${currency.id}`);
    label.htmlFor = input.id;
    input.addEventListener("input", () => onTyped(side, input.value));
    const element = make("div", "row", label, make("div", "box", input, currency));
    element.dataset.side = side;
    return { element, label, input, currency };
  }

  /** Takes a page's own elements into their slots, where there is no shadow root that does. */
  take(elements) {
    for (const element of [...elements]) {
      this.place.querySelector(`slot[name="${element.slot}"]`)?.replaceChildren(element);
    }
  }

  /** Returns whether the customer is typing on a side. */
  hasFocus(side) {
    const { input } = this.rows[side];
    return input.getRootNode().activeElement === input;
  }

  show({ required, isLoading }, { words: { textOf }, entry, error, judge, isSendOnly, problem, isUsable }) {
    this.place.hidden = false;
    showText(this.legend, textOf("group"));
    for (const [side, { label, input, currency }] of Object.entries(this.rows)) {
      const { iso3Code, decimalPlaces } = entry.route?.[side] ?? {};
      showText(label, textOf(side));
      if (!currency.firstElementChild) showText(currency, iso3Code);
      // The other side's figure belongs to an earlier amount: it stays, but pale, only until the price is there.
      const isStale = side !== entry.side && !isUsable;
      const text = isStale && error ? "" : entry.texts[side];
      // WebKit clears what is not to be autofilled when it shows a page again, and says nothing.
      if (input.value !== text) input.value = text;
      input.inputMode = decimalPlaces === 0 ? "numeric" : "decimal";
      input.setAttribute("aria-invalid", problem !== undefined && side === entry.side);
      input.setAttribute("aria-required", required);
      input.toggleAttribute("data-stale", isStale);
    }
    this.rows.receive.input.readOnly = isSendOnly;
    showText(this.#problem, problem);
    // A problem takes its place.
    showText(this.#hint, problem || !entry.route ? "" : judge?.rangeText(entry.route));
    this.place.setAttribute("aria-busy", isLoading);
  }
}

import { make, showText, slot } from "./dom.js";

let count = 0;

/** Shows both amounts, with places for what is chosen before them, and for the price. */
export class AmountView {
  #rows;
  #legend = make("legend", "legend");
  #hint = make("p", "hint");
  #problem = make("p", "problem");
  #summary = slot("summary");
  /** What the ids of its elements begin with. */
  id = `remit-amount-${(count += 1)}`;

  /** `onTyped` is called with the side that was typed. */
  constructor(onTyped) {
    this.#rows = { send: this.#row("send", onTyped), receive: this.#row("receive", onTyped) };
    this.#legend.className = "quiet";
    this.#hint.id = `${this.id}-hint`;
    this.#problem.id = `${this.id}-problem`;
    this.#problem.setAttribute("aria-live", "polite");
    const rows = Object.values(this.#rows).map(({ element }) => element);
    this.place = make("fieldset", "form", this.#legend, ...rows, this.#hint, this.#problem, this.#summary, slot("below"));
    // Until there are texts.
    this.place.hidden = true;
  }

  #row(side, onTyped) {
    const [label, input, currency] = [make("label", "label"), make("input", "control input"), make("span", "currency")];
    Object.assign(input, { autocomplete: "off", dir: "ltr", id: `${this.id}-${side}` });
    currency.id = `${input.id}-currency`;
    input.setAttribute("aria-describedby", `${this.id}-problem ${this.id}-hint ${currency.id}`);
    label.htmlFor = input.id;
    input.addEventListener("input", () => onTyped(side));
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

  addChoice(element) {
    this.#legend.after(element);
  }

  addPrice(elements) {
    this.#summary.append(...elements);
  }

  inputOf(side) {
    return this.#rows[side].input;
  }

  /** Returns the place of a side's currency. */
  currencyOf(side) {
    return this.#rows[side].currency;
  }

  /** Shows a state: `side` was typed last, `route` has the currencies. */
  show(texts, { side, route, isRequired, isSendOnly, hint, problem, isLoading, isUsable }) {
    this.place.hidden = false;
    showText(this.#legend, texts("group"));
    for (const [name, { label, input, currency }] of Object.entries(this.#rows)) {
      const { iso3Code, decimalPlaces } = route?.[name] ?? {};
      showText(label, texts(name));
      if (!currency.firstElementChild) showText(currency, iso3Code);
      input.inputMode = decimalPlaces === 0 ? "numeric" : "decimal";
      input.setAttribute("aria-invalid", problem !== undefined && name === side);
      input.setAttribute("aria-required", isRequired);
      // The other side's figure belongs to an earlier amount.
      input.toggleAttribute("data-stale", name !== side && !isUsable);
    }
    this.inputOf("receive").readOnly = isSendOnly;
    showText(this.#problem, problem);
    // A problem takes its place.
    showText(this.#hint, problem ? "" : hint);
    this.place.setAttribute("aria-busy", isLoading);
  }
}

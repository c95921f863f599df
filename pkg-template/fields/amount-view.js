import { make, makeButton, makeMessage, showText } from "./dom.js";

let count = 0;

/** Shows both amounts, the price, and the methods to choose among. */
export class AmountView {
  #rows;
  #legend = make("legend", "legend");
  #problem = make("p", "problem");
  #price = make("dl", "summary");
  #timer = make("p", "timer");
  #status = makeMessage("status", "status");
  #refresh;
  #id = `remit-amount-${(count += 1)}`;

  /** `onTyped` is called with the side that was typed. */
  constructor(root, { onTyped, onRefresh }) {
    this.#refresh = makeButton("refresh", "", onRefresh);
    this.#rows = Object.fromEntries(["send", "receive"].map((side) => [side, this.#row(side, onTyped)]));
    const rows = Object.values(this.#rows).map(({ element }) => element);
    this.#legend.className = this.#status.className = "quiet";
    this.#problem.id = `${this.#id}-problem`;
    this.#problem.setAttribute("aria-live", "polite");
    this.place = make("fieldset", "form", this.#legend, ...rows, this.#problem, this.#price);
    this.place.append(this.#timer, this.#refresh, this.#status);
    root.append(this.place);
  }

  #row(side, onTyped) {
    const [label, input, currency] = [make("label", "label"), make("input", "control input"), make("span", "currency")];
    Object.assign(input, { inputMode: "decimal", autocomplete: "off", dir: "ltr", id: `${this.#id}-${side}` });
    input.setAttribute("aria-describedby", `${this.#id}-problem`);
    label.htmlFor = input.id;
    input.addEventListener("input", () => onTyped(side));
    return { element: make("div", "row", label, make("div", "box", input, currency)), label, input, currency };
  }

  /** Adds what belongs between amounts and price. */
  add(element) {
    this.#price.before(element);
  }

  inputOf(side) {
    return this.#rows[side].input;
  }

  /**
   * Shows a state: `side` was typed last, `codes` are the currencies, `lines` the price, of which `isUsable` says
   * whether it holds, and `refresh` the text of the button, if it is to be there.
   */
  show(texts, { side, codes, isRequired, isReadOnly, problem, isLoading, isUsable, lines, status, refresh, time }) {
    showText(this.#legend, texts("group"));
    for (const [name, { label, input, currency }] of Object.entries(this.#rows)) {
      showText(label, texts(name));
      showText(currency, codes[name]);
      input.setAttribute("aria-invalid", problem !== undefined && name === side);
      input.setAttribute("aria-required", isRequired);
      // The other side's figure belongs to an earlier amount.
      input.toggleAttribute("data-stale", name !== side && !isUsable);
    }
    this.inputOf("receive").readOnly = isReadOnly;
    showText(this.#problem, problem);
    if (lines) {
      const rows = lines.map(([name, text]) => make("div", "line", make("dt", "name", name), make("dd", "value", text)));
      this.#price.replaceChildren(...rows);
    }
    this.#price.toggleAttribute("data-stale", !isUsable);
    // Who does not see that it is pale would take it for the price of what was typed.
    this.#price.setAttribute("aria-hidden", !isUsable);
    this.place.setAttribute("aria-busy", isLoading);
    // Not hidden, as a screen reader must know it before it says something.
    if (this.#status.textContent !== status) this.#status.textContent = status;
    showText(this.#refresh, refresh);
    showText(this.#timer, time);
  }
}

import { make, makeText, slot } from "../dom.js";
import { isEmptied } from "../page-shown.js";
import { makeFigure, showText } from "../sentence.js";
import { isEntry, TYPED } from "../typed-events.js";

let count = 0;

/** Shows these elements in a place, with a `gap` after each. Those that are there already are not moved. */
export function showOnly(place, elements, gap = []) {
  const { children } = place;
  if (children.length === elements.length && elements.every((one, at) => one === children[at])) return;
  place.replaceChildren(...elements.flatMap((one) => [one].concat(gap)));
}

/** Shows both amounts, with places for what is chosen beside them, and for the price. */
export class AmountView {
  #hint = make("p", "hint");
  /** What the ids of its elements begin with. */
  id = `remit-amount-${(count += 1)}`;
  legend = make("legend", "legend");
  summary = slot("summary");
  /** The elements of each side. */
  rows;

  /** `onTyped` is called with the side that was typed, and its text. */
  constructor(onTyped) {
    this.#hint.id = `${this.id}-hint`;
    this.rows = { send: this.#row("send", onTyped), receive: this.#row("receive", onTyped) };
    this.rows.send.element.append(this.#hint);
    this.legend.className = "quiet";
    const rows = Object.values(this.rows).map(({ element }) => element);
    this.place = make("fieldset", "form", this.legend, ...rows, this.summary, slot("below"));
    // Until there are texts.
    this.place.hidden = true;
  }

  #row(side, onTyped) {
    const label = make("label", "label");
    const input = make("input", "control input");
    const code = makeFigure();
    const currency = make("span", "currency", code);
    const problem = makeText("p", "problem");
    Object.assign(input, { autocomplete: "off", dir: "ltr", id: `${this.id}-${side}` });
    currency.id = `${input.id}-currency`;
    problem.id = `${input.id}-problem`;
    input.setAttribute("aria-describedby", `${problem.id} ${this.#hint.id} ${currency.id}`);
    label.htmlFor = input.id;
    const row = { label, input, currency, code, problem, text: "" };
    for (const type of TYPED) {
      input.addEventListener(type, (event) => this.#readRow(side, onTyped, isEntry(event)));
    }
    row.element = make("div", "row", label, make("div", "box", input, currency), problem);
    row.element.dataset.side = side;
    return row;
  }

  #readRow(side, onTyped, isEntered) {
    const row = this.rows[side];
    const { value } = row.input;
    if (value === row.text || (!isEntered && isEmptied(row.input))) return;
    row.text = value;
    onTyped(side, value);
  }

  /** Takes what stands in the controls, whatever events said so. */
  read(onTyped) {
    for (const side of Object.keys(this.rows)) this.#readRow(side, onTyped, false);
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

  show({ required, isLoading }, { words: { textOf }, entry, current, error, judge, isSendOnly, problem, isRevealing }) {
    this.place.hidden = false;
    showText(this.legend, textOf("group"));
    for (const [side, row] of Object.entries(this.rows)) {
      const { iso3Code, decimalPlaces } = entry.route?.[side] ?? {};
      const { label, input, code } = row;
      const isOwn = side === entry.side;
      showText(label, textOf(side));
      showText(code, iso3Code);
      // The other side's figure belongs to an earlier amount: it stays, but pale, only until the price is there.
      const isStale = !isOwn && !(current && entry.isAsked);
      const isOver = problem !== undefined || error !== undefined || entry.isBlank;
      row.text = isStale && isOver ? "" : entry.texts[side];
      // WebKit clears what is not to be autofilled when it shows a page again, and says nothing.
      if (input.value !== row.text) input.value = row.text;
      input.inputMode = decimalPlaces === 0 ? "numeric" : "decimal";
      input.setAttribute("aria-invalid", problem !== undefined && isOwn);
      input.setAttribute("aria-required", required);
      input.toggleAttribute("data-stale", isStale);
      // At a submission, it is told with the control that gets the focus.
      row.problem.setAttribute("aria-live", isRevealing ? "off" : "polite");
      showText(row.problem, isOwn ? problem : undefined);
    }
    this.rows.receive.input.readOnly = isSendOnly;
    // A problem takes its place.
    showText(this.#hint, problem || !entry.route ? "" : judge?.rangeText(entry.route));
    this.place.setAttribute("aria-busy", isLoading);
  }
}

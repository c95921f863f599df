import type { Currency } from "remitkit";
import { currencyName } from "../amounts";
import { t } from "../messages";
import { announce } from "./announcer";
import { fillSelect } from "./field";
import { h, on, setText, type LiveText } from "./dom";

export type Side = "send" | "receive";

export interface AmountPairEvents {
  typed: (side: Side) => void;
  currency: (side: Side, iso3Code: string) => void;
}

const NOTE_ID = "amount-note";
/** From these lengths on a figure is set in a smaller size on narrow screens. */
const LONG = 9;
const LONGEST = 13;
/** A pause in typing after which a problem is said aloud. */
const SPOKEN_AFTER_MS = 1_000;

export class AmountPair {
  readonly element: HTMLElement;
  readonly #rows;
  /** One line for both, as at most one side is wrong. */
  readonly #note = h("div.field-note", { id: NOTE_ID });
  #hint: LiveText | undefined;
  #problem: LiveText | undefined;
  #speaking: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly events: AmountPairEvents) {
    this.#rows = { send: this.#row("send"), receive: this.#row("receive") };
    const rows = Object.values(this.#rows).map(({ element }) => element);
    const label = () => t("amount.group");
    this.element = h("div.amount-pair", { role: "group", "aria-label": label }, ...rows, this.#note);
  }

  setCurrencies(side: Side, currencies: readonly Currency[], chosen: Currency): void {
    const { input, currency } = this.#rows[side];
    input.setAttribute("inputmode", chosen.decimalPlaces > 0 ? "decimal" : "numeric");
    if (currencies.length < 2) {
      currency.replaceChildren(h("abbr", { title: () => currencyName(chosen) }, chosen.iso3Code));
      return;
    }
    const select = h("select", { "aria-label": () => t(`amount.${side}.currency`) });
    const options = currencies.map(({ iso3Code }) => ({ value: iso3Code, label: () => iso3Code }));
    fillSelect(select, options, chosen.iso3Code);
    on(select, { change: () => this.events.currency(side, select.value) });
    currency.replaceChildren(h("div.select.bare", select));
  }

  text(side: Side): string {
    return this.#rows[side].input.value;
  }

  setText(side: Side, text: string): void {
    const { input } = this.#rows[side];
    if (input.value !== text) input.value = text;
    fitLength(input);
  }

  setStale(side: Side | undefined): void {
    for (const name of ["send", "receive"] as const) {
      this.#rows[name].element.toggleAttribute("data-stale", name === side);
    }
  }

  /** Shows a problem at one side and clears the other. */
  setProblem(side: Side, problem: LiveText | undefined): void {
    this.#problem = problem;
    for (const [name, { input }] of Object.entries(this.#rows)) {
      if (problem && name === side) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    this.#showNote();
  }

  /** Sets what stands in the place of a problem while there is none. */
  setHint(hint: LiveText | undefined): void {
    this.#hint = hint;
    this.#showNote();
  }

  #showNote(): void {
    this.#note.classList.toggle("problem", this.#problem !== undefined);
    setText(this.#note, this.#problem ?? this.#hint ?? "");
  }

  /** Focuses a side and says its problem, which a focus that is there already would not. */
  focusProblem(side: Side): void {
    this.focus(side);
    this.#speak();
  }

  focus(side: Side): void {
    this.#rows[side].input.focus();
  }

  #speak(): void {
    clearTimeout(this.#speaking);
    if (this.#problem && this.element.isConnected) announce(this.#problem());
  }

  #row(side: Side) {
    const id = `amount-${side}`;
    const input = h("input", {
      id,
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      maxlength: 24,
      "aria-describedby": NOTE_ID,
    });
    on(input, {
      input: () => {
        fitLength(input);
        this.events.typed(side);
        clearTimeout(this.#speaking);
        this.#speaking = setTimeout(() => this.#speak(), SPOKEN_AFTER_MS);
      },
    });
    const currency = h("div.amount-currency");
    const element = h("div.field.stack.tight", [
      h("label", { for: id }, () => t(`summary.${side}`)),
      h("div.control.amount-control", input, currency),
    ]);
    return { element, input, currency };
  }
}

function fitLength(input: HTMLInputElement): void {
  const { length } = input.value;
  if (length > LONG) input.setAttribute("data-long", length > LONGEST ? "most" : "");
  else input.removeAttribute("data-long");
}

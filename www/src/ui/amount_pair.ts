import type { Currency } from "remitkit";
import { currencyName } from "../amounts";
import { t } from "../messages";
import { fillSelect } from "./field";
import { h, on, setText, type LiveText } from "./dom";

export type Side = "send" | "receive";

// From here on a figure is written smaller where there is little room.
const LONG = 9;
const LONGEST = 13;

interface Row {
  element: HTMLElement;
  input: HTMLInputElement;
  currency: HTMLElement;
  note: HTMLElement;
}

export interface AmountPairEvents {
  typed: (side: Side, text: string) => void;
  currency: (side: Side, iso3Code: string) => void;
}

/** The two amounts of a transfer, each with its currency; typing in one asks for the other. */
export class AmountPair {
  readonly element: HTMLElement;
  readonly #rows: Record<Side, Row>;
  readonly #events: AmountPairEvents;

  constructor(events: AmountPairEvents) {
    this.#events = events;
    this.#rows = { send: this.#row("send", () => t("amount.send")), receive: this.#row("receive", () => t("amount.receive")) };
    this.element = h(
      "div",
      { class: "amount-pair", role: "group", "aria-label": () => t("amount.group") },
      this.#rows.send.element,
      this.#rows.receive.element,
    );
  }

  setCurrencies(side: Side, currencies: readonly Currency[], chosen: Currency): void {
    const row = this.#rows[side];
    row.input.setAttribute("inputmode", chosen.decimalPlaces > 0 ? "decimal" : "numeric");
    if (currencies.length < 2) {
      row.currency.replaceChildren(h("abbr", { title: () => currencyName(chosen) }, chosen.iso3Code));
      return;
    }
    const select = h("select", { "aria-label": () => t(side === "send" ? "amount.send.currency" : "amount.receive.currency") });
    fillSelect(
      select,
      currencies.map((one) => ({ value: one.iso3Code, label: () => one.iso3Code })),
      chosen.iso3Code,
    );
    on(select, { change: () => this.#events.currency(side, select.value) });
    row.currency.replaceChildren(h("div", { class: "select bare" }, select));
  }

  text(side: Side): string {
    return this.#rows[side].input.value;
  }

  /** Replaces the text of a side, unless it says the same already. */
  setText(side: Side, text: string): void {
    const { input } = this.#rows[side];
    if (input.value !== text) input.value = text;
    fit(input);
  }

  /** Marks the side whose figure is being worked out. */
  setStale(side: Side | undefined): void {
    for (const name of ["send", "receive"] as const) this.#rows[name].element.toggleAttribute("data-stale", name === side);
  }

  setProblem(side: Side, problem: LiveText | undefined): void {
    for (const [name, { input, note }] of Object.entries(this.#rows)) {
      const own = name === side ? problem : undefined;
      if (own) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      note.classList.toggle("problem", own !== undefined);
      setText(note, own ?? "");
    }
  }

  focus(side: Side): void {
    this.#rows[side].input.focus();
  }

  #row(side: Side, label: LiveText): Row {
    const id = `amount-${side}`;
    const input = h("input", { id, type: "text", inputmode: "decimal", autocomplete: "off", maxlength: 24, "aria-describedby": `${id}-note` });
    on(input, {
      input: () => {
        fit(input);
        this.#events.typed(side, input.value);
      },
    });
    const currency = h("div", { class: "amount-currency" });
    const note = h("div", { class: "field-note", id: `${id}-note` });
    const element = h(
      "div",
      { class: "field stack tight" },
      h("label", { for: id }, label),
      h("div", { class: "control amount-control" }, input, currency),
      note,
    );
    return { element, input, currency, note };
  }
}

function fit(input: HTMLInputElement): void {
  const { length } = input.value;
  if (length > LONG) input.setAttribute("data-long", length > LONGEST ? "most" : "");
  else input.removeAttribute("data-long");
}

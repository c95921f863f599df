import type { Currency, MinorUnits } from "remitkit";
import { money } from "../amounts";
import { serviceText, t } from "../messages";
import { triggerTable, type Means, type Trigger } from "../triggers";
import { h, on } from "./dom";
import { field } from "./field";
import { spaced } from "./test_cards";

export interface TriggerPickerOptions {
  /** The currency that is sent now. */
  currency: () => Currency | undefined;
  /** Makes this the amount to send, in minor units of that currency. */
  fill: (amount: MinorUnits) => void;
}

/** A tester's tool: the errors that the service gives on purpose and how to get them. Hidden without any. */
export class TriggerPicker {
  readonly element: HTMLElement;
  readonly #options: TriggerPickerOptions;
  readonly #select = h("select", { name: "trigger" });
  readonly #ways = h("ul", { class: "ways" });
  #chosen: Trigger[] = [];

  constructor(options: TriggerPickerOptions) {
    this.#options = options;
    this.element = h(
      "details",
      { class: "aside-note trigger-picker", hidden: true },
      h("summary", {}, () => t("trigger.title")),
      h(
        "div",
        { class: "stack" },
        h("p", { class: "muted" }, () => t("trigger.about")),
        field(this.#select, { label: () => t("trigger.code"), bare: true }).element,
        h("div", { role: "status" }, this.#ways),
      ),
    );
    void triggerTable().then((table) => table && this.#offer(table.triggers));
  }

  /** Fills the chosen amount in once more: the same minor units are another figure in another currency. */
  refill(): void {
    if (this.#chosen.length > 0) this.#show();
  }

  #offer(triggers: readonly Trigger[]): void {
    const calls = new Map<string, Map<string, Trigger[]>>();
    for (const trigger of triggers) {
      const codes = calls.get(trigger.operation) ?? new Map<string, Trigger[]>();
      codes.set(trigger.code, [...(codes.get(trigger.code) ?? []), trigger]);
      calls.set(trigger.operation, codes);
    }
    this.#select.replaceChildren(
      h("option", { value: "" }, () => t("field.choose")),
      ...[...calls].map(([call, codes]) =>
        h("optgroup", { label: call }, ...[...codes.keys()].map((code) => h("option", { value: `${call} ${code}` }, code))),
      ),
    );
    on(this.#select, {
      change: () => {
        const [call = "", code = ""] = this.#select.value.split(" ");
        this.#chosen = calls.get(call)?.get(code) ?? [];
        this.#show();
      },
    });
    this.element.hidden = false;
  }

  #show(): void {
    this.#ways.replaceChildren(...this.#chosen.map((trigger) => this.#way(trigger)));
    const amount = this.#chosen.map(({ means }) => means).find((means) => means.kind === "amount");
    if (amount) this.#options.fill(amount.amount);
  }

  #way({ code, operation, means }: Trigger): HTMLElement {
    return h("li", {}, () => (means.kind === "rule" ? serviceText("rule", code, means.rule) : this.#words(code, operation, means)));
  }

  #words(code: string, operation: string, means: Exclude<Means, { kind: "rule" }>): string {
    if (means.kind !== "amount") return triggerWords(code, operation, means);
    const currency = this.#options.currency();
    const amount = money(currency && { value: means.amount, currency });
    return t(operation === "quote" ? "trigger.amount.quote" : "trigger.amount", { amount });
  }
}

/** What to do for an error, in words; an amount is the affair of whoever fills it in. */
export function triggerWords(code: string, operation: string, means: Exclude<Means, { kind: "rule" | "amount" }>): string {
  switch (means.kind) {
    case "name":
      return t("trigger.name", { code, operation });
    case "card":
      return t("trigger.card", { number: spaced(means.number) });
    case "property":
      return t(means.value ? "trigger.property" : "trigger.property.none", { name: means.name, value: means.value, operation });
    case "field":
      return t(means.value ? "trigger.field" : "trigger.field.none", { name: means.id, value: means.value, operation });
  }
}

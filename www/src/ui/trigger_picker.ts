import type { Currency, MinorUnits } from "remitkit";
import { money } from "../amounts";
import { t } from "../messages";
import { triggerTable, type Means, type Trigger } from "../triggers";
import { h, on } from "./dom";
import { field } from "./field";
import { groupedNumber } from "./test_cards";

export type DirectMeans = Exclude<Means, { kind: "rule" | "amount" }>;

/** A testers' tool: the errors that the sandbox can cause, and how. Hidden without the sandbox's table. */
export class TriggerPicker {
  readonly element: HTMLElement;
  readonly #select = h("select", { name: "trigger" });
  readonly #ways = h("ul.ways");
  #triggers: readonly Trigger[] = [];

  /** `fill` gets the amount that causes the chosen error, in minor units of the current `currency`. */
  constructor(
    private readonly currency: () => Currency | undefined,
    private readonly fill: (amount: MinorUnits) => void,
  ) {
    const content = h("div.stack", [
      h("p.muted", () => t("trigger.about")),
      field(this.#select, { label: () => t("trigger.code"), bare: true }).element,
      h("div", { role: "status" }, this.#ways),
    ]);
    const title = h("summary", () => t("trigger.title"));
    this.element = h("details.aside-note.trigger-picker", { hidden: true }, title, content);
    on(this.#select, { change: () => this.refill() });
    void triggerTable().then((table) => table && this.#offer(table.triggers));
  }

  /** Shows how to cause the chosen error, and fills in its amount in the current currency. */
  refill(): void {
    const chosen = this.#triggers.filter((trigger) => keyOf(trigger) === this.#select.value);
    const items = chosen.map((trigger) => {
      // A rule is in the service's own words.
      const lang = trigger.means.kind === "rule" && "en";
      return h("li", { lang }, () => this.#wayText(trigger));
    });
    this.#ways.replaceChildren(...items);
    for (const { means } of chosen) if (means.kind === "amount") return this.fill(means.amount);
  }

  #offer(triggers: readonly Trigger[]): void {
    this.#triggers = triggers;
    const operations = [...new Set(triggers.map(({ operation }) => operation))];
    const groups = operations.map((operation) => {
      const codes = new Set(triggers.filter((one) => one.operation === operation).map(({ code }) => code));
      const options = [...codes].map((code) => h("option", { value: keyOf({ operation, code }) }, code));
      return h("optgroup", { label: operation }, ...options);
    });
    this.#select.replaceChildren(h("option", { value: "" }, () => t("field.choose")), ...groups);
    this.element.hidden = false;
  }

  #wayText({ code, operation, means }: Trigger): string {
    if (means.kind === "rule") return means.rule;
    if (means.kind !== "amount") return triggerText(code, operation, means);
    const currency = this.currency();
    const amount = money(currency && { value: means.amount, currency });
    return t(operation === "quote" ? "trigger.amount.quote" : "trigger.amount", { amount });
  }
}

/** Says how to cause an error by means other than an amount or a rule. */
export function triggerText(code: string, operation: string, means: DirectMeans): string {
  if (means.kind === "name") return t("trigger.name", { code, operation });
  if (means.kind === "card") return t("trigger.card", { number: groupedNumber(means.number) });
  const { kind, value } = means;
  const name = means.kind === "field" ? means.id : means.name;
  return t(value ? `trigger.${kind}` : `trigger.${kind}.none`, { name, value, operation });
}

function keyOf({ operation, code }: Pick<Trigger, "operation" | "code">): string {
  return `${operation} ${code}`;
}

import type { Corridor } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { wt } from "../../messages/workbench";
import { methodName } from "../../methods";
import { resolveRoute, type RoutePreference } from "../../routes";
import type { RecipientType } from "../../state";
import { h, on } from "../../ui/dom";
import { field, fillSelect } from "../../ui/field";
import { Radios } from "../radios";
import { readAddress, type Choice } from "./choice";

const KINDS: Record<FieldsKind, string> = {
  recipient: wt("fields.kind.recipient"),
  recipientAccount: wt("fields.kind.recipientAccount"),
  transfer: wt("fields.kind.transfer"),
  sender: wt("fields.kind.sender"),
};
const TYPES: Record<RecipientType, string> = {
  PERSON: wt("fields.type.PERSON"),
  BUSINESS: wt("fields.type.BUSINESS"),
};

/** The controls that say for what to ask the service. */
export class Chooser {
  readonly element: HTMLElement;
  readonly #kinds = new Radios<FieldsKind>(() => wt("fields.kind"), () => this.#change());
  readonly #types = new Radios<RecipientType>(() => wt("fields.type"), () => this.#change());
  readonly #country = h("select", { name: "country" });
  readonly #currency = h("select", { name: "currency" });
  readonly #method = h("select", { name: "method" });
  #corridors: readonly Corridor[] = [];

  /** Calls `chosen` with the first choice and with each further one. */
  constructor(private readonly chosen: (choice: Choice) => void) {
    const select = (control: HTMLSelectElement, label: () => string) => {
      on(control, { change: () => this.#change() });
      return field(control, { label, bare: true }).element;
    };
    this.element = h("div.chooser", [
      this.#kinds.element,
      select(this.#country, () => wt("fields.country")),
      select(this.#method, () => wt("fields.method")),
      select(this.#currency, () => wt("fields.currency")),
      this.#types.element,
    ]);
  }

  /** Offers these corridors; begins with the choice in the page's address. */
  offer(corridors: readonly Corridor[]): void {
    this.#corridors = corridors;
    const { kind, type, preference } = readAddress();
    this.#kinds.offer(Object.keys(KINDS) as FieldsKind[], KINDS);
    this.#types.offer(Object.keys(TYPES) as RecipientType[], TYPES);
    if (kind && kind in KINDS) this.#kinds.value = kind as FieldsKind;
    if (type && type in TYPES) this.#types.value = type as RecipientType;
    this.#resolve(preference);
  }

  #change(): void {
    this.#resolve({
      country: this.#country.value,
      destination: this.#currency.value,
      transferMethod: this.#method.value,
    });
  }

  #resolve(preference: RoutePreference): void {
    const resolved = resolveRoute(this.#corridors, preference);
    const [kind, type] = [this.#kinds.value, this.#types.value];
    if (!resolved || !kind || !type) return;
    const { route, choices } = resolved;
    const named = ({ iso3Code: value, name }: { iso3Code: string; name?: string | null }) => {
      return { value, label: () => (name ? `${name} (${value})` : value) };
    };
    const countries = [...choices.countries].sort((one, other) => one.name.localeCompare(other.name));
    fillSelect(this.#country, countries.map(named), route.country.iso3Code);
    const methods = choices.methods.map((value) => ({ value, label: () => methodName(value) }));
    fillSelect(this.#method, methods, route.transferMethod);
    fillSelect(this.#currency, choices.destinations.map(named), route.destination.iso3Code);
    this.#currency.disabled = kind === "sender";
    this.#method.disabled = kind === "sender";
    this.#types.element.disabled = kind === "transfer";
    this.chosen({ kind, type, route });
  }
}

import type { Corridor } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { methodName } from "../../methods";
import { resolveRoute } from "../../routes";
import type { RecipientType } from "../../state";
import { h, on } from "../../ui/dom";
import { field, fillSelect } from "../../ui/field";
import { Radios } from "../radios";

/** For what the service is asked for fields: the parameters of the page's address. */
export interface Choice {
  kind: FieldsKind;
  country: string;
  currency: string;
  method: string;
  type: RecipientType;
}

const KINDS: Record<FieldsKind, string> = {
  recipient: "Recipient",
  recipientAccount: "Recipient’s account",
  transfer: "Transfer",
  sender: "Sender",
};
const TYPES: Record<RecipientType, string> = { PERSON: "Person", BUSINESS: "Business" };
/** The fields that are shown at first: those of the corridor that has most of them. */
const FIRST = { country: "MEX", method: "BANK_ACCOUNT" };

/** The controls that say for what to ask the service. The page's address keeps the choice. */
export class Chooser {
  readonly element: HTMLElement;
  readonly #kinds = new Radios(h("legend", "Fields of"), KINDS, () => this.#change());
  readonly #types = new Radios(h("legend", "Who"), TYPES, () => this.#change());
  readonly #country = h("select", { name: "country" });
  readonly #currency = h("select", { name: "currency" });
  readonly #method = h("select", { name: "method" });
  #corridors: readonly Corridor[] = [];

  /** Calls `chosen` with the first choice and with each further one. */
  constructor(private readonly chosen: (choice: Choice) => void) {
    const select = (control: HTMLSelectElement, label: string) => {
      on(control, { change: () => this.#change() });
      return field(control, { label: () => label, bare: true }).element;
    };
    this.element = h("div.chooser", [
      this.#kinds.element,
      select(this.#country, "Country"),
      select(this.#method, "Method"),
      select(this.#currency, "Currency"),
      this.#types.element,
    ]);
  }

  /** Offers these corridors; begins with the choice in the page's address. */
  offer(corridors: readonly Corridor[]): void {
    this.#corridors = corridors;
    const { kind, type, ...asked } = Object.fromEntries(new URLSearchParams(location.search));
    if (kind && kind in KINDS) this.#kinds.value = kind as FieldsKind;
    if (type && type in TYPES) this.#types.value = type as RecipientType;
    this.#resolve({ ...FIRST, ...asked });
  }

  #change(): void {
    this.#resolve(this.#asked());
  }

  #asked() {
    const [country, currency, method] = [this.#country, this.#currency, this.#method];
    return { country: country.value, currency: currency.value, method: method.value };
  }

  /** Chooses what is nearest to the asked for. */
  #resolve(asked: { country: string; currency?: string; method: string }): void {
    const { country, currency, method } = asked;
    const preference = { country, destination: currency, transferMethod: method };
    const resolved = resolveRoute(this.#corridors, preference);
    if (!resolved) return;
    const { route, choices } = resolved;
    const [kind, type] = [this.#kinds.value, this.#types.value];
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
    const choice = { kind, ...this.#asked(), type };
    history.replaceState(history.state, "", `?${new URLSearchParams(choice)}`);
    this.chosen(choice);
  }
}

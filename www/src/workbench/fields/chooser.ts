import type { Corridor } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { methodName } from "../../methods";
import { resolveRoute } from "../../routes";
import type { RecipientType } from "../../state";
import { h, on } from "../../ui/dom";
import { field, fillSelect } from "../../ui/field";
import { radios } from "../radios";

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

/**
 * Creates the controls that say for what to ask the service. Calls `chosen` with the first choice, which is
 * the page address's, and with each further one, which the address keeps.
 */
export function chooser(corridors: readonly Corridor[], chosen: (choice: Choice) => void): HTMLElement {
  const { kind, type, ...asked } = Object.fromEntries(new URLSearchParams(location.search));
  const kinds = radios(h("legend", "Fields of"), KINDS, change, kind);
  const types = radios(h("legend", "Who"), TYPES, change, type);
  const country = h("select", { name: "country" });
  const method = h("select", { name: "method" });
  const currency = h("select", { name: "currency" });
  const labeled = (control: HTMLSelectElement, label: string) =>
    field(on(control, { change }), { label: () => label, bare: true }).element;
  resolve({ ...FIRST, ...asked });
  return h("div.chooser", [
    kinds.element,
    labeled(country, "Country"),
    labeled(method, "Method"),
    labeled(currency, "Currency"),
    types.element,
  ]);

  function change(): void {
    resolve(codes());
  }

  function codes() {
    return { country: country.value, currency: currency.value, method: method.value };
  }

  /** Chooses what is nearest to the asked for. */
  function resolve(asked: { country: string; currency?: string; method: string }): void {
    const preference = { country: asked.country, destination: asked.currency, transferMethod: asked.method };
    const resolved = resolveRoute(corridors, preference);
    if (!resolved) return;
    const { route, choices } = resolved;
    const [kind, type] = [kinds.value(), types.value()];
    const named = ({ iso3Code: value, name }: { iso3Code: string; name?: string | null }) => {
      return { value, label: () => (name ? `${name} (${value})` : value) };
    };
    const countries = [...choices.countries].sort((one, other) => one.name.localeCompare(other.name));
    fillSelect(country, countries.map(named), route.country.iso3Code);
    const methods = choices.methods.map((value) => ({ value, label: () => methodName(value) }));
    fillSelect(method, methods, route.transferMethod);
    fillSelect(currency, choices.destinations.map(named), route.destination.iso3Code);
    currency.disabled = kind === "sender";
    method.disabled = kind === "sender";
    types.element.disabled = kind === "transfer";
    const choice = { kind, ...codes(), type };
    history.replaceState(history.state, "", `?${new URLSearchParams(choice)}`);
    chosen(choice);
  }
}

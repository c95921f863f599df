import type { CorridorFieldsQuery, SenderFieldsQuery } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { corridorQuery, type Route, type RoutePreference } from "../../routes";
import type { RecipientType } from "../../state";

/** For what the service is asked for fields. */
export interface Choice {
  kind: FieldsKind;
  type: RecipientType;
  route: Route;
}

/** The fields that are shown at first: those of the corridor that has most of them. */
const FIRST = { country: "MEX", transferMethod: "BANK_ACCOUNT" } as const;

/** Reads the choice from the page's address; what is missing there is undefined. */
export function readAddress(): { kind?: string; type?: string; preference: RoutePreference } {
  const { kind, type, country, currency, method } = Object.fromEntries(new URLSearchParams(location.search));
  const preference = {
    country: country ?? FIRST.country,
    destination: currency,
    transferMethod: method ?? FIRST.transferMethod,
  };
  return { ...(kind && { kind }), ...(type && { type }), preference };
}

/** Keeps the choice in the page's address, which shows the same fields again. */
export function writeAddress({ kind, type, route }: Choice): void {
  const url = new URL(location.href);
  const { country, destination, transferMethod: method } = route;
  const codes = { country: country.iso3Code, currency: destination.iso3Code, method };
  url.search = String(new URLSearchParams({ kind, ...codes, type }));
  history.replaceState(history.state, "", url);
}

/** Returns what the call that reads the fields is given. */
export function queryOf({ kind, type, route }: Choice): CorridorFieldsQuery | SenderFieldsQuery {
  if (kind === "sender") return { senderType: type };
  return { ...corridorQuery(route), ...(kind !== "transfer" && { recipientType: type }) };
}

/** Returns the attributes of `<remit-fields>` that say the same. */
export function attributesOf({ kind, type, route }: Choice): Record<string, string> {
  if (kind === "sender") return { kind, "sender-type": type };
  const { country, destination, transferMethod: method } = route;
  const corridor = { kind, country: country.iso3Code, currency: destination.iso3Code, method };
  return kind === "transfer" ? corridor : { ...corridor, "recipient-type": type };
}

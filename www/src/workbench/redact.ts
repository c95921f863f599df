import { isRecord, Verbatim } from "./snippets";

/** The names of members whose texts tell nothing about a person. */
const PUBLIC = new Set(
  (
    "code kind status message resolution fieldId quoteBy transferMethod userType recipientType " +
    "senderType entityMode transferRecordStatus dstCountryIso3Code dstCurrencyIso3Code " +
    "srcCurrencyIso3Code destinationCountryISO3Code destinationCurrencyISO3Code sourceCurrencyIso3Code " +
    "countryIso3Code iso2Code iso3Code symbol label expirationDate createdAt dateAvailable " +
    "sourceOfFunds sourceTransferMethod title path method description fieldType visibility " +
    "roundDirection iso4217Code comparisonOperator"
  ).split(" "),
);
/** The id of a dynamic field, such as `ADDRESS_LINE_1`. */
const FIELD_ID = /^[A-Za-z]\w*$/;
export const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
/** The names of numbers that identify somebody or something. */
const IDENTIFYING = /id$|number$/i;
const MAX_ITEMS = 3;
/** The member of a reply that defines fields: names, patterns and choices, but nobody's values. */
const DEFINITIONS = "fieldSets";

/**
 * Replaces each text by its name, such as `<recipientId>`, except public ones, those in `shown` and what
 * defines fields.
 */
export function redacted(value: unknown, shown: ReadonlySet<string>, name = "value"): unknown {
  if (value instanceof Element) return new Verbatim('"#card"');
  if (value instanceof AbortSignal) return undefined;
  if (name === DEFINITIONS) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redacted(item, shown, name));
    if (name === "fields" || items.length <= MAX_ITEMS) return items;
    return [...items.slice(0, MAX_ITEMS), `<${items.length - MAX_ITEMS} more>`];
  }
  if (isRecord(value)) {
    if (name === "theme") return value;
    const { id } = value;
    const field = typeof id === "string" && "value" in value && FIELD_ID.test(id) ? id : undefined;
    const members = Object.entries(value).map(([key, member]) => {
      if (field && key === "id") return [key, member];
      return [key, redacted(member, shown, field && key === "value" ? field : key)];
    });
    return Object.fromEntries(members);
  }
  if (typeof value === "number") return IDENTIFYING.test(name) ? `<${name}>` : value;
  if (typeof value !== "string" || shown.has(value)) return value;
  return PUBLIC.has(name) ? value.replace(UUID, "<id>") : `<${name}>`;
}

/** Redacts the ids in an address's path and the values of its query. */
export function redactedUrl(text: string, shown: ReadonlySet<string>): string {
  const { origin, pathname, searchParams } = new URL(text);
  const path = pathname.replace(UUID, (id) => (shown.has(id) ? id : "<id>"));
  const query = [...searchParams].map(([name, value]) => {
    const isFigure = /^\d+$/.test(value) && !IDENTIFYING.test(name);
    return `${name}=${String(isFigure ? value : redacted(value, shown, name))}`;
  });
  return `${origin}${path}${query.length > 0 ? "?" : ""}${query.join("&")}`;
}

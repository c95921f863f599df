/** Members whose texts say what was asked for and what came of it, and nothing of a person. */
const SHOWN = new Set(
  (
    "code kind status message resolution fieldId quoteBy transferMethod userType recipientType senderType entityMode transferRecordStatus " +
    "dstCountryIso3Code dstCurrencyIso3Code srcCurrencyIso3Code destinationCountryISO3Code destinationCurrencyISO3Code " +
    "sourceCurrencyIso3Code countryIso3Code iso2Code iso3Code symbol label expirationDate createdAt dateAvailable sourceOfFunds " +
    "sourceTransferMethod title path method description fieldType visibility roundDirection iso4217Code comparisonOperator"
  ).split(" "),
);
/** The name of a dynamic field, as `ADDRESS_LINE_1`. */
const FIELD_ID = /^[A-Za-z]\w*$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Numbers that name somebody or something. */
const NAMING = /id$|number$/i;
const MOST_ITEMS = 3;

/** Replaces each text with its name, as `<recipientId>`, except those listed above and `shown`. */
export function redacted(value: unknown, shown: ReadonlySet<string>, name = "value"): unknown {
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => redacted(item, shown, name));
    return value.length > MOST_ITEMS && name !== "fields" ? [...items, `<${value.length - MOST_ITEMS} more>`] : value.map((item) => redacted(item, shown, name));
  }
  if (isRecord(value)) {
    // A theme is the page's own.
    if (name === "theme") return value;
    const { id } = value;
    const field = typeof id === "string" && "value" in value && FIELD_ID.test(id) ? id : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key === "id" && field) return [key, member];
        return [key, redacted(member, shown, key === "value" && field ? field : key)];
      }),
    );
  }
  if (typeof value === "string") return shown.has(value) ? value : SHOWN.has(name) ? value.replace(UUID, "<id>") : `<${name}>`;
  return typeof value === "number" && NAMING.test(name) ? `<${name}>` : value;
}

/** An address without the ids in its path, nor what its query says of anybody. */
export function redactedUrl(text: string, shown: ReadonlySet<string>): string {
  const { origin, pathname, searchParams } = new URL(text);
  const query = [...searchParams].map(([name, value]) => {
    const kept = /^\d+$/.test(value) && !NAMING.test(name) ? value : redacted(value, shown, name);
    return `${name}=${String(kept)}`;
  });
  return `${origin}${pathname.replace(UUID, (id) => (shown.has(id) ? id : "<id>"))}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** Whether a value is an object that JSON could have made. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

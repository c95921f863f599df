/**
 * A legal text of the service. The interface does not define its shape: it is a text, or an object that has
 * one, with members that differ between services. `disclosureTexts` reads either.
 */
export type Disclosure = string | DisclosureRecord;

export interface DisclosureRecord {
  title?: string | null;
  text?: string | null;
  description?: string | null;
  [member: string]: unknown;
}

/** A quote's `disclosures` or a transfer's `disclaimers`, in the order in which to show them. */
export type Disclosures = Disclosure[];

/** A text to show. Show it as text, never as HTML. */
export interface DisclosureText {
  title?: string;
  text: string;
}

/**
 * Returns what to show of a quote's `disclosures`, before the customer pays, or of a transfer's `disclaimers`,
 * with the receipt: their texts, of whatever shape, in their order; none if the service sent none. Never throws.
 */
export function disclosureTexts(disclosures: Readonly<Disclosures> | null | undefined): DisclosureText[];

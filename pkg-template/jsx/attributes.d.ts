import type { RemitCardFormElement, RemitCardFormEventMap } from "../element.js";
import type { AmountLimits, AmountLimitsOf, AmountMessages, FieldsKind, RemitAmountElement } from "../fields.js";
import type { RemitAmountEventMap, RemitFieldsElement, RemitFieldsEventMap } from "../fields.js";
import type { LoadError, Theme } from "../types/card.js";
import type { FieldControlsOptions, FieldsMessages } from "../types/field-controls.js";
import type { FieldForm, FieldValues } from "../types/fields.js";
import type { Corridor, CorridorFieldsQuery, SenderFieldsQuery, TransferFieldsQuery } from "../types/records.js";
import type { RemitKit } from "../types/remit-kit.js";

// What JSX and templates write at the elements: attributes as HTML spells them, and the properties that no
// attribute has. What they mean is in element.d.ts and fields.d.ts.

/** An attribute that counts by being there. React 18 writes `true` and `false` as text: use `""` there. */
type Flag = boolean | "";

interface SharedAttributes {
  name: string;
  form: string;
  required: Flag;
  disabled: Flag;
}

interface SharedProperties {
  remit: RemitKit | PromiseLike<RemitKit>;
  theme: Theme;
}

interface CardFormAttributes extends SharedAttributes {
  "session-id": string;
  "frame-title": string;
  height: number | string;
  "load-timeout-ms": number | string;
  "load-error": "auto" | "never";
  autofocus: Flag;
  [themeParameter: `theme-${string}`]: string | boolean;
}

interface CardFormProperties extends SharedProperties {
  loadError: LoadError;
}

interface FieldsAttributes extends SharedAttributes {
  kind: FieldsKind;
  country: string;
  currency: string;
  method: string;
  "recipient-type": string;
  "sender-type": string;
  autofill: "own" | "other";
  summary: "auto" | "never";
  validate: "blur" | "submit";
  shadow: "none";
}

interface FieldsProperties extends SharedProperties {
  query: CorridorFieldsQuery | SenderFieldsQuery | TransferFieldsQuery;
  values: FieldValues;
  initial: FieldValues | ((form: FieldForm) => FieldValues);
  masked: Record<string, string>;
  messages: FieldsMessages;
  options: NonNullable<FieldControlsOptions["filterOptions"]>;
  filter: NonNullable<FieldControlsOptions["filter"]>;
}

interface AmountAttributes extends SharedAttributes {
  country: string;
  method: string;
  send: string;
  receive: string;
  amount: string;
  "quote-by": "SEND_AMOUNT" | "RECEIVE_AMOUNT";
  compare: Flag;
  order: "amount method" | "method amount";
  disclosures: "show" | "hide";
  currencies: Flag;
  "refresh-expired": Flag;
  shadow: "none";
}

interface AmountProperties extends SharedProperties {
  corridor: Corridor | readonly Corridor[];
  limits: AmountLimits | AmountLimitsOf;
  recipientAccountId: string;
  debounceMs: number;
  messages: AmountMessages;
}

interface Described<Element, Attributes, Properties, Events> {
  element: Element;
  attributes: Attributes;
  properties: Properties;
  events: Events;
}

/** The elements by tag. */
interface RemitElements {
  "remit-card-form": Described<
    RemitCardFormElement, CardFormAttributes, CardFormProperties, RemitCardFormEventMap
  >;
  "remit-fields": Described<RemitFieldsElement, FieldsAttributes, FieldsProperties, RemitFieldsEventMap>;
  "remit-amount": Described<RemitAmountElement, AmountAttributes, AmountProperties, RemitAmountEventMap>;
}

export type RemitTag = keyof RemitElements;
export type ElementOf<Tag extends RemitTag> = RemitElements[Tag]["element"];
export type EventsOf<Tag extends RemitTag> = RemitElements[Tag]["events"];
export type PropertiesOf<Tag extends RemitTag> = RemitElements[Tag]["properties"];

/** What is written at an element; `null` removes it. */
export type MarkupOf<Tag extends RemitTag> = Optional<RemitElements[Tag]["attributes"] & PropertiesOf<Tag>>;
export type Optional<Members> = { [Name in keyof Members]?: Members[Name] | null | undefined };

/** Listeners of an element's own events, such as `onquote` with the prefix `on`. */
export type ListenersOf<Tag extends RemitTag, Prefix extends string> = {
  [Name in keyof EventsOf<Tag> & string as `${Prefix}${Name}`]?: Listener<EventsOf<Tag>[Name]> | undefined;
};
export type Listener<Event> = (event: Event) => void;

/** A framework's own attributes, beside those of an element. */
export type Beside<Own, Others> = Own & Omit<Others, keyof Own>;

import type { FieldControls, FieldControlsOptions, FieldsMessages } from "./types/field-controls.js";
import type { FieldProblem, RemitError } from "./types/error.js";
import type { FieldForm, FieldValues, PhoneNumber } from "./types/fields.js";
import type { RemitFormControl } from "./types/form-control.js";
import type { Corridor, CorridorFieldsQuery, FieldValue, Quote, QuoteRequest } from "./types/records.js";
import type { SenderFieldsQuery, TransferFieldsQuery, TransferMethod } from "./types/records.js";

export * from "./types/field-controls.js";

/** Creates what a page without a framework needs to show a form: values, problems and choices, kept up to date. */
export function createFieldControls(form: FieldForm, options?: FieldControlsOptions): FieldControls;

/** What the fields are about. */
export type FieldsKind = "sender" | "recipient" | "recipientAccount" | "transfer";

/** The element's own DOM events. They are composed, and none of them bubbles. */
export interface RemitFieldsEventMap {
  /** The fields are shown. */
  ready: CustomEvent<{ fieldIds: string[] }>;
  /** A value has changed; those whose choices depend on it were cleared. */
  fieldchange: CustomEvent<{ fieldId: string; value: FieldValues[string] }>;
  /** The choices of a dropdown have arrived. */
  optionsloaded: CustomEvent<{ fieldId: string }>;
  /** The choices of a dropdown could not be fetched. The element offers to try again. */
  optionsfailed: CustomEvent<{ fieldId: string; error: RemitError }>;
  /** The fields could not be fetched. The element offers to try again. */
  error: CustomEvent<RemitError>;
}

/** A problem to show. Without a message, the element says it in its own words. */
export type ShownProblem = Pick<FieldProblem, "fieldId" | "code"> & { message?: string | undefined };

/**
 * `<remit-fields>`: the fields that the service asks for, as a custom element, in an open shadow root, or with
 * the attribute `shadow="none"` in the page's own tree. It fetches them while it is in the document and has a
 * `remit`, and again when kind or query change; what was entered is kept.
 *
 * Inside a `<form>` it is a form control, invalid until all values can be sent. It submits its fields as JSON
 * under its `name`. Without `required`, all of them may stay empty. In engines without form-associated elements
 * (Safari before 16.4) call `check()`. With `shadow="none"` it has no theme and no slots.
 *
 * `:state(loading)` selects it while the fields are fetched, `:state(invalid)` while a problem is shown.
 */
export interface RemitFieldsElement extends RemitFormControl<RemitFieldsEventMap> {
  /** The attribute `kind`. */
  get kind(): FieldsKind;
  set kind(kind: FieldsKind);
  /** The attribute `country`: the destination's, and that of phone numbers. Three uppercase letters. */
  get country(): string;
  set country(country: string | null | undefined);
  /** The attribute `currency`: the destination's. Three uppercase letters. */
  get currency(): string;
  set currency(currency: string | null | undefined);
  /** The attribute `method`: the transfer method. */
  get method(): string;
  set method(method: string | null | undefined);
  /** The attribute `recipient-type`. */
  get recipientType(): string;
  set recipientType(type: string | null | undefined);
  /** The attribute `sender-type`. */
  get senderType(): string;
  set senderType(type: string | null | undefined);
  /**
   * The attribute `autofill`: `"own"` lets browsers fill in the customer's own details, `"other"` does not. By
   * default only a sender's are the customer's own.
   */
  get autofill(): string;
  set autofill(autofill: "own" | "other" | null | undefined);
  /**
   * The attribute `summary`: with `"never"`, the first wrong field gets the focus even if there are several. By
   * default, several are then listed above the fields: each entry leads to its field, and goes once that is right.
   */
  get summary(): string;
  set summary(summary: "auto" | "never" | null | undefined);
  /**
   * The attribute `validate`: with `"submit"`, problems are first shown by `check()` or when the form is submitted.
   * By default, a field's are shown as soon as the customer has left it.
   */
  get validate(): string;
  set validate(validate: "blur" | "submit" | null | undefined);
  /** What the fields are fetched for: by default what the attributes say. */
  get query(): CorridorFieldsQuery & SenderFieldsQuery & TransferFieldsQuery;
  set query(query: CorridorFieldsQuery | SenderFieldsQuery | TransferFieldsQuery | null | undefined);

  /**
   * The values so far. Those that are set replace what was entered; text for a phone number becomes a number of
   * the form's country.
   */
  get values(): FieldValues;
  set values(values: FieldValues);
  /**
   * The values to start with, or a function that returns them for the form, such as
   * `(form) => form.valuesOf(recipient)`. Another one discards what was entered.
   */
  get initial(): FieldValues | ((form: FieldForm) => FieldValues) | undefined;
  set initial(initial: FieldValues | ((form: FieldForm) => FieldValues) | null | undefined);
  /** What to show for values that the service has but masks: these fields may stay empty. */
  get masked(): Record<string, string> | undefined;
  set masked(masked: Record<string, string> | null | undefined);
  /** Your own texts. English and Spanish are built in: the language is that of the element's `lang`. */
  get messages(): FieldsMessages | undefined;
  set messages(messages: FieldsMessages | null | undefined);
  /** Returns which choices of a dropdown to offer, for example only branches that pay the amount. */
  get options(): FieldControlsOptions["filterOptions"];
  set options(filter: FieldControlsOptions["filterOptions"] | null);
  /** Returns whether to show and collect a field, for example only those of one set. */
  get filter(): FieldControlsOptions["filter"];
  set filter(filter: FieldControlsOptions["filter"] | null);

  /** The form, once it has loaded. */
  readonly definition: FieldForm | undefined;
  readonly isLoading: boolean;
  /** All problems of the current values, whether they are shown or not. */
  readonly problems: readonly FieldProblem[];
  /**
   * Shows all problems, and focuses the only wrong field or a summary of them. Opens the `<details>` that they are
   * in. Returns whether the values can be sent.
   */
  check(): boolean;
  /**
   * Shows the problems of an error at their fields, until these change, and focuses them as `check` does. Returns
   * whether any belongs to a field that is shown.
   */
  show(error: RemitError | readonly ShownProblem[] | unknown): boolean;
  /**
   * Returns the `fields` of a request.
   *
   * @throws {RemitError} of kind `invalid_request` before `ready`.
   */
  toFields(): FieldValue[];
  setValue(fieldId: string, value: string | PhoneNumber | null | undefined): void;
  /** Returns a value as the customer sees it, for a review: the name of a choice, a number with its prefix. */
  valueText(fieldId: string): string;
  /** Discards what was entered. */
  reset(): void;
  /** Fetches the fields again. */
  reload(): void;
  /** Moves the focus into a field, by default the first. */
  focus(field?: string | FocusOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "remit-amount": RemitAmountElement;
    "remit-fields": RemitFieldsElement;
  }
}

/**
 * Defines `<remit-fields>`, or the element under another name. Importing alone does not, so that a page carries
 * it only on request. May be called again; does nothing on a server or in a worker.
 *
 * @throws {RemitError} of kind `configuration` if the name is invalid or taken by another element.
 */
export function defineRemitFields(tagName?: `${string}-${string}`): void;

/** By how much a price differs from an earlier one, in minor units: negative if it is less. */
export interface PriceDifference {
  sendAmount: bigint;
  totalCost: bigint;
  receiveAmount: bigint;
}

/** The element's own DOM events. They are composed, and none of them bubbles. */
export interface RemitAmountEventMap {
  /**
   * A price for what was typed has arrived; `previous` is the one that it replaces, and `difference` is there if
   * that was for the same amount: tell customers who have seen it.
   */
  quote: CustomEvent<{ quote: Quote; previous: Quote | undefined; difference: PriceDifference | undefined }>;
  /** There is a price, or none any more, or one is on its way: see `quote`, `request`, `isLoading` and `error`. */
  pricechanged: CustomEvent<null>;
  /** The price has expired. */
  expired: CustomEvent<{ quote: Quote }>;
  /** The customer chose another transfer method, which is now `method`. */
  methodchange: CustomEvent<{ method: TransferMethod }>;
  /** There is no price. The element shows why, unless the page fills its slot `summary`. */
  error: CustomEvent<RemitError>;
}

/**
 * `<remit-amount>`: what is sent and what arrives, with the price, as a custom element in an open shadow root, or
 * with the attribute `shadow="none"` in the page's own tree. Either side can be typed; the other follows from the
 * quote. Inside a `<form>` it is a form control, which submits the `quoteHistoryId` under its `name` and is
 * invalid while there is no current price. With `shadow="none"` it has no theme.
 */
export interface RemitAmountElement extends RemitFormControl<RemitAmountEventMap> {
  /** The attribute `country`: the destination, three uppercase letters. Required where the page gives no `corridor`. */
  get country(): string;
  set country(country: string | null | undefined);
  /** The attribute `method`: the transfer method; by default the corridor's, or the first that is compared. */
  get method(): string;
  set method(method: string | null | undefined);
  /**
   * The attribute `compare`: whether to let the customer choose among the methods to this country, each with
   * what arrives, its fee and how long it takes. Once the price of the chosen method has arrived, it fetches one
   * of each other method for the same amount.
   */
  compare: boolean;
  /**
   * The attribute `currencies`: whether to let the customer choose among the currencies of the corridors. Those
   * that are chosen become `send` and `receive`; `request` has those of the price.
   */
  currencies: boolean;
  /** The attribute `send`: the currency that is paid in; by default the corridor's first. */
  get send(): string;
  set send(currency: string | null | undefined);
  /** The attribute `receive`: the currency that is paid out; by default the corridor's first. */
  get receive(): string;
  set receive(currency: string | null | undefined);
  /** The attribute `amount`: what to start with, as decimal text of the page's language. */
  get amount(): string;
  set amount(amount: string | null | undefined);
  /** Which side was typed, and is fixed. The attribute `quote-by` says whose amount is in `amount`. */
  get quoteBy(): "SEND_AMOUNT" | "RECEIVE_AMOUNT";
  set quoteBy(side: "SEND_AMOUNT" | "RECEIVE_AMOUNT" | null | undefined);
  /** The attribute `order`: what comes first, the amount by default, or the methods that are compared. */
  get order(): string;
  set order(order: "amount method" | "method amount" | null | undefined);
  /** The attribute `disclosures`: the legal texts of the price are shown with it, unless this is `"hide"`. */
  get disclosures(): string;
  set disclosures(disclosures: "show" | "hide" | null | undefined);
  /**
   * The attribute `refresh-expired`: whether to replace an expired price while the page is visible, and to try
   * again after a failure that may pass.
   */
  refreshExpired: boolean;
  /**
   * The corridor, where the page has it, or several to choose among, in the order of their methods; by default
   * they are looked up.
   */
  get corridor(): Corridor | readonly Corridor[] | undefined;
  set corridor(corridor: Corridor | readonly Corridor[] | null | undefined);
  /** The least and the most that may be sent, in minor units, or a function that returns them for a method. */
  get limits(): AmountLimits | AmountLimitsOf | undefined;
  set limits(limits: AmountLimits | AmountLimitsOf | null | undefined);
  get recipientAccountId(): string | undefined;
  set recipientAccountId(id: string | null | undefined);
  /** How long to wait for further changes, in milliseconds; 300 by default. */
  get debounceMs(): number | undefined;
  set debounceMs(ms: number | null | undefined);
  /** Your own texts. English and Spanish are built in: the language is that of the element's `lang`. */
  get messages(): AmountMessages | undefined;
  set messages(messages: AmountMessages | null | undefined);

  /** The latest price; none while what was typed is no amount. */
  readonly quote: Quote | undefined;
  /** Whether it must not be used: it is for another amount, or has expired. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  /** Why there is no price, besides what is wrong with the amount. */
  readonly error: RemitError | undefined;
  /** What `prepareTransfer` takes, but for the recipient; `undefined` while there is no current price. */
  readonly request: (QuoteRequest & { quoteHistoryId: string }) | undefined;
  /** How long the price is valid; `undefined` if that is unknown. */
  readonly secondsLeft: number | undefined;
  /** The `quoteHistoryId` of a current price, else `""`. */
  readonly value: string;
  /** Shows what is wrong and focuses it. Returns whether there is a current price. */
  check(): boolean;
  /** Fetches the price again; where a method takes no amount to receive, by the amount to send. */
  refresh(): void;
  /** Moves the focus into the side that was typed last. */
  focus(options?: FocusOptions): void;
}

/** Whole numbers of minor units of the currency that is paid in. */
export interface AmountLimits {
  min?: number | bigint | undefined;
  max?: number | bigint | undefined;
}

/** Returns the limits of a transfer method, in the currency that is paid in. */
export type AmountLimitsOf = (transferMethod: TransferMethod, currency: string) => AmountLimits | undefined;

/**
 * A page's own texts for `<remit-amount>`. In braces is what is inserted, such as `{amount}`. The texts of methods
 * and of delivery promises go by their ids.
 */
export type AmountMessages = Partial<
  Record<
    | "group" | "send" | "receive" | "sendCurrency" | "receiveCurrency" | "method" | "fee" | "total" | "rate"
    | "arrives" | "timer" | "expired" | "refresh" | "retry" | "bySend" | "empty" | "decimals" | "whole" | "meant"
    | "point" | "comma" | "invalid" | "range" | "min" | "max" | "missing" | "price" | TransferMethod,
    string
  >
>;

/**
 * Defines `<remit-amount>`, or the element under another name. Importing alone does not. May be called again;
 * does nothing on a server or in a worker.
 *
 * @throws {RemitError} of kind `configuration` if the name is invalid or taken by another element.
 */
export function defineRemitAmount(tagName?: `${string}-${string}`): void;

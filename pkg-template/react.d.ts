import type { ForwardRefExoticComponent, ReactElement, ReactNode, RefAttributes } from "react";
import type { AmountLimits, AmountLimitsOf, AmountMessages, PriceDifference } from "./fields.js";
import type { RemitAmountElement, RemitFieldsElement } from "./fields.js";
import type { RemitElementProps } from "./jsx/react.js";
import type { CardForm as ShownForm, CardFormEvent, CompletedCard, Theme } from "./types/card.js";
import type { LoadErrorTexts, LoadFailure } from "./types/card.js";
import type { CorridorFilter } from "./types/corridor.js";
import type { FieldProblem, RemitError } from "./types/error.js";
import type { FieldControl, FieldControlProps, FieldControlsOptions } from "./types/field-controls.js";
import type { FieldsMessages } from "./types/field-controls.js";
import type { FieldForm, FieldValues, PhoneNumber } from "./types/fields.js";
import type { Corridor, CorridorFieldsQuery, FieldValue, Quote, QuoteRequest } from "./types/records.js";
import type { SenderFieldsQuery, TransferFieldsQuery, TransferMethod } from "./types/records.js";
import type { CallOptions, RemitKit, RemitKitOptions } from "./types/remit-kit.js";
import type { TransferAttempt } from "./types/transfer.js";

/**
 * Either the options of a kit, or your own kit.
 *
 * With `options` the provider creates one kit in the browser, never on a server, and destroys it on unmount;
 * StrictMode's second pass creates no second one. Options are compared by value, so you may write them
 * inline, and the latest `token` and `onDiagnostic` are called. Another `baseUrl`, `cardUrl`, `locale`,
 * `timeoutMs`, `senderId` or `journal`, or another token that is not a function, creates another kit. When
 * another customer signs in, change the provider's `key`: a kit keeps the token that a function returned.
 *
 * With `remit` you destroy the kit yourself. It may be a promise created outside of rendering, or `null`
 * while there is none yet.
 */
export type RemitKitProviderProps =
  | { options: RemitKitOptions; remit?: undefined; children?: ReactNode }
  | { remit: RemitKit | PromiseLike<RemitKit> | null; options?: undefined; children?: ReactNode };

/** Provides a kit to the components in it. */
export function RemitKitProvider(props: RemitKitProviderProps): ReactElement;

/** A kit, the error that prevented it, or neither while it is loading. */
export type RemitKitState = (
  | { readonly remit: RemitKit; readonly error: undefined; readonly isLoading: false }
  | { readonly remit: undefined; readonly error: RemitError; readonly isLoading: false }
  | { readonly remit: undefined; readonly error: undefined; readonly isLoading: true }
) & {
  /** Creates the kit again, after an error or after one of kind `internal`. Does nothing for your own kit. */
  readonly retry: () => void;
};

/**
 * Returns the kit of the nearest provider. Does not suspend: on a server, a suspended tree would wait for a
 * kit that only browsers create.
 *
 * @throws {RemitError} of kind `configuration` outside of a provider.
 */
export function useRemitKit(): RemitKitState;

export interface CorridorsState {
  /** Those that match the filter; none while they load. */
  readonly corridors: readonly Corridor[];
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
}

/**
 * Returns the enabled corridors that match a filter. Filters are compared by value; `null` fetches nothing.
 */
export function useCorridors(filter?: CorridorFilter | null): CorridorsState;

export interface UseQuoteOptions {
  /**
   * How long to wait for further changes, in milliseconds; 300 by default. The first request is not delayed.
   */
  debounceMs?: number | undefined;
  /**
   * Whether to replace an expired quote automatically while the page is visible, and to try again after a failure
   * that may pass: in 10 seconds, and then at growing intervals of up to a minute. `false` by default.
   */
  refreshExpired?: boolean | undefined;
}

export interface QuoteState {
  /** The latest quote; the previous, stale one while a changed request loads, and none if that fails. */
  readonly quote: Quote | undefined;
  /** Why there is no quote for this request, or why it could not be refreshed. */
  readonly error: RemitError | undefined;
  /** Whether a quote is loading, including the debounce time. */
  readonly isLoading: boolean;
  /** Whether `quote` must not be used: it is for an earlier request, or has expired. */
  readonly isStale: boolean;
  /** Whether it has expired, counted as by {@link useSecondsLeft}; `false` while that is unknown. */
  readonly isExpired: boolean;
  /** Quotes the same request again. */
  readonly refresh: () => void;
}

/**
 * Returns a quote for a request that may change with every key press; `null` fetches nothing. Requests are
 * compared by value. An outdated call is aborted, and its reply dropped.
 */
export function useQuote(request: QuoteRequest | null | undefined, options?: UseQuoteOptions): QuoteState;

/**
 * Returns how many seconds are left of a quote or of a card form's session, rounded up, counted from when
 * it arrived like `secondsLeft()` of a card form; `undefined` if the date is missing or unreadable, while
 * the device's clock is evidently wrong, and in a server's markup. Only the component that uses it
 * re-renders each second.
 */
export function useSecondsLeft(
  of: { readonly expirationDate?: string | null } | null | undefined,
): number | undefined;

/** The query for each kind of fields. */
export interface FieldQueries {
  sender: SenderFieldsQuery;
  recipient: CorridorFieldsQuery;
  recipientAccount: CorridorFieldsQuery;
  transfer: TransferFieldsQuery;
}

export interface FieldFormState {
  /** The fields, once they have loaded. */
  readonly form: FieldForm | undefined;
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  /** Fetches the fields again. */
  readonly reload: () => void;
  /** The fields of the form that `filter` accepts, in their order. */
  readonly fieldIds: readonly string[];
  /** The values so far. They are kept when the query changes. */
  readonly values: FieldValues;
  /** Sets a value, and clears those whose choices depend on it. */
  readonly setValue: (fieldId: string, value: string | PhoneNumber | null | undefined) => void;
  /** The fields whose controls show what is no value, such as a date that is half typed. */
  readonly unread: readonly string[];
  /**
   * Says whether a control shows what is no value. While it does, its field has a problem, required or not:
   * `check` never accepts what would be left out. `useFieldControl` says so of dates.
   */
  readonly setUnread: (fieldId: string, isUnread: boolean) => void;
  /**
   * Has `check` and `toFields` call `read` first, which takes what stands in a control: autofill need not fire an
   * event. `useFieldControl` does so for its control. Returns a function that ends it.
   */
  readonly addReader: (read: () => void) => () => void;
  /** Starts over, with these values or with none. */
  readonly reset: (values?: FieldValues) => void;
  /**
   * Marks a field that the customer has left: from now on `problems` includes its problems. While a pointer is down,
   * this waits for its click: what is pressed must not move.
   */
  readonly touch: (fieldId: string) => void;
  /** The problems to show for the current values: those of touched fields, or all once `check` was called. */
  readonly problems: readonly FieldProblem[];
  /** What the customer may have mistyped in those fields. Ask, but send it if they insist. */
  readonly warnings: readonly FieldProblem[];
  /** The country of phone numbers. */
  readonly country: string | undefined;
  /** Whether browsers may fill in the customer's own details. */
  readonly autofill: boolean;
  /**
   * Returns all problems of the current values, also of one that was set in the same turn; none if they can
   * be sent. From then on `problems` shows all of them, so call it in an event handler; while rendering, use
   * `form.check(values)`.
   *
   * @throws {RemitError} of kind `invalid_request` while `form` is `undefined`.
   */
  readonly check: () => FieldProblem[];
  /**
   * Returns the `fields` of a request: the non-empty values of the fields in this form.
   *
   * @throws {RemitError} of kind `invalid_request` while `form` is `undefined`.
   */
  readonly toFields: () => FieldValue[];
}

/**
 * Fetches the fields of a screen when it mounts, and manages what the customer fills in. `null` fetches
 * nothing. `initialValues` are values, or a function that returns them once the form has loaded, such as
 * `(form) => form.valuesOf(recipient)`; values that were set take precedence.
 */
export function useFieldForm<Kind extends keyof FieldQueries>(
  kind: Kind,
  query: FieldQueries[Kind] | null | undefined,
  options?: FieldFormOptions,
): FieldFormState;

export interface FieldFormOptions {
  initialValues?: FieldValues | ((form: FieldForm) => FieldValues) | undefined;
  /** The country of phone numbers, three uppercase letters; by default the query's `dstCountryIso3Code`. */
  country?: string | undefined;
  /** Whether browsers may fill in the customer's own details; by default only for a sender. */
  autofill?: boolean | undefined;
  /** Returns whether a field is part of this form: another screen may have the others. The latest counts. */
  filter?: FieldControlsOptions["filter"];
}

/** The control of an event. Browsers tell by `validity` that a date is half typed, or does not exist. */
interface EventOfControl {
  readonly target: { readonly value?: string; readonly validity?: { readonly badInput: boolean } };
}

/** What a component needs to show one field of a form, with its listeners. */
export interface ReactFieldControl extends FieldControl {
  readonly controlProps: FieldControlProps & {
    readonly onChange: (event: EventOfControl & { readonly target: { readonly value: string } }) => void;
    readonly onBlur: (event?: EventOfControl) => void;
    /** This and the next one are there for dates. */
    readonly onKeyDown?: (event: { readonly target: unknown }) => void;
    readonly onKeyUp?: (event: { readonly target: unknown }) => void;
  };
  /** Sets the field's value from text; a phone number gets its country. Clears what depends on it. */
  readonly setValue: (text: string) => void;
}

/**
 * Returns what a component needs to show one field: properties of label, control, hint and problem, choices,
 * and whether it is shown and required now.
 *
 * @throws {RemitError} `InvalidRequest` if the form has not loaded or has no such field.
 */
export function useFieldControl(fields: FieldFormState, fieldId: string): ReactFieldControl;

/** What the fields are for: the kind, and the query of that kind. */
type FieldsFor = {
  [Kind in keyof FieldQueries]: { kind: Kind; query: FieldQueries[Kind] | null | undefined };
}[keyof FieldQueries];

export type FieldFormViewProps = FieldsFor & {
  id?: string | undefined;
  className?: string | undefined;
  /** The name under which the surrounding form submits the fields, as JSON. */
  name?: string | undefined;
  /** Whether the surrounding form is invalid until the fields are filled in. */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  /** The language of the texts, by default that of the page. English and Spanish are built in. */
  lang?: string | undefined;
  /** `"none"` shows the fields in the page's own tree, for its style sheets, without a theme. */
  shadow?: "none" | undefined;
  /** The country of phone numbers, three uppercase letters; by default the query's. */
  country?: string | undefined;
  /** The values to start with, or a function that returns them for the form. */
  initialValues?: FieldValues | ((form: FieldForm) => FieldValues) | undefined;
  /** What to show for values that the service has but masks: these fields may stay empty. */
  masked?: Record<string, string> | undefined;
  messages?: FieldsMessages | undefined;
  filterOptions?: FieldControlsOptions["filterOptions"];
  /**
   * Returns whether to show and collect a field, for example only those of one set. One that accepts other
   * fields shows the form again, with what was entered.
   */
  filter?: FieldControlsOptions["filter"];
  theme?: Theme | undefined;
  /** Whether browsers may fill in the customer's own details; by default only a sender's. */
  autofill?: "own" | "other" | undefined;
  /** `"never"` focuses the first wrong field instead of a summary of several. */
  summary?: "auto" | "never" | undefined;
  /** `"submit"` shows problems when the form is submitted, not as soon as a field was left. */
  validate?: "blur" | "submit" | undefined;
  /** Called when the fields are shown. */
  onReady?: ((element: RemitFieldsElement) => void) | undefined;
  /** Called with all values after each change. */
  onChange?: ((values: FieldValues) => void) | undefined;
  /** Called if there is no kit, or the fields could not be fetched. */
  onError?: ((error: RemitError) => void) | undefined;
  /** Elements for the slots of `<remit-fields>`. */
  children?: ReactNode;
};

/**
 * The fields that the service asks for, ready to be filled in: `<remit-fields>`, which is loaded when the
 * component mounts and is what its `ref` exposes, with `check()`, `show(error)` and `toFields()`. To draw the
 * fields yourself use `useFieldControl`.
 */
export const FieldFormView: ForwardRefExoticComponent<
  FieldFormViewProps & RefAttributes<RemitFieldsElement>
>;

export interface AmountFormProps {
  id?: string | undefined;
  className?: string | undefined;
  /** The destination, three uppercase letters. */
  country?: string | undefined;
  /** The transfer method. */
  method?: string | undefined;
  /** The currency that is paid in; by default the corridor's first. */
  send?: string | undefined;
  /** The currency that is paid out; by default the corridor's first. */
  receive?: string | undefined;
  /** What to start with, as decimal text of the page's language. */
  amount?: string | undefined;
  /** Which side that is; what is sent by default. */
  quoteBy?: "SEND_AMOUNT" | "RECEIVE_AMOUNT" | undefined;
  /** The corridor, where the page has it, or several to choose among; by default they are looked up. */
  corridor?: Corridor | readonly Corridor[] | undefined;
  /** Whether to let the customer choose among the methods, each with its fee and arrival. */
  compare?: boolean | undefined;
  /** Whether to let the customer choose among the currencies of the corridors. */
  currencies?: boolean | undefined;
  /** What comes first: the amount by default, or the methods that are compared. */
  order?: "amount method" | "method amount" | undefined;
  /** Whether the legal texts of the price are shown with it; they are by default. */
  disclosures?: "show" | "hide" | undefined;
  /** The least and the most that may be sent, in minor units, or a function that returns them for a method. */
  limits?: AmountLimits | AmountLimitsOf | undefined;
  recipientAccountId?: string | undefined;
  /** How long to wait for further changes, in milliseconds; 300 by default. */
  debounceMs?: number | undefined;
  /**
   * Whether to replace an expired price while the page is visible, and to try again after a failure that may pass;
   * `false` by default.
   */
  refreshExpired?: boolean | undefined;
  /** The name under which the surrounding form submits the `quoteHistoryId`. */
  name?: string | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  /** The language of the texts, by default that of the page. English and Spanish are built in. */
  lang?: string | undefined;
  messages?: AmountMessages | undefined;
  theme?: Theme | undefined;
  /** Called with a price for what was typed, the one that it replaces, and how it differs if that is for the same. */
  onQuote?: ((quote: Quote, previous: Quote | undefined, difference?: PriceDifference) => void) | undefined;
  /** Called when there is a price, or none any more, or one is on its way: the element has it. */
  onPriceChange?: (() => void) | undefined;
  /** Called when the price has expired. */
  onExpired?: ((quote: Quote) => void) | undefined;
  /** Called with the transfer method that the customer chose, with `compare`. */
  onMethodChange?: ((method: TransferMethod) => void) | undefined;
  /** Called if there is no kit or no price. */
  onError?: ((error: RemitError) => void) | undefined;
}

/**
 * What is sent and what arrives, with the price: `<remit-amount>`, which is loaded when the component mounts and
 * is what its `ref` exposes, with `quote`, `request` and `check()`.
 */
export const AmountForm: ForwardRefExoticComponent<AmountFormProps & RefAttributes<RemitAmountElement>>;

export interface FieldOptionsState {
  /** The choices; none while they load, or while a field that they depend on is empty. */
  readonly options: readonly { id: string; name?: string }[];
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Returns the choices of a dropdown, and fetches them again when a value changes that they depend on. */
export function useFieldOptions(
  fields: { readonly form: FieldForm | undefined; readonly values: FieldValues }, fieldId: string,
): FieldOptionsState;

export interface PendingTransfersState {
  /**
   * What the journal held when it was read, after a reload too: prepared or sent, without a known outcome.
   */
  readonly attempts: readonly TransferAttempt[];
  /** Why the attempts are unknown: offer no other transfer then, and `refresh` if it is `retryable`. */
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
}

/** Returns the transfers that an earlier page left open. Settle them before you make another. */
export function usePendingTransfers(): PendingTransfersState;

export interface CardFormProps {
  id?: string | undefined;
  className?: string | undefined;
  /** A session that you created; a new one by default. Another one starts a new form. */
  sessionId?: string | undefined;
  /**
   * A different theme, compared by value, reloads the form in the same session and discards what was typed.
   */
  theme?: Theme | undefined;
  /** The accessible name of the frame; `"Card details"` by default. */
  title?: string | undefined;
  /** The height reserved for the frame, in CSS pixels; 620 by default. */
  height?: number | undefined;
  /** How long the frame may take to load; 20 seconds by default. Applies to the next form. */
  loadTimeoutMs?: number | undefined;
  /**
   * What replaces the form if it fails to load: `"auto"` (default), a message in the customer's language with
   * a button to try again; your own texts in it; an element, or a function that renders one; or `"never"`,
   * nothing, which applies to the next form.
   */
  loadError?:
    "auto" | "never" | LoadErrorTexts | ReactElement | ((failure: LoadFailure) => ReactNode) | undefined;
  /** Whether the form takes the focus once loaded, unless the customer has moved it; `false` by default. */
  autoFocus?: boolean | undefined;
  /** Called each time the frame has loaded. Pass the form to `useSecondsLeft`. */
  onReady?: ((form: ShownForm) => void) | undefined;
  /** Called with every event of the form, in order. */
  onEvent?: ((event: CardFormEvent) => void) | undefined;
  /** Called with the card, read back from the session. */
  onCompleted?: ((card: CompletedCard) => void) | undefined;
  /**
   * Called if there is no kit, or the form could not be shown or ended without a card. `renew` of the ref
   * starts again. A form that failed to load is reported here only with `loadError="never"`.
   */
  onError?: ((error: RemitError) => void) | undefined;
}

/** What a `ref` of `<CardForm>` exposes. */
export interface CardFormHandle {
  /** The form, while it is shown. */
  readonly form: ShownForm | undefined;
  /**
   * Starts a new session in the same place, also after the form could not be shown or was destroyed.
   *
   * @throws {RemitError} of kind `aborted` if the component is unmounted or has no kit yet; those of
   * `createCardSession`.
   */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, if it failed to load, to the button that tries again. */
  focus(): void;
  /** Removes the form and keeps its place. Does not call `onError`. */
  destroy(): void;
}

/**
 * The hosted card form. It is shown once there is a kit, and removed on unmount. The latest listeners are
 * called.
 *
 * The server's markup already reserves its place, without a `style` attribute, which a strict content
 * security policy would refuse.
 */
export const CardForm: ForwardRefExoticComponent<CardFormProps & RefAttributes<CardFormHandle>>;

/** What `<remit-card-form>` takes in JSX. */
export type RemitCardFormAttributes = RemitElementProps<"remit-card-form">;

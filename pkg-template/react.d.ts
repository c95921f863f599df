import type { ForwardRefExoticComponent, ReactElement, ReactNode, Ref, RefAttributes } from "react";
import type { RemitCardFormElement, RemitCardFormEventMap } from "./element.js";
import type { CardForm as ShownForm, CardFormEvent, CompletedCard, LoadError, LoadErrorTexts, LoadFailure, Theme } from "./types/card.js";
import type { Corridor, CorridorFilter } from "./types/corridor.js";
import type { FieldProblem, RemitError } from "./types/error.js";
import type {
  CorridorFieldsQuery,
  FieldForm,
  FieldValue,
  FieldValues,
  PhoneNumber,
  SenderFieldsQuery,
  TransferFieldsQuery,
} from "./types/fields.js";
import type { Quote, QuoteRequest } from "./types/quote.js";
import type { CallOptions, RemitKit, RemitKitOptions } from "./types/remit-kit.js";
import type { TransferAttempt } from "./types/transfer.js";

/**
 * Either the options of a kit, or a kit of your own.
 *
 * With `options` the provider makes one kit in the browser, never on a server, and destroys it when it goes;
 * StrictMode's second pass makes no second one. Options are compared by what they say, so they may be written
 * in place. `token` and `onDiagnostic` are called as they were last given. Another `baseUrl`, `cardUrl`,
 * `locale`, `timeoutMs`, `senderId` or `journal`, or another token that is no function, makes another kit.
 * Where another customer signs in, give the provider another `key`: a kit keeps the token that a function
 * gave it.
 *
 * With `remit` the kit is yours to destroy. It may be a promise, made outside of rendering; `null` stands for
 * one that is not there yet.
 */
export type RemitKitProviderProps =
  | { options: RemitKitOptions; remit?: undefined; children?: ReactNode }
  | { remit: RemitKit | PromiseLike<RemitKit> | null; options?: undefined; children?: ReactNode };

/** Gives the components in it their kit. */
export function RemitKitProvider(props: RemitKitProviderProps): ReactElement;

/** A kit, the error that there is none for, or neither while it is loading. */
export type RemitKitState = (
  | { readonly remit: RemitKit; readonly error: undefined; readonly isLoading: false }
  | { readonly remit: undefined; readonly error: RemitError; readonly isLoading: false }
  | { readonly remit: undefined; readonly error: undefined; readonly isLoading: true }
) & {
  /**
   * Makes the kit anew, after an error or after one of kind `internal`. Does nothing for a kit of your own.
   */
  readonly retry: () => void;
};

/**
 * The kit of the provider around. It never suspends: a suspended tree would wait on a server for a kit that
 * is made in browsers only, and a page that can be shown without the kit should be.
 *
 * @throws {RemitError} of kind `configuration`, outside of a provider.
 */
export function useRemitKit(): RemitKitState;

export interface CorridorsState {
  /** Those that the filter keeps; none while they are waited for. */
  readonly corridors: readonly Corridor[];
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
}

/**
 * The corridors that are enabled, all or those that a filter keeps. Filters are compared by what they say;
 * `null` asks nothing.
 */
export function useCorridors(filter?: CorridorFilter | null): CorridorsState;

export interface UseQuoteOptions {
  /**
   * How long a change must stand before it is asked for, in milliseconds; 300 if left out. The first request
   * does not wait.
   */
  debounceMs?: number | undefined;
  /**
   * Whether a quote that has expired is replaced by itself, as soon as somebody looks at the page. Where that
   * fails it is tried again after 10 seconds, and then later and later, up to a minute. Not if left out.
   */
  refreshExpired?: boolean | undefined;
}

export interface QuoteState {
  /**
   * The newest quote that was answered. While one for a changed request is on its way it is the last one,
   * which is then stale; where that one fails there is none.
   */
  readonly quote: Quote | undefined;
  /** Why there is no quote for this request, or why it could not be refreshed. */
  readonly error: RemitError | undefined;
  /** Whether a quote is waited for; the time before it is asked for counts. */
  readonly isLoading: boolean;
  /** Whether `quote` must not be used: it is for an earlier request, or has expired. */
  readonly isStale: boolean;
  /**
   * Whether it has expired, by the service's word and this page's clock, which is looked at each second: it
   * may be put right meanwhile.
   */
  readonly isExpired: boolean;
  /** Asks once more for the same. */
  readonly refresh: () => void;
}

/**
 * A quote for a request that may change with every key the customer presses; `null` asks nothing. Requests
 * are compared by what they say. An answer that comes after the request has changed is dropped, and its call
 * aborted.
 */
export function useQuote(request: QuoteRequest | null | undefined, options?: UseQuoteOptions): QuoteState;

/**
 * How many seconds are left until a quote or a card form's session ends, by this page's clock, rounded up;
 * `undefined` where that is not known, and in a server's markup. Only the component that uses it is rendered
 * each second.
 */
export function useSecondsLeft(
  of: { readonly expirationDate?: string | null } | null | undefined,
): number | undefined;

/** What each kind of fields is asked for with. */
export interface FieldQueries {
  sender: SenderFieldsQuery;
  recipient: CorridorFieldsQuery;
  recipientAccount: CorridorFieldsQuery;
  transfer: TransferFieldsQuery;
}

export interface FieldFormState {
  /** The fields, once the service has told them. */
  readonly form: FieldForm | undefined;
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  /** Asks for the fields once more. */
  readonly reload: () => void;
  /** What was collected so far. It is kept where the query changes. */
  readonly values: FieldValues;
  readonly setValue: (fieldId: string, value: string | PhoneNumber | null | undefined) => void;
  /** Begins anew, with these values or with none. */
  readonly reset: (values?: FieldValues) => void;
  /** The customer has left a field: from now on its problems are among `problems`. */
  readonly touch: (fieldId: string) => void;
  /**
   * The problems to show: those of the fields that were left, or all once `check` was called. They are those
   * of the values as they are now.
   */
  readonly problems: readonly FieldProblem[];
  /**
   * All problems of the values as they are now, also of one that was set in the same turn; none if they can
   * be sent. From then on `problems` has all of them, so call it in an event handler and not while rendering,
   * where `form.check(values)` tells the same.
   *
   * @throws {RemitError} of kind `invalid_request` before `form` is there.
   */
  readonly check: () => FieldProblem[];
  /**
   * The `fields` of a request: the values, not empty, of the fields that this form has.
   *
   * @throws {RemitError} of kind `invalid_request` before `form` is there.
   */
  readonly toFields: () => FieldValue[];
}

/**
 * The fields that a screen collects, asked for anew by each screen, and what was filled in. `null` asks
 * nothing. `initialValues` are values, or a function that makes them once the form is there, such as
 * `(form) => form.valuesOf(recipient)`; what was set before and since goes before these.
 */
export function useFieldForm<Kind extends keyof FieldQueries>(
  kind: Kind,
  query: FieldQueries[Kind] | null | undefined,
  options?: { initialValues?: FieldValues | ((form: FieldForm) => FieldValues) | undefined },
): FieldFormState;

export interface FieldOptionsState {
  /** The choices; none while they are waited for, or while a field that they depend on is empty. */
  readonly options: readonly { id: string; name?: string }[];
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * The choices of a dropdown, asked for anew when a value changes that they depend on. Choices for an earlier
 * value are dropped.
 */
export function useFieldOptions(
  fields: { readonly form: FieldForm | undefined; readonly values: FieldValues },
  fieldId: string,
): FieldOptionsState;

export interface PendingTransfersState {
  /**
   * What the journal held when it was read, after a reload too: prepared or sent, without a known outcome.
   */
  readonly attempts: readonly TransferAttempt[];
  /** Why it cannot be told what is open: offer no other transfer then, and `refresh` if it is `retryable`. */
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
}

/** The transfers that an earlier page has left. Take them up before another is made. */
export function usePendingTransfers(): PendingTransfersState;

export interface CardFormProps {
  id?: string | undefined;
  className?: string | undefined;
  /** A session of your own; a new one is created if left out. Another one begins a new form. */
  sessionId?: string | undefined;
  /**
   * Another one, by what it says, loads the form anew in the same session, so that what was typed into it is
   * gone.
   */
  theme?: Theme | undefined;
  /** The accessible name of the frame; `"Card details"` if left out. */
  title?: string | undefined;
  /** What is reserved for the frame, in CSS pixels; 620 if left out. */
  height?: number | undefined;
  /** How long the frame may take to load; 20 seconds if left out. Counts for the next form that begins. */
  loadTimeoutMs?: number | undefined;
  /**
   * What stands in the form's place where it could not be loaded: a message in the customer's language with a
   * button that tries again (`"auto"`, if left out), texts of your own in it, an element or a function that
   * renders one, or nothing (`"never"`, which counts for the next form that begins).
   */
  loadError?: "auto" | "never" | LoadErrorTexts | ReactElement | ((failure: LoadFailure) => ReactNode) | undefined;
  /**
   * Whether the form takes the focus once it has loaded, unless the customer has moved it elsewhere in the
   * meantime.
   */
  autoFocus?: boolean | undefined;
  /** The frame has loaded something, each time that it does. The form is for `useSecondsLeft`. */
  onReady?: ((form: ShownForm) => void) | undefined;
  /** Every event of the form, in order. */
  onEvent?: ((event: CardFormEvent) => void) | undefined;
  /** The card, read back from the session. */
  onCompleted?: ((card: CompletedCard) => void) | undefined;
  /**
   * The kit or the form could not be had, or the form came to an end without a card. `renew` of the ref
   * begins anew. A form that could not be loaded is told of here only where `loadError` is `"never"`.
   */
  onError?: ((error: RemitError) => void) | undefined;
}

/** What a ref of `<CardForm>` gives. */
export interface CardFormHandle {
  /** The form itself while it is shown. */
  readonly form: ShownForm | undefined;
  /**
   * Begins a new session in the same place, also after the form could not be shown or was destroyed.
   *
   * @throws {RemitError} of kind `aborted` if the component is gone or has no kit yet; those of creating a
   * session.
   */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, where it could not be loaded, to the button that tries again. */
  focus(): void;
  /** Removes the form and leaves its place. `onError` is not called. */
  destroy(): void;
}

/**
 * The hosted card form. It is shown once there is a kit, and removed with the component. Listeners are called
 * as they were last given.
 *
 * Its place is reserved from the server's markup on, without a `style` attribute, which a strict content
 * security policy would refuse.
 */
export const CardForm: ForwardRefExoticComponent<CardFormProps & RefAttributes<CardFormHandle>>;

type ElementListeners = {
  [Name in keyof RemitCardFormEventMap as `on${Name}`]?: (event: RemitCardFormEventMap[Name]) => void;
};

/**
 * The attributes and properties of `<remit-card-form>` in JSX. Properties that are objects and listeners take
 * React 19.
 */
export interface RemitCardFormAttributes extends ElementListeners {
  ref?: Ref<RemitCardFormElement>;
  key?: string | number | bigint | null;
  id?: string;
  class?: string;
  className?: string;
  slot?: string;
  hidden?: boolean;
  children?: ReactNode;
  remit?: RemitKit | PromiseLike<RemitKit> | null;
  theme?: Theme | null;
  name?: string;
  required?: boolean;
  disabled?: boolean;
  height?: number | string;
  "session-id"?: string;
  "frame-title"?: string;
  "load-timeout-ms"?: number | string;
  "load-error"?: "never" | "auto";
  loadError?: LoadError | null;
  autofocus?: boolean;
  [themeAttribute: `theme-${string}`]: string | boolean | undefined;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "remit-card-form": RemitCardFormAttributes;
    }
  }
}

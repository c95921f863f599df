import type { CardForm, CardFormEvent, CompletedCard, LoadError, Theme } from "./types/card.js";
import type { RemitError } from "./types/error.js";
import type { CallOptions, RemitKit } from "./types/remit-kit.js";

/** What the element tells of, by the name of its DOM event. None of them bubbles, and all are composed. */
export interface RemitCardFormEventMap {
  /** `READY`: the frame has loaded something. */
  ready: CustomEvent<Record<string, never>>;
  /** `LOAD_FAILED`. */
  loadfailed: CustomEvent<Omit<Extract<CardFormEvent, { type: "LOAD_FAILED" }>, "type">>;
  /** `CARD_VALIDATION_START`: the customer has asked to verify the card. */
  cardvalidationstart: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_SUCCESS`: it was verified; `completed` follows with the card. */
  cardvalidationstopsuccess: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_FAIL`: it was not; the customer may try again. */
  cardvalidationstopfail: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_EXPIRED`: the session is over; `renew()` begins another. */
  cardvalidationstopexpired: CustomEvent<Record<string, never>>;
  /** The card, read back from the session. An ordinary `change`, which bubbles, comes before it. */
  completed: CustomEvent<CompletedCard>;
  /**
   * The form could not be shown, or came to an end without a card; where it could not be loaded, only if
   * nothing offers to try again.
   */
  error: CustomEvent<RemitError>;
}

type EventOf<Name extends string> = Name extends keyof RemitCardFormEventMap
  ? RemitCardFormEventMap[Name]
  : Name extends keyof HTMLElementEventMap
    ? HTMLElementEventMap[Name]
    : Event;

/**
 * `<remit-card-form>`: the hosted card form as an element, in an open shadow root. It is shown while the
 * element is in the document and has a `remit`, and removed with it. Moved in one turn, it keeps its session,
 * and its frame loads anew; with `moveBefore()` it does not. Taken out and put in again later it begins a new
 * session.
 *
 * In a `<form>` it is a control: under its `name` the form carries the card's id once there is one.
 * `form.reset()` begins a new session. Engines without form-associated elements (Safari before 16.4) show it
 * all the same: take the id from `completed` there.
 *
 * Each parameter of a theme is also an attribute, such as `theme-button-color`, which comes before the same
 * one in `theme`; `theme-show-step` and `theme-show-card-animation` stand for `true` unless they say
 * `"false"`.
 */
export interface RemitCardFormElement extends HTMLElement {
  /** The kit, or a promise of it. Another one begins a new form. The element does not destroy it. */
  get remit(): RemitKit | undefined;
  set remit(remit: RemitKit | PromiseLike<RemitKit> | null | undefined);
  /** How the form looks and speaks. Another one, by what it says, loads the form anew in the same session. */
  get theme(): Theme | undefined;
  set theme(theme: Theme | null | undefined);
  /** The attribute `session-id`: a session of your own. Another one begins a new form. */
  get sessionId(): string;
  set sessionId(sessionId: string | null | undefined);
  /** The attribute `frame-title`: the accessible name of the frame; `"Card details"` if left out. */
  get frameTitle(): string;
  set frameTitle(title: string | null | undefined);
  /** The attribute `height`: what is reserved for the frame, in CSS pixels; 620 if left out. */
  get height(): number | undefined;
  set height(height: number | null | undefined);
  /**
   * The attribute `load-timeout-ms`: how long the frame may take to load. Counts for the next form that
   * begins.
   */
  get loadTimeoutMs(): number | undefined;
  set loadTimeoutMs(timeout: number | null | undefined);
  /**
   * What stands in the form's place where it could not be loaded. Left out, the attribute `load-error` counts
   * (`"auto"` or `"never"`), then a child of the element in the slot `load-error`, then `"auto"`. Counts for
   * the next form that begins; the child is looked for at each failure.
   */
  get loadError(): LoadError | undefined;
  set loadError(loadError: LoadError | null | undefined);
  /**
   * The attribute `autofocus`: the form takes the focus once it has loaded, unless the customer has moved it
   * elsewhere in the meantime.
   */
  autofocus: boolean;

  /** The card's id once it is completed; `""` before. */
  readonly value: string;
  /**
   * Settles with the card or with a {@link RemitError}. After that, `renew`, a reset or a new form bring a
   * new promise.
   */
  readonly completed: Promise<CompletedCard>;
  /** The form itself while it is shown. */
  readonly cardForm: CardForm | undefined;
  /**
   * Begins a new session in the same place, also after the form could not be shown.
   *
   * @throws {RemitError} of kind `aborted` if the element is not in the document or has no `remit`; those of
   * creating a session.
   */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, where it could not be loaded, to the button that tries again. */
  focus(options?: FocusOptions): void;

  /** The name under which a form carries the card's id. */
  get name(): string;
  set name(name: string | null | undefined);
  /** Whether the form around it is invalid, with `valueMissing`, until there is a card. */
  required: boolean;
  /** Whether the form is shown but cannot be used, and is left out of what the form around it carries. */
  disabled: boolean;
  readonly type: string;
  readonly form: HTMLFormElement | null;
  readonly labels: NodeList | undefined;
  readonly validity: ValidityState | undefined;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;

  addEventListener<Name extends keyof RemitCardFormEventMap | keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: RemitCardFormElement, event: EventOf<Name>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof RemitCardFormEventMap | keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: RemitCardFormElement, event: EventOf<Name>) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "remit-card-form": RemitCardFormElement;
  }
}

/**
 * Makes the element known to the page, by this name. Importing alone does not, so that a page carries it only
 * if it is asked for. May be called again, and by another copy of the package; on a server and in a worker it
 * does nothing.
 *
 * @throws {RemitError} of kind `configuration`, if the name is none for an element, or is taken by another
 * one.
 */
export function defineRemitCardForm(tagName?: `${string}-${string}`): void;

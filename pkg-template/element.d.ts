import type { CardForm, CardFormEvent, CompletedCard, LoadError } from "./types/card.js";
import type { RemitError } from "./types/error.js";
import type { RemitFormControl } from "./types/form-control.js";
import type { CallOptions } from "./types/remit-kit.js";

/** The element's DOM events. They are composed, and none of them bubbles. */
export interface RemitCardFormEventMap {
  /** `READY`: the frame has loaded. */
  ready: CustomEvent<Record<string, never>>;
  /** `LOAD_FAILED`. */
  loadfailed: CustomEvent<Omit<Extract<CardFormEvent, { type: "LOAD_FAILED" }>, "type">>;
  /** `CARD_VALIDATION_START`: the customer asked to verify the card. */
  cardvalidationstart: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_SUCCESS`: the card was verified; `completed` follows with its id. */
  cardvalidationstopsuccess: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_FAIL`: the card was not verified; the customer may try again. */
  cardvalidationstopfail: CustomEvent<Record<string, never>>;
  /** `CARD_VALIDATION_STOP_EXPIRED`: the session has expired; `renew()` starts another. */
  cardvalidationstopexpired: CustomEvent<Record<string, never>>;
  /** The card, read back from the session. An ordinary `change` event, which bubbles, precedes it. */
  completed: CustomEvent<CompletedCard>;
  /** The form ended without a card, or was not shown; a failed load counts only if nothing offers a retry. */
  error: CustomEvent<RemitError>;
}

/**
 * `<remit-card-form>`: the hosted card form as a custom element, in an open shadow root. It shows the form
 * while it is in the document and has a `remit`. Moved within one task it keeps its session and reloads its
 * frame; moved with `moveBefore()` it keeps both. Removed and inserted again later, it starts a new session.
 *
 * Inside a `<form>` it is a form control, which submits the card's id under its `name`. `form.reset()` starts
 * a new session. In engines without form-associated elements (Safari before 16.4) take the id from
 * `completed`.
 *
 * Another kit starts a new form. A different `theme`, by value, reloads the form in the same session. While
 * `required`, the surrounding form is invalid, with `valueMissing`, until there is a card.
 *
 * Each theme parameter is also an attribute, such as `theme-button-color`, which takes precedence over
 * `theme`; `theme-show-step` and `theme-show-card-animation` mean `true` unless they are `"false"`.
 */
export interface RemitCardFormElement extends RemitFormControl<RemitCardFormEventMap> {
  /** The attribute `session-id`: a session that you created. Another one starts a new form. */
  get sessionId(): string;
  set sessionId(sessionId: string | null | undefined);
  /** The attribute `frame-title`: the accessible name of the frame; `"Card details"` by default. */
  get frameTitle(): string;
  set frameTitle(title: string | null | undefined);
  /** The attribute `height`: the height reserved for the frame, in CSS pixels; 620 by default. */
  get height(): number | undefined;
  set height(height: number | null | undefined);
  /** The attribute `load-timeout-ms`: how long the frame may take to load. Applies to the next form. */
  get loadTimeoutMs(): number | undefined;
  set loadTimeoutMs(timeout: number | null | undefined);
  /**
   * What replaces the form if it fails to load. By default the attribute `load-error` (`"auto"` or
   * `"never"`), else a child of the element in the slot `load-error`, else `"auto"`. Applies to the next
   * form; the child is looked up at each failure.
   */
  get loadError(): LoadError | undefined;
  set loadError(loadError: LoadError | null | undefined);
  /** The attribute `autofocus`: the form takes the focus once loaded, unless the customer has moved it. */
  autofocus: boolean;

  /** The card's id once the form is completed; `""` before. */
  readonly value: string;
  /** Settles with the card or a {@link RemitError}. `renew`, a reset or a new form then create a new one. */
  readonly completed: Promise<CompletedCard>;
  /** The form, while it is shown. */
  readonly cardForm: CardForm | undefined;
  /**
   * Starts a new session in the same place, also after the form could not be shown.
   *
   * @throws {RemitError} of kind `aborted` if the element is not in the document or has no `remit`; those of
   * `createCardSession`.
   */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, if it failed to load, to the button that tries again. */
  focus(options?: FocusOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "remit-card-form": RemitCardFormElement;
  }
}

/**
 * Defines the element under this name. Importing alone does not, so that a page carries it only on request.
 * May be called again, also by another copy of the package; does nothing on a server or in a worker.
 *
 * @throws {RemitError} of kind `configuration` if the name is invalid or taken by another element.
 */
export function defineRemitCardForm(tagName?: `${string}-${string}`): void;

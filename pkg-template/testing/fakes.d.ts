import type { CardForm, CardFormEvent, LoadError, Theme } from "../types/card.js";
import type { FieldProblem, RemitError } from "../types/error.js";
import type { FieldForm, FieldValues } from "../types/fields.js";
import type { PageElement } from "../types/page.js";
import type { FieldDefinition } from "../types/records.js";
import type { RemitKit } from "../types/remit-kit.js";
import type { TransferAttempt, TransferResult } from "../types/transfer.js";

/** An event of a card form by its type, or with its details. */
export type FakeCardFormEvent =
  | CardFormEvent["type"]
  | {
      type: "LOAD_FAILED";
      /** `"unreachable"` by default. */
      reason?: "timeout" | "offline" | "blocked" | "unreachable";
      directive?: string;
    }
  /** With another card, or with `null` for a success that the service does not know of. */
  | { type: "CARD_VALIDATION_STOP_SUCCESS"; cardId?: string | null }
  | { type: Exclude<CardFormEvent["type"], "LOAD_FAILED" | "CARD_VALIDATION_STOP_SUCCESS"> };

export interface FakeCardFormOptions {
  /** The events before the form is returned. */
  events?: readonly FakeCardFormEvent[] | undefined;
  /** The card id of a success. */
  cardId?: string | undefined;
  sessionId?: string | undefined;
  /** How long a session lasts, in milliseconds; 30 minutes by default. */
  lifetimeMs?: number | undefined;
  /** An element, or a selector of one, that receives an empty frame as the form's `element`. */
  container?: PageElement | string | undefined;
  /** As in `cardForm`: its message is shown in the container. */
  loadError?: LoadError | undefined;
  autoFocus?: boolean | undefined;
  theme?: Theme | undefined;
}

/** A card form without a frame, and the controls for a test. */
export interface FakeCardForm {
  /** What a page gets: the package's own class over a scripted core, which behaves as a real form. */
  readonly form: CardForm;
  /**
   * Emits events in this order; fulfils once all listeners have been called. A success completes the form; an
   * expiry and, with `loadError: "never"`, a failure to load reject `completed` with the error of a real
   * form.
   */
  emit(...events: FakeCardFormEvent[]): Promise<void>;
  /** Makes renewals fail with this error, until it is called with `undefined`. */
  failRenewal(error: RemitError | undefined): void;
  /** The themes passed to `update`. */
  readonly themes: readonly Theme[];
  /** How often the form was renewed. */
  readonly renewals: number;
  readonly isDestroyed: boolean;
}

/** Creates a card form for component tests, without a browser or a frame. */
export function fakeCardForm(options?: FakeCardFormOptions): Promise<FakeCardForm>;

/** A RemitKit whose calls return what a test defines, and a record of the calls. */
export interface FakeRemitKit {
  readonly remit: RemitKit;
  /** The forms that `remit.cardForm` returned, unless you passed a method for it. */
  readonly cardForms: readonly FakeCardForm[];
  /** Each call, as `[name, ...arguments]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[];
}

/**
 * Creates a RemitKit for component tests, without the wasm or a service. A call without a method fails with
 * `InvalidRequest`, except for `cardForm`, which returns the loaded form of a {@link FakeCardForm}. Arguments
 * are not checked.
 *
 * A `signal` aborts a call as in a real kit: with `Aborted`, or with `OutcomeUnknown` if the call creates
 * something and may have been sent. If the signal is already aborted, the method is not called. `transfer`
 * settles first, so its method alone decides the outcome.
 */
export function fakeRemitKit(methods?: Partial<Omit<RemitKit, "destroy" | symbol>>): FakeRemitKit;

/**
 * A field by its id, or with the members that matter; otherwise a visible text field. `CARD_ID` is hidden.
 */
export type FakeField = string | (Partial<FieldDefinition> & { fieldId: string });

/**
 * Creates a field form for component tests. By default `check` reports empty required fields, and `options`
 * returns a field's own; `check` and `choices` replace these. Values are not checked further.
 */
export function fakeFieldForm(
  fields: readonly FakeField[],
  options?: {
    check?: ((values: FieldValues) => FieldProblem[]) | undefined;
    choices?:
      | ((fieldId: string, values: FieldValues) => readonly { id: string; name?: string }[] | undefined)
      | undefined;
  },
): FieldForm;

/** How a fake attempt ends: in a transfer (any of its members), an error, or what a function returns. */
export type FakeOutcome =
  | Partial<TransferResult>
  | RemitError
  | (() => Partial<TransferResult> | RemitError | Promise<Partial<TransferResult> | RemitError>);

export interface FakeTransferAttemptOptions
  extends Partial<Omit<TransferAttempt, "submit" | "resume" | "discard" | "acknowledge">> {
  /** A completed transfer by default. */
  outcome?: FakeOutcome | undefined;
}

export interface FakeTransferAttempt {
  /** What a page gets: the package's own class, whose `state` follows the script. */
  readonly attempt: TransferAttempt;
  /** How often it was submitted or resumed, until it was made. */
  readonly submissions: number;
  /** Sets how it ends from now on. */
  settle(outcome: FakeOutcome): void;
}

/** Creates a transfer attempt, for `prepareTransfer` and `pendingTransfers` of a {@link FakeRemitKit}. */
export function fakeTransferAttempt(options?: FakeTransferAttemptOptions): FakeTransferAttempt;

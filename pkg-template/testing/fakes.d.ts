import type { CardForm, CardFormEvent, LoadError, Theme } from "../types/card.js";
import type { FieldProblem, RemitError } from "../types/error.js";
import type { FieldDefinition, FieldForm, FieldValues } from "../types/fields.js";
import type { PageElement } from "../types/page.js";
import type { RemitKit } from "../types/remit-kit.js";
import type { TransferAttempt, TransferResult } from "../types/transfer.js";

/** An event of a card form by its type, or with what it carries. */
export type FakeCardFormEvent =
  | CardFormEvent["type"]
  | {
      type: "LOAD_FAILED";
      /** `"unreachable"` if left out. */
      reason?: "timeout" | "offline" | "blocked" | "unreachable";
      directive?: string;
    }
  /** With another card than usual, or with `null`, as where the service knows nothing of the success. */
  | { type: "CARD_VALIDATION_STOP_SUCCESS"; cardId?: string | null }
  | {
      type: "READY" | "CARD_VALIDATION_START" | "CARD_VALIDATION_STOP_FAIL" | "CARD_VALIDATION_STOP_EXPIRED";
    };

export interface FakeCardFormOptions {
  /** What has happened by the time that the form is handed out. */
  events?: readonly FakeCardFormEvent[] | undefined;
  /** The card of a success. */
  cardId?: string | undefined;
  sessionId?: string | undefined;
  /** How long a session lasts, in milliseconds; 30 minutes if left out. */
  lifetimeMs?: number | undefined;
  /** An element, or a selector of one: gets an empty frame, as the form's `element`. None if left out. */
  container?: PageElement | string | undefined;
  /** As in `cardForm`: with a container its message is shown there. */
  loadError?: LoadError | undefined;
  autoFocus?: boolean | undefined;
  theme?: Theme | undefined;
}

/** A card form without a frame, and the end of it that a test holds. */
export interface FakeCardForm {
  /**
   * What a page gets: the package's own class, over a core that is played. `completed`, `renew`, kept events
   * and everything else are as in a real one.
   */
  readonly form: CardForm;
  /**
   * Lets these happen, in this order; fulfilled when all listeners have heard. A success completes the form;
   * an expiry and, with `loadError: "never"`, a failure to load make `completed` reject with the error of a
   * real form.
   */
  emit(...events: FakeCardFormEvent[]): Promise<void>;
  /** The next renewals fail with this, until it is called with `undefined`. */
  failRenewal(error: RemitError | undefined): void;
  /** What `update` was called with. */
  readonly themes: readonly Theme[];
  /** How often it was renewed. */
  readonly renewals: number;
  readonly isDestroyed: boolean;
}

/** A card form for tests of components, without a browser and without a frame. */
export function fakeCardForm(options?: FakeCardFormOptions): Promise<FakeCardForm>;

/** A RemitKit whose calls answer what a test says, and what was asked of it. */
export interface FakeRemitKit {
  readonly remit: RemitKit;
  /** The forms that `remit.cardForm` has given, unless a method was given for it. */
  readonly cardForms: readonly FakeCardForm[];
  /** Each call, as `[name, ...arguments]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[];
}

/**
 * A RemitKit for tests of components, without the wasm and without a service. A call that it was given no
 * method for fails with `InvalidRequest`, except for `cardForm`, which gives a {@link FakeCardForm}'s form
 * that has loaded. Arguments are handed on unchecked.
 *
 * A `signal` ends a call as it ends a real one: with `Aborted`, and where the call creates something that may
 * have been sent already, with `OutcomeUnknown`. A method is not called for a signal that was aborted before.
 * `transfer` is settled first, so its method alone says how it ends.
 */
export function fakeRemitKit(methods?: Partial<Omit<RemitKit, "destroy" | symbol>>): FakeRemitKit;

/**
 * A field by its id, or with what matters of it. What is left out is that of a text that is shown; `CARD_ID`
 * is hidden.
 */
export type FakeField = string | (Partial<FieldDefinition> & { fieldId: string });

/**
 * The fields of a screen, for tests of components. `check` finds what is required and empty unless a test
 * says otherwise, and `options` gives a field's own unless `choices` does. Values are taken unchecked.
 */
export function fakeFieldForm(
  fields: readonly FakeField[],
  options?: {
    check?: ((values: FieldValues) => FieldProblem[]) | undefined;
    choices?: ((fieldId: string, values: FieldValues) => readonly { id: string; name?: string }[] | undefined) | undefined;
  },
): FieldForm;

/**
 * How a fake attempt ends: in a transfer, of which only what matters need be given, in an error, or as a
 * function says each time.
 */
export type FakeOutcome =
  | Partial<TransferResult>
  | RemitError
  | (() => Partial<TransferResult> | RemitError | Promise<Partial<TransferResult> | RemitError>);

export interface FakeTransferAttemptOptions
  extends Partial<Omit<TransferAttempt, "submit" | "resume" | "discard" | "acknowledge">> {
  /** A transfer that was made, if left out. */
  outcome?: FakeOutcome | undefined;
}

export interface FakeTransferAttempt {
  /** What a page gets: the package's own class, whose `state` follows from what is played. */
  readonly attempt: TransferAttempt;
  /** How often it was submitted or resumed; not after it was made. */
  readonly submissions: number;
  /** How it ends from now on. */
  settle(outcome: FakeOutcome): void;
}

/**
 * A transfer attempt for tests of components: for the `prepareTransfer` and `pendingTransfers` of a {@link
 * FakeRemitKit}.
 */
export function fakeTransferAttempt(options?: FakeTransferAttemptOptions): FakeTransferAttempt;

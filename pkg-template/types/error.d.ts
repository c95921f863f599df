import type { DocumentedErrorCode, OwnErrorCode, Resolution } from "./codes.js";
import type { MinorUnits } from "./money.js";
import type { Quote, Transfer } from "./records.js";
import type { TransferAttempt } from "./transfer.js";
import type { Unlisted } from "./unlisted.js";

// Made when packing.
export type { DocumentedErrorCode, OwnErrorCode, Resolution } from "./codes.js";

/** The category of an error, a closed set. Branch on this. */
export type ErrorKind =
  /** The call is wrong: an argument, an id, an amount. */
  | "invalid_request"
  /** The token is missing, was refused, or does not permit the call. */
  | "authentication"
  /** This sender has nothing with that id. */
  | "not_found"
  /** A limit on amount or count. */
  | "limit"
  /** The quote or its corridor. */
  | "quote"
  /** The card or its session. */
  | "card"
  /** Dynamic fields; `problems` names them. */
  | "field"
  /** It has already been done. */
  | "conflict"
  /** The network or the service failed. */
  | "unavailable"
  /** No reply in time. */
  | "timeout"
  /** The caller's signal, or `destroy` of the card form, ended the call. */
  | "aborted"
  /** The request was sent, and whether it was executed is unknown. */
  | "outcome_unknown"
  /** An option of RemitKit is wrong. */
  | "configuration"
  /** The card form could not be shown. */
  | "frame"
  /** A fault of RemitKit itself. */
  | "internal";

/** What happened. */
export type ErrorCode = DocumentedErrorCode | OwnErrorCode | Unlisted;

/** The differences between two quotes, for each amount that both state in the same currency. */
export interface QuoteDifference {
  sendAmount?: MinorUnits;
  receiveAmount?: MinorUnits;
  totalCost?: MinorUnits;
}

/** A problem with a field. */
export interface FieldProblem {
  fieldId: string;
  code: ErrorCode;
  /** For the customer. */
  message: string;
  /** What the form calls the field. Absent if no fetched form has it. */
  label?: string;
}

/** Your own texts for customers, by code, in any language. */
export type Messages = { [Code in DocumentedErrorCode | OwnErrorCode]?: string | undefined };

/** The only error that RemitKit throws. It holds no token, and `JSON.stringify` keeps what may be logged. */
export class RemitError extends Error {
  constructor(
    code: ErrorCode,
    message: string,
    details: {
      kind: ErrorKind;
      retryable: boolean;
      resolution?: Resolution;
      httpStatus?: number;
      requestId?: string;
      option?: string;
      retryAfterMs?: number;
      userMessage?: string;
      problems?: FieldProblem[];
      cause?: unknown;
    },
  );
  readonly name: "RemitError";
  /** What happened: a documented code, one of RemitKit's own, or one that the service has added since. */
  readonly code: ErrorCode;
  /** The category, from a closed set: branch on this, and on `code` where one case needs more. */
  readonly kind: ErrorKind;
  /** For developers: what happened, and what to do if the page is at fault; or the service's text. */
  readonly message: string;
  /**
   * For the customer, ready to show: your text from the option `messages`; or else RemitKit's Spanish one for the
   * code if `locale` (without a kit, the page's language) is Spanish; or else the service's text, or RemitKit's
   * English one. It never mentions options, members or tokens.
   */
  readonly userMessage: string;
  /** What to do about it. */
  readonly resolution?: Resolution;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The HTTP status of the service's reply, if there was one. */
  readonly httpStatus?: number;
  /** The service's trace id, for its support. */
  readonly requestId?: string;
  /** The argument or option at fault, such as `"baseUrl"` or `"fields[2].value"`. */
  readonly option?: string;
  /** The dynamic fields at fault. */
  readonly problems?: FieldProblem[];
  /** How long the service asks callers to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * If a quote is no longer valid (`QuoteAmountChanged`, `QuoteExpired`): a fresh one for the same request,
   * to show to the customer. Nothing was sent with it.
   */
  readonly quote?: Quote;
  /** The quote that is no longer valid. */
  readonly previousQuote?: Quote;
  /** `quote` minus `previousQuote`, in minor units of each amount's currency. */
  readonly difference?: QuoteDifference;
  /**
   * If the outcome of a transfer is unknown: its attempt. If an earlier attempt at the payment may have been
   * sent (`PaymentInProgress`): that one. Call `resume` on it.
   */
  readonly attempt?: TransferAttempt;
  /**
   * If an earlier attempt made the payment (`PaymentAlreadyMade`): its transfer, as `getTransfer` returns it,
   * or its id alone if the service did not answer.
   */
  readonly transfer?: Transfer;
  /**
   * What caused it, such as what `fetch` or your token source threw. It may hold anything, so do not log it
   * unseen. Of `fetch`, it repeats neither the token nor the request's body: what may do so is replaced by an
   * error of the same name and message, as far as these do not.
   */
  readonly cause?: unknown;
  toJSON(): Record<string, unknown>;
}

/**
 * Returns whether a value is a {@link RemitError}, also one of another frame or another copy of the package.
 */
export function isRemitError(value: unknown): value is RemitError;

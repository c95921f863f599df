import type { MinorUnits } from "./money.js";
import type { Quote } from "./quote.js";
import type { TransferAttempt } from "./transfer.js";
import type { Unlisted } from "./unlisted.js";

/** What sort of thing went wrong. Code that reacts to errors branches on this. */
export type ErrorKind =
  /** The call is at fault: an argument, an id, an amount. */
  | "invalid_request"
  /** The token is missing, was refused, or may not do this. */
  | "authentication"
  /** What was asked for does not exist for this sender. */
  | "not_found"
  /** A limit of amount or count. */
  | "limit"
  /** The quote or its corridor. */
  | "quote"
  /** The card or its session. */
  | "card"
  /** Dynamic fields; `problems` names them. */
  | "field"
  /** It was done already. */
  | "conflict"
  /** The network or the service did not answer as it should. */
  | "unavailable"
  /** No answer in time. */
  | "timeout"
  /** The caller's signal, or `destroy`, ended it. */
  | "aborted"
  /** It was sent, and whether it was done is not known. */
  | "outcome_unknown"
  /** RemitKit was set up in a way that cannot work. */
  | "configuration"
  /** The card form could not be shown. */
  | "frame"
  /** A fault of RemitKit itself. */
  | "internal";

/** What to do about an error. Open for values that come later. */
export type Resolution =
  | "correct_input"
  | "complete_fields"
  | "fetch_new_quote"
  | "wait_for_reset"
  | "start_new_card_session"
  | "use_another_card"
  | "choose_another_corridor"
  | "quote_by_send_amount"
  | "name_the_sender"
  | "fund_account"
  | "try_again_later"
  | "resume_attempt"
  | "read_the_transfer"
  | "contact_support"
  | Unlisted;

/** The codes that the service documents. */
export type DocumentedErrorCode =
  // Sender
  | "SenderUndetermined"
  | "SenderNotFound"
  | "InvalidSenderName"
  | "SenderNotCreated"
  | "SenderNotUpdated"
  | "InvalidTypeOfId"
  | "SenderInvalidTypeOfIdLength"
  | "SenderInvalidDateOfBirthUnder18"
  // Recipient and recipient account
  | "RecipientNotFound"
  | "InvalidRecipientId"
  | "InvalidRecipientName"
  | "RecipientInvalidTypeOfIdLength"
  | "RecipientInvalidPhoneNumber"
  | "RecipientAccountNotFound"
  | "InvalidRecipientAccountId"
  // Limits
  | "Max24HourSendAmountLimitReached"
  | "Max7DaysSendAmountLimitReached"
  | "Max24HourTotalCostLimitReached"
  | "Max7DaysTransferCountLimitReached"
  | "Max24HourTransferCountLimitReached"
  | "Max24HourSendAmountLimitReachedExceed"
  | "Max7DaysSendAmountLimitReachedExceed"
  | "Max24HourTotalCostLimitReachedExceed"
  | "Max24HourRecipientSendAmountLimitReached"
  | "Max7DaysRecipientSendAmountLimitReached"
  | "MaxMonthlyRecipientSendAmountLimitReached"
  | "Max24HourRecipientTransferCountLimitReached"
  | "MaxMonthlyRecipientTransferCountLimitReached"
  | "MinCashPayerTransactionLimitNotReached"
  | "MaxCashPayerTransactionLimitExceeded"
  | "MaxLimitOutOfRange"
  // Transfer, quote and funding
  | "TransferNotFound"
  | "TransferReceiptNotFound"
  | "TransferRequestNotFound"
  | "InsufficientFunds"
  | "InvalidAmount"
  | "SourceOfFundsRequired"
  | "SourceOfFundsInvalid"
  | "PurposeOfRemittanceRequired"
  | "SourceTransferMethodNotFound"
  | "SourceAccountNotSupported"
  | "QuoteAmountChanged"
  | "QuoteAmountChangedOfac"
  | "TransferDuplicatedByQuote"
  | "NoQuoteHistoryIdProvided"
  | "QuoteHistoryNotFound"
  | "ErrorGettingQuote"
  | "QuoteByReceiveNotSupported"
  | "QuoteByReceiveNotEnabled"
  | "QuoteByReceiveForTransferMethodNotEnabled"
  | "NoCorridorFoundForSpecificValues"
  | "CC404"
  | "UnsupportedCountry"
  | "RspTransferException"
  // Cards
  | "CardProvidedCannotBeUsedForThisTransaction"
  | "InvalidCardIssuerCountry"
  | "SourceCardAndReceivingCardMustBeUnique"
  | "CardNotSupported"
  | "ExpiryDateRequired"
  | "InvalidCardOnboardingSession"
  | "MinCardholderNames"
  | "BillingAndDestinationCurrencyCodeDiscrepancyError"
  // Generic
  | "NotEmptyValidator"
  | "MissingRequiredField"
  | "ValueRegexFailure"
  | "BadRequestError"
  | "BusinessOrDataValidationError";

/** The codes that RemitKit adds, for what happens before or beside the service. */
export type OwnErrorCode =
  | "InvalidConfiguration"
  | "InvalidRequest"
  | "TokenUnavailable"
  | "Unauthorized"
  | "AccessDenied"
  | "NetworkFailure"
  | "ServiceUnavailable"
  | "TooManyRequests"
  | "Timeout"
  | "Aborted"
  | "UnreadableReply"
  | "OutcomeUnknown"
  | "CardFormLoadFailed"
  | "CardFormDestroyed"
  | "QuoteExpired"
  | "TransferFailed"
  | "NonceAlreadyUsed"
  | "NotFound"
  | "Destroyed"
  | "Internal";

/** What happened. Open for codes that the service adds later. */
export type ErrorCode = DocumentedErrorCode | OwnErrorCode | Unlisted;

/** What has changed between two quotes, for each amount that both state in one currency. */
export interface QuoteDifference {
  sendAmount?: MinorUnits;
  receiveAmount?: MinorUnits;
  totalCost?: MinorUnits;
}

/** What is wrong with a field. */
export interface FieldProblem {
  fieldId: string;
  code: ErrorCode;
  /** For the customer. */
  message: string;
  /**
   * What the form calls the field, so that several problems can be told apart. Absent where no form is known
   * to have it.
   */
  label?: string;
}

/** What customers are told, by code: texts of your own, in any language. */
export type Messages = { [Code in DocumentedErrorCode | OwnErrorCode]?: string | undefined };

/**
 * The one error that RemitKit throws and rejects with. It holds no token, and `JSON.stringify` of it
 * gives only what may be logged.
 */
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
  /**
   * What happened: one of the service's documented codes, one of RemitKit's own, or one that the service has
   * added since.
   */
  readonly code: ErrorCode;
  /**
   * What sort of thing went wrong, of a closed set: branch on this, and on `code` where one case needs more.
   */
  readonly kind: ErrorKind;
  /**
   * For developers: what happened and, where the page is at fault, what to do. Where the service tells its
   * customers something, it is that.
   */
  readonly message: string;
  /**
   * For the customer, in words that can be shown as they are: yours of the option `messages`, the service's,
   * or RemitKit's own for the code, in Spanish if `locale` is, else in English. It never speaks of options,
   * members or tokens.
   */
  readonly userMessage: string;
  /** What to do about it. */
  readonly resolution?: Resolution;
  /** Whether the same call may succeed later with nothing changed. */
  readonly retryable: boolean;
  /** The status of the service's reply, if there was one. */
  readonly httpStatus?: number;
  /** The service's trace id, to quote to its support. */
  readonly requestId?: string;
  /** The argument or option at fault, such as `"baseUrl"` or `"fields[2].value"`. */
  readonly option?: string;
  /** The dynamic fields at fault. */
  readonly problems?: FieldProblem[];
  /** How long the service asks to wait before it is called again, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * Where a quote no longer holds (`QuoteAmountChanged`, `QuoteExpired`): a fresh one for the same, to show
   * to the customer. Nothing was sent with it.
   */
  readonly quote?: Quote;
  /** The quote that no longer holds. */
  readonly previousQuote?: Quote;
  /** `quote` minus `previousQuote`, in minor units of the amount's own currency. */
  readonly difference?: QuoteDifference;
  /** The transfer whose outcome is not known, if it is one: call its `resume`. */
  readonly attempt?: TransferAttempt;
  /** What caused it; may hold anything, so do not log it unseen. */
  readonly cause?: unknown;
  toJSON(): Record<string, unknown>;
}

/** Whether a value is a {@link RemitError}, also one of another frame or another copy of the package. */
export function isRemitError(value: unknown): value is RemitError;

import type { TransferMethod } from "./corridor.js";
import type { FieldValue, RecordField } from "./fields.js";
import type { Amount, Currency, MinorUnits } from "./money.js";
import type { Quote, QuoteBy } from "./quote.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** A transfer to execute. */
export interface TransferRequest {
  /** Three uppercase letters. */
  dstCountryIso3Code: string;
  /** Three uppercase letters. */
  dstCurrencyIso3Code: string;
  /** Three uppercase letters. */
  srcCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` if left out. */
  transferMethod?: TransferMethod | null | undefined;
  /** `SEND_AMOUNT` if left out. */
  quoteBy?: QuoteBy | null | undefined;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0: the amount that was quoted. */
  amount: MinorUnits;
  /** The quote, which can back one transfer. */
  quoteHistoryId: string;
  recipientId: string;
  /** Cash pickup has none. */
  recipientAccountId?: string | null | undefined;
  /** Whether the transfer shall be held until it is released. */
  customerHold?: boolean | null | undefined;
  /** From `nonce()`. One is taken where none is given. */
  nonce?: string | null | undefined;
  /** The dynamic fields. See `FieldForm.toFields`. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
  /** The sender, where the token does not name one. */
  senderId?: string | null | undefined;
  purposeOfRemittance?: string | null | undefined;
  sourceOfFunds?: string | null | undefined;
  sourceTransferMethod?: string | null | undefined;
  sourceAccountId?: string | null | undefined;
}

/** Open for values that come later; their case varies. A held transfer stays `Initiated`. */
export type TransferStatusName =
  | "Initiated"
  | "Pending"
  | "Failed"
  | "Canceled"
  | "Pending Cancelation"
  | "Complete"
  | "Unknown"
  | (string & {});

/** A transfer. */
export interface Transfer {
  transferId: string;
  /** The number that the customer can quote. */
  confirmationNumber?: string | null;
  status?: TransferStatusName | null;
  /** The quote that it was executed against. */
  quote?: Quote | null;
  senderDetails?: unknown;
  recipientDetails?: unknown;
  recipientAccountDetails?: unknown;
  /** Texts that the customer must be shown. */
  disclaimers?: unknown;
  /** ISO 8601. */
  createdAt?: string | null;
  /** When the money is there, ISO 8601. */
  dateAvailable?: string | null;
  fields?: RecordField[] | null;
  customer?: unknown;
}

/** A transfer that was made just now. */
export interface TransferResult extends Transfer {
  /** Whether the answer was lost at first, and the transfer was then found to have been made. */
  recovered: boolean;
}

/** A transfer in a list, where the service gives amounts as decimals (`29.99`) and not in minor units. */
export interface ListedTransfer {
  transferId: string;
  confirmationNumber?: string | null;
  status?: TransferStatusName | null;
  /** The amounts, which are decimals in a list. */
  quote?: {
    sendAmount?: ListedAmount | null;
    receiveAmount?: ListedAmount | null;
    totalCost?: ListedAmount | null;
    /** Fees and rebates. */
    adjustments?: { id?: string | null; label?: string | null; amount?: ListedAmount | null }[] | null;
  } | null;
  /** ISO 8601. */
  createdAt?: string | null;
}

/** An amount in a list: decimal, to be shown, not to be calculated with. */
export interface ListedAmount {
  /** Text, digit by digit, where a number would be rounded: from 2^53 minor units on. */
  value?: number | string | null;
  currency?: Currency | null;
}

/** Which transfers to list. */
export interface TransferFilter {
  /** The sender, where the token does not name one. */
  senderId?: string | null | undefined;
  /** How many at most. */
  limit?: number | null | undefined;
  /** How many to pass over. */
  offset?: number | null | undefined;
}

/** The life of a transfer. */
export interface TransferStatuses {
  statuses: {
    status: TransferStatusName;
    /** ISO 8601. */
    changedDate?: string | null;
  }[];
}

/** What became of a quote's transfer. */
export interface TransferProgress {
  transferId?: string | null;
  transferRecordStatus: "NotInProgress" | "Initializing" | "Failed" | "Created" | Unlisted;
}

/** How far the service is with a request for a transfer. */
export interface TransferRequestRecord {
  transferRequestId?: string | null;
  status?: {
    id?: string | null;
    name?:
      | "UNKNOWN"
      | "CREATED"
      | "PROCESSING"
      | "INVALID"
      | "FAILED_TO_PROCESS"
      | "PROCESSED"
      | "CANCELED"
      | (string & {})
      | null;
  } | null;
}

/** Why a held transfer is called off. */
export interface HoldCancellation {
  reason: "SUSPECTED_FRAUD" | "CONFIRMED_FRAUD" | "EVALUATION_EXPIRED" | "CUSTOMER_REQUEST" | Unlisted;
}

/**
 * One transfer, bound to one quote, one nonce and one body, so that it happens once, however often it is
 * submitted. It is in the journal from the moment it is prepared until its outcome is known, and a made
 * transfer 5 seconds longer, so that a page which goes away in that very moment finds it again. What it says
 * of amount, route and recipient is there after a reload too, so that a page can tell the customer which
 * transfer it is. Read each of its members by name: `{ ...attempt }` and `JSON.stringify` have none of them.
 */
export interface TransferAttempt {
  readonly quoteHistoryId: string;
  readonly nonce: string;
  /** When it was prepared, milliseconds since 1970. */
  readonly createdAt: number;
  /**
   * `PREPARED`: nothing has been sent. `SENT`: it was sent and its outcome is not known yet. `CREATED`: the
   * transfer was made. `REFUSED`: it was not, and never will be by this attempt. `DISCARDED`: by `discard`.
   */
  readonly state: "PREPARED" | "SENT" | "CREATED" | "REFUSED" | "DISCARDED" | Unlisted;
  /**
   * When the quote ends, milliseconds since 1970 by this page's clock: from then on `submit` rejects with
   * `QuoteExpired` and sends nothing. Known where this RemitKit was given the quote and the service said so.
   */
  readonly expiresAt?: number;
  /** The transfer, once it was made. */
  readonly transferId?: string;
  /**
   * Minor units of the currency on the side that `quoteBy` fixes, as it was requested. This and what follows
   * of the request is absent only in an attempt that an earlier version of RemitKit has prepared.
   */
  readonly amount?: MinorUnits;
  readonly quoteBy?: QuoteBy;
  readonly srcCurrencyIso3Code?: string;
  readonly dstCurrencyIso3Code?: string;
  readonly dstCountryIso3Code?: string;
  readonly transferMethod?: TransferMethod;
  readonly recipientId?: string;
  /** Cash pickup has none. */
  readonly recipientAccountId?: string;
  /**
   * What the quote said that the sender pays in, with its currency: known where this RemitKit was given the
   * quote by `quote`.
   */
  readonly sendAmount?: Amount;
  /** What the quote said that the recipient gets. */
  readonly receiveAmount?: Amount;
  /** What the quote said that the sender pays in all. */
  readonly totalCost?: Amount;
  /**
   * Sends the transfer, or finds out what became of it if it was sent before. A transfer that was made is not
   * sent again. Another tab that submits the same attempt meanwhile waits for the same outcome.
   *
   * Settles within 60 seconds, or `timeoutMs` and 30 seconds where that is more. The signal ends the waiting
   * of this call alone, within a second.
   *
   * @throws {RemitError} of kind `outcome_unknown` while anything that was sent may still arrive: call
   * `resume` later, and never make the transfer anew. `conflict` if another transfer was made with this
   * quote. Any other error means that no transfer was made by this attempt, and that none will be.
   */
  submit(options?: CallOptions): Promise<TransferResult>;
  /** The same as `submit`, by the name of what it does after an unknown outcome. */
  resume(options?: CallOptions): Promise<TransferResult>;
  /**
   * Drops an attempt that the customer no longer wants, while nothing of it was sent.
   *
   * @throws {RemitError} of kind `outcome_unknown` if it was sent, `conflict` if the transfer was made: then
   * it stays.
   */
  discard(options?: CallOptions): Promise<void>;
  /**
   * Lets the journal forget a transfer that was made, once the customer has been told of it. Within the page
   * that made it, that happens by itself 5 seconds later; a page that finds it in `pendingTransfers` with the
   * state `CREATED` says so by this, or by `resume`. May be called again.
   *
   * @throws {RemitError} of kind `outcome_unknown` while its outcome is open, `invalid_request` if nothing
   * was sent: then it stays.
   */
  acknowledge(options?: CallOptions): Promise<void>;
}

/** The calls about transfers. `RemitKit` has them. */
export interface TransferCalls {
  /** A value that makes one transfer unrepeatable. `prepareTransfer` takes one by itself. */
  nonce(options?: CallOptions): Promise<{ nonce: string }>;
  /**
   * Checks a transfer and binds it to its quote and a nonce. Nothing is sent that moves money. Settles within
   * 60 seconds, or `timeoutMs` and 30 seconds where that is more.
   */
  prepareTransfer(request: TransferRequest, options?: CallOptions): Promise<TransferAttempt>;
  /**
   * Sends the money, once: `prepareTransfer`, then `submit`. A lost answer is settled by asking the service.
   * If even that does not tell, it rejects with kind `outcome_unknown` and the attempt to `resume`; any other
   * error means that no transfer was made. Each half settles within its bound, so all of it within 120
   * seconds, or twice `timeoutMs` and 60 seconds where that is more.
   */
  transfer(request: TransferRequest, options?: CallOptions): Promise<TransferResult>;
  /**
   * The attempts of the token's sender with this service that the journal holds, after a reload too: prepared
   * or sent, without a known outcome. Where there are any, the service is asked whose the token is, unless
   * the option `senderId` says it.
   *
   * @throws {RemitError} if that cannot be learnt now, `retryable` where the service could not be reached, or
   * where it does not tell and an attempt was sent that may be this sender's (`option` is then `senderId`):
   * call it again before you offer another transfer.
   */
  pendingTransfers(): Promise<TransferAttempt[]>;
  getTransfer(transferId: string, options?: CallOptions): Promise<Transfer>;
  transfers(filter?: TransferFilter, options?: CallOptions): Promise<ListedTransfer[]>;
  transferStatuses(transferId: string, options?: CallOptions): Promise<TransferStatuses>;
  /** What became of a quote's transfer. */
  transferProgress(quoteHistoryId: string, options?: CallOptions): Promise<TransferProgress>;
  /** A PDF. */
  transferReceipt(transferId: string, options?: CallOptions): Promise<Blob>;
  transferRequest(transferRequestId: string, options?: CallOptions): Promise<TransferRequestRecord>;
  /** Lets a transfer go on that the customer's hold has stopped. */
  releaseCustomerHold(transferId: string, options?: CallOptions): Promise<void>;
  /** Calls a held transfer off. */
  cancelCustomerHold(transferId: string, request: HoldCancellation, options?: CallOptions): Promise<void>;
}

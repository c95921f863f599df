import type { Country, TransferMethod } from "./corridor.js";
import type { Amount, MinorUnits } from "./money.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** Which side of the quote the amount fixes: what is paid in, or what is paid out. */
export type QuoteBy = "SEND_AMOUNT" | "RECEIVE_AMOUNT" | Unlisted;

/** What to quote. */
export interface QuoteRequest {
  /** `BANK_ACCOUNT` if left out. */
  transferMethod?: TransferMethod | null | undefined;
  /** `SEND_AMOUNT` if left out. */
  quoteBy?: QuoteBy | null | undefined;
  /** Three uppercase letters. */
  dstCountryIso3Code: string;
  /** Three uppercase letters. */
  srcCurrencyIso3Code: string;
  /** Three uppercase letters. */
  dstCurrencyIso3Code: string;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0. See `toMinorUnits`. */
  amount: MinorUnits;
  /** With it a quote for PUSH_TO_CARD is most accurate. */
  recipientAccountId?: string | null | undefined;
}

/** A part of the price, such as a fee or a rebate. */
export interface Adjustment {
  id?: string | null;
  label?: string | null;
  /** Negative if it is in the sender's favour. */
  amount?: Amount | null;
}

/** A price. It backs one transfer at most. */
export interface Quote {
  /** Names the quote in a transfer. */
  quoteHistoryId: string;
  /** What the sender pays in, without fees. */
  sendAmount: Amount;
  /** What the recipient gets. */
  receiveAmount?: Amount | null;
  /**
   * How much of the receiving currency one unit of the sending currency buys. To be shown, not to be
   * calculated with.
   */
  rate?: number | null;
  /** Fees and rebates. */
  adjustments?: Adjustment[] | null;
  /** What the sender pays in all. */
  totalCost?: Amount | null;
  /** How long delivery takes. */
  deliverySLA?: { id?: string | null; name?: string | null } | null;
  /** Texts that the customer must be shown. */
  disclosures?: unknown;
  transferMethod?: TransferMethod | null;
  destinationCountry?: Country | null;
  destinationCountryISO3Code?: string | null;
  destinationCurrencyISO3Code?: string | null;
  sourceCurrencyIso3Code?: string | null;
  senderId?: string | null;
  customerId?: string | null;
  /** When it can no longer be used, ISO 8601, where the service says so. */
  expirationDate?: string | null;
}

/** The calls about quotes. `RemitKit` has them. */
export interface QuoteCalls {
  /** A price for an amount in a corridor. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  /** A quote that was made before. */
  getQuote(quoteHistoryId: string, options?: CallOptions): Promise<Quote>;
}

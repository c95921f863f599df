import type { Country, TransferMethod } from "./corridor.js";
import type { Amount, MinorUnits } from "./money.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** Which side of the quote the amount fixes: what is paid in, or what is paid out. */
export type QuoteBy = "SEND_AMOUNT" | "RECEIVE_AMOUNT" | Unlisted;

/** What to quote. Country and currency codes are three uppercase letters. */
export interface QuoteRequest {
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
  /** `SEND_AMOUNT` by default. */
  quoteBy?: QuoteBy | null | undefined;
  dstCountryIso3Code: string;
  srcCurrencyIso3Code: string;
  dstCurrencyIso3Code: string;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0. See `toMinorUnits`. */
  amount: MinorUnits;
  /** Makes a quote for PUSH_TO_CARD most accurate. */
  recipientAccountId?: string | null | undefined;
}

/** A part of the price, such as a fee or a rebate. */
export interface Adjustment {
  id?: string | null;
  label?: string | null;
  /** Negative if it is in the sender's favour. */
  amount?: Amount | null;
}

/** A price, for one transfer at most. */
export interface Quote {
  /** Identifies the quote in a transfer. */
  quoteHistoryId: string;
  /** What the sender pays in, without fees. */
  sendAmount: Amount;
  /** What the recipient gets. */
  receiveAmount?: Amount | null;
  /** How much of the receiving currency one unit of the other buys. For display, not for calculation. */
  rate?: number | null;
  /** Fees and rebates. */
  adjustments?: Adjustment[] | null;
  /** What the sender pays in total. */
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
  /** When it expires, ISO 8601, if the service says so. */
  expirationDate?: string | null;
}

/** The calls about quotes, as part of `RemitKit`. */
export interface QuoteCalls {
  /** Quotes an amount in a corridor. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  /** Reads an earlier quote. */
  getQuote(quoteHistoryId: string, options?: CallOptions): Promise<Quote>;
}

import type { Quote, QuoteRequest } from "./records.js";
import type { CallOptions } from "./remit-kit.js";

/** The calls about quotes, as part of `RemitKit`. */
export interface QuoteCalls {
  /** Quotes an amount in a corridor. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  /** Reads an earlier quote. */
  getQuote(quoteHistoryId: string, options?: CallOptions): Promise<Quote>;
}

import type { Quote, QuoteRequest } from "remitkit";
import { isRetryable } from "./errors";
import { kit } from "./remit";
import { corridorQuery } from "./routes";
import { retryPause } from "./sending";
import type { Checkout } from "./state";

/** Keeps the checkout's quote up to date with its input. */
export class Quotes {
  #current = new AbortController();

  constructor(private readonly checkout: Checkout) {}

  /**
   * Fetches the quote for the current input, after so many `failures`. Ignores the replies to earlier requests.
   * The result or the error is then in the checkout's state.
   */
  async fetch(failures = 0): Promise<void> {
    this.cancel();
    const { request, checkout } = this;
    if (!request) return checkout.change({ quoting: false, quote: undefined, quoteError: undefined });
    const { signal } = (this.#current = new AbortController());
    checkout.change({ quoting: true });
    try {
      const quote = await (await kit()).quote(request, { signal });
      if (!signal.aborted) this.take(quote, request.recipientAccountId ?? undefined);
    } catch (error) {
      if (signal.aborted) return;
      checkout.change({ quoting: false, quote: undefined, quoteError: error });
      const again = () => {
        if (!signal.aborted) void this.fetch(failures + 1);
      };
      if (isRetryable(error)) void retryPause(failures, signal).then(again);
    }
  }

  /** Takes over a quote, which may have come with the reply to another request. */
  take(quote: Quote, quotedFor: string | undefined): void {
    this.cancel();
    this.checkout.change({ quoting: false, quote, quotedFor, quoteError: undefined });
  }

  cancel(): void {
    this.#current.abort();
  }

  /** What is quoted for the current input, and sent; undefined while the input is not complete. */
  get request(): QuoteRequest | undefined {
    const { route, amount, quoteBy, account } = this.checkout.state;
    if (!route || amount === undefined) return undefined;
    return {
      ...corridorQuery(route),
      srcCurrencyIso3Code: route.source.iso3Code,
      quoteBy,
      amount,
      ...(account ? { recipientAccountId: account.id } : {}),
    };
  }
}

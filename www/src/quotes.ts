import type { Quote, QuoteRequest } from "remitkit";
import { isRetryable } from "./errors";
import { kit } from "./remit";
import { corridorQuery } from "./routes";
import { retryPause } from "./sending";
import type { Checkout } from "./state";

/** Keeps the checkout's quote up to date with its input. */
export class Quotes {
  #current: AbortController | undefined;
  #failures = 0;

  constructor(private readonly checkout: Checkout) {}

  /**
   * Fetches the quote for the current input. Ignores the replies to earlier requests. Returns undefined if the
   * request failed or was superseded; result and error are in the checkout's state too.
   */
  async fetch(): Promise<Quote | undefined> {
    this.cancel();
    const request = this.#request();
    if (!request) {
      this.checkout.change({ quoting: false, quote: undefined, quoteError: undefined });
      return undefined;
    }
    const controller = new AbortController();
    this.#current = controller;
    this.checkout.change({ quoting: true });
    try {
      const quote = await (await kit()).quote(request, { signal: controller.signal });
      if (this.#current !== controller) return undefined;
      this.#failures = 0;
      this.#accept(quote, request.recipientAccountId ?? undefined);
      return quote;
    } catch (error) {
      if (this.#current === controller) {
        this.checkout.change({ quoting: false, quote: undefined, quoteError: error });
        if (isRetryable(error)) void this.#retry(controller);
      }
      return undefined;
    }
  }

  /** Takes over a quote that came with the reply to another request. */
  take(quote: Quote): Quote {
    this.cancel();
    this.#accept(quote, this.checkout.state.account?.id);
    return quote;
  }

  cancel(): void {
    this.#current?.abort();
    this.#current = undefined;
  }

  #accept(quote: Quote, quotedFor: string | undefined): void {
    this.checkout.change({ quoting: false, quote, quotedFor, quoteError: undefined });
  }

  async #retry(failed: AbortController): Promise<void> {
    await retryPause(this.#failures, failed.signal);
    if (this.#current !== failed) return;
    this.#failures += 1;
    await this.fetch();
  }

  #request(): QuoteRequest | undefined {
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

import type { Quote, QuoteRequest } from "remitkit";
import { isRetryable } from "./errors";
import { kit } from "./remit";
import { corridorQuery } from "./routes";
import { connectionBack } from "./sending";
import type { Checkout } from "./state";

/** Keeps the quote of a checkout in step with what has been entered. */
export class Quotes {
  readonly #checkout: Checkout;
  #current: AbortController | undefined;
  #turn = 0;

  constructor(checkout: Checkout) {
    this.#checkout = checkout;
  }

  /**
   * Fetches the quote for the current input, after `delayMs` without another change. Drops an answer
   * to an earlier request, however late. Returns the quote, or nothing if it failed or was
   * overtaken; both are in the checkout's state too.
   */
  async ask(delayMs = 0): Promise<Quote | undefined> {
    this.drop();
    const request = this.#request();
    if (!request) {
      this.#checkout.change({ quoting: false, quote: undefined, quoteError: undefined });
      return undefined;
    }
    const controller = new AbortController();
    this.#current = controller;
    this.#checkout.change({ quoting: true });
    try {
      await pause(delayMs, controller.signal);
      const remit = await kit();
      const quote = await remit.quote(request, { signal: controller.signal });
      if (this.#current !== controller) return undefined;
      this.#turn = 0;
      this.#checkout.change({ quoting: false, quote, quotedFor: request.recipientAccountId ?? undefined, quoteError: undefined });
      return quote;
    } catch (error) {
      if (this.#current === controller) {
        this.#checkout.change({ quoting: false, quote: undefined, quoteError: error });
        if (isRetryable(error)) void this.#askAgain(controller);
      }
      return undefined;
    }
  }

  /** A price that the connection kept back is asked for until it comes, or something else is. */
  async #askAgain(failed: AbortController): Promise<void> {
    await connectionBack(this.#turn, failed.signal);
    if (this.#current !== failed) return;
    this.#turn += 1;
    await this.ask();
  }

  /** Takes a quote that has come with an answer to something else. */
  take(quote: Quote): Quote {
    this.drop();
    this.#checkout.change({ quoting: false, quote, quotedFor: this.#checkout.state.account?.id, quoteError: undefined });
    return quote;
  }

  /** Stops asking. */
  drop(): void {
    this.#current?.abort();
    this.#current = undefined;
  }

  #request(): QuoteRequest | undefined {
    const { route, amount, quoteBy, account } = this.#checkout.state;
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

import type { Quote } from "remitkit";
import { serviceNow } from "./remit";
import type { Checkout } from "./state";

const SECOND = 1_000;

/** Tracks how long a checkout's price is held, and fetches another one then if somebody is watching. */
export class QuoteExpiry {
  readonly #checkout: Checkout;
  readonly #renew: () => void;
  readonly #listeners = new Set<(secondsLeft: number | undefined) => void>();
  #quote: Quote | undefined;
  #endsAt: number | undefined;
  #renewed: Quote | undefined;

  /** Calls `renew` once for each quote that expires while the page is visible and nothing is being sent. */
  constructor(checkout: Checkout, renew: () => void) {
    this.#checkout = checkout;
    this.#renew = renew;
    checkout.watch(() => this.#look());
    setInterval(() => this.#tick(), SECOND);
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  /** Calls `listener` now and whenever the seconds left change; undefined means an unknown expiry. */
  watch(listener: (secondsLeft: number | undefined) => void): void {
    this.#listeners.add(listener);
    listener(this.#left());
  }

  #look(): void {
    const { quote } = this.#checkout.state;
    if (quote === this.#quote) return;
    this.#quote = quote;
    const endsAt = Date.parse(quote?.expirationDate ?? "");
    // If a fresh quote has already expired, even this clock is wrong: then the service alone decides.
    this.#endsAt = endsAt > serviceNow() ? endsAt : undefined;
    this.#tick();
  }

  #left(): number | undefined {
    return this.#endsAt === undefined ? undefined : Math.max(0, Math.ceil((this.#endsAt - serviceNow()) / SECOND));
  }

  #tick(): void {
    const { sending, transfer, quoting } = this.#checkout.state;
    const left = transfer ? undefined : this.#left();
    for (const listener of this.#listeners) listener(left);
    if (left !== 0 || quoting || sending || document.hidden || this.#renewed === this.#quote) return;
    this.#renewed = this.#quote;
    this.#renew();
  }
}

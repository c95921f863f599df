import type { Quote } from "remitkit";
import { serviceNow } from "./remit";
import type { Checkout } from "./state";

const SECOND_MS = 1_000;

/** Counts down how long the checkout's price is held, and renews it once it has expired. */
export class QuoteExpiry {
  #quote: Quote | undefined;
  #expiresAt: number | undefined;

  /**
   * Calls `show` each second with the seconds left; undefined means an unknown expiry. Calls `renew`, which
   * has to start at once, when a price expires while the page is visible and nothing is being sent.
   */
  constructor(
    private readonly checkout: Checkout,
    private readonly show: (secondsLeft: number | undefined) => void,
    private readonly renew: () => void,
  ) {
    checkout.watch(() => this.#readQuote());
    setInterval(() => this.#tick(), SECOND_MS);
    document.addEventListener("visibilitychange", () => this.#tick());
  }

  #readQuote(): void {
    const { quote } = this.checkout.state;
    if (quote === this.#quote) return;
    this.#quote = quote;
    const expiresAt = Date.parse(quote?.expirationDate ?? "");
    // If a fresh quote has already expired, this clock is wrong too: the service alone decides then.
    this.#expiresAt = expiresAt > serviceNow() ? expiresAt : undefined;
    this.#tick();
  }

  #secondsLeft(): number | undefined {
    if (this.#expiresAt === undefined || this.checkout.state.transfer) return undefined;
    return Math.max(0, Math.ceil((this.#expiresAt - serviceNow()) / SECOND_MS));
  }

  #tick(): void {
    const { sending, quoting } = this.checkout.state;
    const left = this.#secondsLeft();
    this.show(left);
    if (left === 0 && !quoting && !sending && !document.hidden) this.renew();
  }
}

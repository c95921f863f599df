import type { Amount, Quote } from "remitkit";
import { money } from "./amounts";
import { deliveryBrief } from "./delivery";
import { limitProblem, limitsOf } from "./limits";
import { t } from "./messages";
import { kit } from "./remit";
import { corridorQuery, preferenceOf, resolveRoute, type Route } from "./routes";
import type { Checkout } from "./state";

/** A pause after the price of the chosen method, so that typing fetches the others once. */
const SETTLED_MS = 600;

/** What each transfer method costs for the same amount, and when it arrives, to compare them. */
export class MethodPrices {
  readonly #quotes = new Map<string, Quote>();
  #run = new AbortController();
  #amount = "";

  constructor(
    private readonly checkout: Checkout,
    private readonly changed: () => void,
  ) {}

  /** Describes a method's price: `Fee $4.49 · within 30 minutes`. Empty until it is known. */
  describe(method: string): string {
    const quote = this.#quotes.get(method);
    if (!quote) return "";
    const { totalCost, sendAmount } = quote;
    const value = BigInt(totalCost?.value ?? sendAmount.value) - BigInt(sendAmount.value);
    const fee = t("method.fee", { fee: money({ value, currency: sendAmount.currency }) });
    return [fee, deliveryBrief(quote)].filter(Boolean).join(" · ");
  }

  /** Takes the price of the chosen method, and fetches those of the others once it has settled. */
  update(): void {
    const { route, quote, quoting, corridors } = this.checkout.state;
    if (!route || quoting || !quote) return;
    const { transferMethod, ...where } = preferenceOf(route);
    const priced = JSON.stringify([where, String(quote.sendAmount.value)]);
    if (priced !== this.#amount) {
      this.stop();
      this.#amount = priced;
      this.#quotes.clear();
      const methods = resolveRoute(corridors, preferenceOf(route))?.choices.methods ?? [];
      const others = methods.filter((method) => method !== transferMethod);
      this.#run = new AbortController();
      void this.#fetch(others, route, quote.sendAmount, this.#run.signal);
    }
    this.#quotes.set(route.transferMethod, quote);
    this.changed();
  }

  stop(): void {
    this.#run.abort();
  }

  /** By the amount to send, as not every method takes an amount to receive. */
  async #fetch(methods: string[], route: Route, sent: Amount, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const { corridors } = this.checkout.state;
    for (const transferMethod of methods) {
      const other = resolveRoute(corridors, { ...preferenceOf(route), transferMethod })?.route;
      // Another currency would be another amount.
      if (!other || !hasCurrenciesOf(other, route)) continue;
      const limits = await limitsOf(other).catch(() => undefined);
      if (signal.aborted) return;
      if (limits && limitProblem(sent, limits)) continue;
      const request = {
        ...corridorQuery(other),
        srcCurrencyIso3Code: sent.currency.iso3Code,
        quoteBy: "SEND_AMOUNT" as const,
        amount: sent.value,
      };
      // A method without a price can be chosen as well, and then says why.
      const quote = await (await kit()).quote(request, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (quote) this.#quotes.set(transferMethod, quote);
      this.changed();
    }
  }
}

function hasCurrenciesOf(one: Route, other: Route): boolean {
  const codes = ({ source, destination }: Route) => `${source.iso3Code} ${destination.iso3Code}`;
  return codes(one) === codes(other);
}

import { contentOf } from "../content.js";
import { checkClock, leftOf } from "../time.js";

const MIN_REFRESH_PAUSE_MS = 5000;
const MAX_REFRESH_PAUSE_MS = 60_000;

/** Quotes what is being typed: one request at a time, of which only the latest counts. */
export class QuoteSession {
  #onChange;
  #abort;
  #timer;
  #stopClock;
  // The request that was made last, and that of the quote.
  #kit;
  #request;
  #key;
  #quotedKey;
  #failures = 0;
  #answeredAt = 0;
  debounceMs = 300;
  refreshExpired = false;
  quote;
  error;
  isLoading = false;
  isExpired = false;

  /** `onChange` is called after each change, with the earlier quote when another has arrived. */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** The latest request. */
  get request() {
    return this.#request;
  }

  /** Whether the quote is not one for the latest request, or has expired. */
  get isStale() {
    return this.quote !== undefined && (this.isExpired || this.#quotedKey !== this.#key);
  }

  /** Quotes a request, unless that is the latest one. `undefined` quotes nothing. */
  ask(kit, request) {
    const key = request === undefined ? undefined : contentOf(request);
    if (kit === this.#kit && key === this.#key) return;
    // The first request of all is not delayed.
    const delay = this.#key === undefined ? 0 : this.debounceMs;
    [this.#kit, this.#request, this.#key] = [kit, request, key];
    this.#failures = 0;
    this.#fetchIn(delay);
  }

  /** Quotes the latest request again. */
  refresh() {
    this.#fetchIn(0);
  }

  end() {
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.#stopClock?.();
    this.#kit = this.#key = this.#request = undefined;
    this.isLoading = false;
  }

  #fetchIn(ms) {
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.error = undefined;
    this.isLoading = this.#request !== undefined;
    if (this.isLoading) this.#timer = setTimeout(() => this.#fetch(), ms);
    this.#onChange();
  }

  async #fetch() {
    const abort = new AbortController();
    this.#abort = abort;
    const [key, previous] = [this.#key, this.quote];
    try {
      const kit = await this.#kit;
      const quote = await kit.quote(this.#request, { signal: abort.signal });
      if (abort.signal.aborted) return;
      [this.quote, this.#quotedKey, this.isExpired, this.#failures] = [quote, key, false, 0];
    } catch (error) {
      if (abort.signal.aborted) return;
      this.error = error;
      this.#failures += 1;
    }
    this.isLoading = false;
    this.#answeredAt = performance.now();
    this.#watch();
    this.#onChange(this.quote === previous ? undefined : previous);
  }

  // A quote that expires is said so at once, also when the page is shown again.
  #watch() {
    this.#stopClock?.();
    const { quote } = this;
    if (quote === undefined) return;
    this.#stopClock = checkClock(() => {
      const left = leftOf(quote) ?? Infinity;
      if (left <= 0 && !this.isExpired) {
        this.isExpired = true;
        this.#onChange();
      }
      const pause = Math.min(MIN_REFRESH_PAUSE_MS * 2 ** this.#failures, MAX_REFRESH_PAUSE_MS);
      const isDue = this.isExpired && this.refreshExpired && !this.isLoading && !document.hidden;
      if (isDue && performance.now() - this.#answeredAt > pause) this.refresh();
      return left > 0 ? left : 1000;
    });
  }
}

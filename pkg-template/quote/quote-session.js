import { contentOf } from "../input/content.js";
import { kitError } from "../errors/kit-error.js";
import { checkClock, leftOf } from "./time.js";

const DEBOUNCE_MS = 300;
// Pause before a refresh, and longer after failures: a service may return quotes that have ended.
const REFRESH_PAUSE_MS = 5000;
const MAX_REFRESH_PAUSE_MS = 60_000;

const NOTHING = Object.freeze({ isLoading: false, isStale: false, isExpired: false });

/** Quotes a request that may change with every key press: of several calls only the latest counts. */
export class QuoteSession {
  #kit;
  #key;
  #quotedKey;
  #refreshExpired;
  #abort;
  #stopClock;
  #isPaused = false;
  #failures = 0;
  #answeredAt = 0;
  #listener;
  /** The latest request. */
  request;
  /** What is shown: `quote`, `error`, `isLoading`, `isStale` and `isExpired`. Another object after a change. */
  state = NOTHING;

  /** The quote for the latest request, while it may be used. */
  get current() {
    const { quote, error, isLoading, isStale } = this.state;
    return isLoading || isStale || error || leftOf(quote) <= 0 ? undefined : quote;
  }

  /** Says at once what the timers would say: they stand still while a device sleeps. */
  checkTime() {
    const { quote, isExpired } = this.state;
    if (!this.#isPaused && !isExpired && leftOf(quote) <= 0) this.#watch(quote);
  }

  /** Calls `listener` after each change; returns a function that ends it. A session has one listener. */
  subscribe = (listener) => {
    this.#listener = listener;
    return () => (this.#listener = undefined);
  };

  /** Returns what to show for a request, also before it is asked: an earlier quote, as a stale one. */
  stateFor(kit, request) {
    const key = keyOf(request);
    if (kit === this.#kit && key === this.#key) return this.state;
    const isOther = kit !== this.#kit || key === undefined;
    const { quote, isExpired } = isOther ? NOTHING : this.state;
    return { quote, isExpired, isLoading: key !== undefined, isStale: quote !== undefined };
  }

  /** Quotes a request, unless that is the latest one. `undefined` quotes nothing. */
  ask(kit, request, { debounceMs, refreshExpired = false } = {}) {
    this.#refreshExpired = refreshExpired;
    const key = keyOf(request);
    const isSame = kit === this.#kit && key === this.#key;
    if (isSame && !this.#isPaused) return;
    this.#isPaused = false;
    // The first request to a kit is not delayed.
    const isFirst = kit !== this.#kit || this.#key === undefined;
    const pause = Number.isFinite(debounceMs) ? debounceMs : DEBOUNCE_MS;
    const delay = isSame || isFirst ? 0 : pause;
    const state = this.stateFor(kit, request);
    if (!isSame) {
      [this.#kit, this.request, this.#key] = [kit, request, key];
      this.#failures = 0;
    }
    this.#watch(state.quote);
    if (isSame && !state.isLoading) return;
    this.#fetchIn(delay, state);
  }

  /** Quotes the latest request again, unless nobody shows it any more. */
  refresh = () => {
    if (this.#isPaused) return;
    this.#fetchIn(0, { ...this.state, error: undefined, isLoading: this.#key !== undefined });
  };

  /** Asks nothing until the next `ask`, and keeps what is shown. */
  pause() {
    this.#isPaused = true;
    this.#abort?.abort();
    this.#stopClock?.();
  }

  #set(state) {
    this.state = state;
    this.#listener?.();
  }

  #fetchIn(ms, state) {
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const isAsked = this.#kit !== undefined && this.#key !== undefined;
    // A timer even without delay, so that StrictMode's first pass fetches nothing before it is undone.
    if (isAsked) setTimeout(() => this.#fetch(signal), ms);
    this.#set(state);
  }

  async #fetch(signal) {
    if (signal.aborted) return;
    const [key, request] = [this.#key, this.request];
    let result;
    try {
      const kit = await this.#kit;
      result = { quote: await kit.quote(request, { signal }) };
    } catch (error) {
      // A quote for this request remains.
      const { quote } = this.#quotedKey === key ? this.state : NOTHING;
      result = { quote, error: kitError(error) };
    }
    if (signal.aborted) return;
    this.#failures = result.error === undefined ? 0 : this.#failures + 1;
    this.#quotedKey = key;
    this.#answeredAt = performance.now();
    const isExpired = this.#watch(result.quote);
    this.#set({ ...result, isLoading: false, isExpired, isStale: isExpired });
  }

  // Returns whether a quote has expired. Once it does, that is said at once, also when the page is shown again.
  // What may be refreshed then, or after a failure, is.
  #watch(quote) {
    this.#stopClock?.();
    const isOver = () => leftOf(quote) <= 0;
    this.#stopClock = checkClock(() => {
      const isExpired = isOver();
      if (this.state.quote === quote && this.state.isExpired !== isExpired) {
        this.#set({ ...this.state, isExpired, isStale: isExpired || this.#quotedKey !== this.#key });
      }
      const { error, isLoading } = this.state;
      if (!isExpired && !error?.retryable) return leftOf(quote) ?? Infinity;
      const pause = Math.min(REFRESH_PAUSE_MS * 2 ** this.#failures, MAX_REFRESH_PAUSE_MS);
      const rest = this.#answeredAt + pause - performance.now();
      if (rest <= 0 && this.#refreshExpired && !isLoading && !document.hidden) this.refresh();
      return rest > 0 ? rest : Infinity;
    });
    return isOver();
  }
}

/** Returns by how much a price differs from an earlier one of the same request, in minor units. */
export function differenceOf(before, now) {
  const units = (amount) => BigInt(amount?.value ?? 0);
  const by = (name) => units(now[name]) - units(before[name]);
  return { sendAmount: by("sendAmount"), totalCost: by("totalCost"), receiveAmount: by("receiveAmount") };
}

const keyOf = (request) => (request === undefined || request === null ? undefined : contentOf(request));

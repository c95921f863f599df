import { serverFailure } from "./failure.js";

// A blip is for the retries; this is for what stays down.
const FAILURES = 5;
const LASTING_MS = 3_000;
export const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** Failures in a row. Once they last, they call for pauses. */
export class Streak {
  /** Whether others got answers meanwhile, so that the endpoint is not down. */
  isIsolated = false;
  #failures = 0;
  #since;
  #last;
  #pausedUntil = -Infinity;

  /** How long the pause still is; 0 without one. */
  get pausedMs() {
    return Math.max(this.#pausedUntil - performance.now(), 0);
  }

  get isLasting() {
    return this.#failures >= FAILURES && performance.now() - this.#since >= LASTING_MS;
  }

  // Not the error itself: thousands of senders may have a streak.
  note({ code, message, httpStatus, requestId }) {
    this.#since ??= performance.now();
    this.#failures += 1;
    this.#last = { code, message, httpStatus, requestId };
  }

  /** Begins a pause, or makes it longer. */
  pause(ms = 0) {
    const until = performance.now() + Math.min(Math.max(ms, PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Returns the error of a request that is not sent. `whose` says whose failures these are. */
  refusal(whose) {
    const { code, message, httpStatus, requestId } = this.#last;
    const what = `has failed ${this.#failures} times in a row${whose} and is spared for a moment`;
    const retryAfterMs = Math.ceil(this.pausedMs || PAUSE_MS);
    const text = `The token endpoint ${what}. ${message}`;
    return serverFailure(code, text, { httpStatus, requestId, retryAfterMs });
  }
}

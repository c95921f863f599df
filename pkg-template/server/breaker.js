import { serverFailure } from "./failure.js";

// A blip is for the retries; this is for an endpoint that stays down.
const FAILURES = 5;
const LASTING_MS = 3_000;
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A circuit breaker: once an endpoint has failed some times in a row, for some seconds, requests fail at once,
 * and one in each pause tries it again. It awaits nothing of another request, which a Worker may cancel.
 */
export class Breaker {
  #failures = 0;
  #failingSince = 0;
  #pausedUntil = 0;
  #last;

  get isOpen() {
    return performance.now() < this.#pausedUntil;
  }

  async run(work) {
    if (this.isOpen) throw this.#refusal();
    // The first request after a pause: the others have another pause, unless this one succeeds.
    if (this.#isLasting()) this.#pause(PAUSE_MS);
    try {
      const result = await work();
      this.#failures = this.#pausedUntil = 0;
      return result;
    } catch (error) {
      if (isOutage(error)) this.#note(error);
      else if (error.code !== "Aborted") this.#failures = this.#pausedUntil = 0;
      throw error;
    }
  }

  #note(error) {
    if (this.#failures === 0) this.#failingSince = performance.now();
    this.#failures += 1;
    this.#last = error;
    if (this.#isLasting()) this.#pause(Math.max(PAUSE_MS, error.retryAfterMs ?? 0));
  }

  #isLasting() {
    return this.#failures >= FAILURES && performance.now() - this.#failingSince >= LASTING_MS;
  }

  #pause(ms) {
    const until = performance.now() + Math.min(ms, LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #refusal() {
    const { code, message, httpStatus, requestId } = this.#last;
    const text = `The token endpoint has failed ${this.#failures} times in a row and is spared for a moment. ${message}`;
    const retryAfterMs = Math.ceil(this.#pausedUntil - performance.now());
    return serverFailure(code, text, { httpStatus, requestId, retryAfterMs });
  }
}

// A refusal is an answer. What names an option is this process's own, such as a vault that hangs.
function isOutage(error) {
  return error.retryable === true && error.option === undefined;
}

// When a token is asked for again: the rules by which the core tries reads again, as a token may be asked for
// twice.

const ATTEMPTS = 3;
const TOTAL_MS = 30_000;
const RETRY_COSTS_MS = 1_000;
const RETRIES_AT_ONCE = 20;

/**
 * Sends again what failed in a way that may pass. All calls share one budget, so that a service in trouble is
 * not hammered.
 */
export class Retry {
  #timeoutMs;
  #spentUntil = 0;

  constructor(timeoutMs) {
    this.#timeoutMs = timeoutMs;
  }

  /** Calls `attempt` with how many milliseconds it may take, until it succeeds or there is no use. */
  async run(attempt) {
    const startedAt = performance.now();
    const wholeMs = Math.max(TOTAL_MS, this.#timeoutMs);
    for (let number = 1; ; number++) {
      const leftMs = Math.max(wholeMs - (performance.now() - startedAt), 1);
      try {
        return await attempt(Math.ceil(Math.min(leftMs, this.#timeoutMs)));
      } catch (error) {
        const waitMs = delay(number, error.retryAfterMs);
        const isInTime = performance.now() - startedAt + waitMs < TOTAL_MS;
        if (!error.retryable || number === ATTEMPTS || !isInTime || !this.#spend()) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  #spend() {
    const now = performance.now();
    const limit = now + RETRIES_AT_ONCE * RETRY_COSTS_MS;
    const spentUntil = Math.max(this.#spentUntil, now) + RETRY_COSTS_MS;
    if (spentUntil > limit) {
      return false;
    }
    this.#spentUntil = spentUntil;
    return true;
  }
}

// What the service asks for, or half to the whole of 1 s, 2 s, …, 5 s.
function delay(number, retryAfterMs) {
  const whole = Math.min(500 * 2 ** number, 5_000);
  return retryAfterMs ?? whole / 2 + (whole / 2) * Math.random();
}

// The shared budget: 20 retries at once, refilled by one each second. Senders whose last request failed share
// half of it.
const RETRY_COST_MS = 1_000;
const MAX_COST_MS = 20 * RETRY_COST_MS;

/**
 * Returns a function that calls `attempt(timeoutMs, number)` for a sender, and retries temporary failures by
 * the core's rules for reads. Its calls share a budget, to spare a service in trouble, and none is retried
 * while `breaker` is open for the sender. `closing` ends their pauses.
 */
export function retrying({ timeoutMs, totalTimeoutMs, maxAttempts }, closing, breaker) {
  let spentUntil = 0;
  const spend = (maxCostMs) => {
    const now = performance.now();
    const spent = Math.max(spentUntil, now) + RETRY_COST_MS;
    if (spent > now + maxCostMs) return false;
    spentUntil = spent;
    return true;
  };
  return async function run(name, attempt) {
    const startedAt = performance.now();
    const maxCostMs = breaker.isFailing(name) ? MAX_COST_MS / 2 : MAX_COST_MS;
    for (let number = 1; ; number++) {
      const leftMs = Math.max(totalTimeoutMs - (performance.now() - startedAt), 1);
      try {
        return await attempt(Math.ceil(Math.min(leftMs, timeoutMs)), number);
      } catch (error) {
        const waitMs = delay(number, error.retryAfterMs);
        const isInTime = performance.now() - startedAt + waitMs < totalTimeoutMs;
        const isLast = number >= maxAttempts || !isInTime || breaker.isOpenFor(name);
        if (!error.retryable || isLast || !spend(maxCostMs)) throw error;
        await pause(waitMs, closing);
      }
    }
  };
}

// Returns what the service asks for, or a back-off of 1 s, 2 s, … up to 5 s, with a jitter of up to half.
function delay(number, retryAfterMs) {
  const whole = Math.min(500 * 2 ** number, 5_000);
  return retryAfterMs ?? whole / 2 + (whole / 2) * Math.random();
}

async function pause(ms, closing) {
  let timer;
  let release;
  await new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
    release = closing.onClose(resolve);
  });
  clearTimeout(timer);
  release();
  closing.throwIfClosed();
}

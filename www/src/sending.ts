const LOCK = "shop-send";
/** The pause before each retry; the last one repeats. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000];

/**
 * Runs `work` while no other tab looks for open transfers and sends its own, so that two tabs can't both find
 * none. Returns `otherwise` if another tab holds the lock.
 */
export async function withSendLock<Result, Otherwise>(work: () => Promise<Result>, otherwise: Otherwise) {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => (lock ? work() : otherwise));
}

/** Waits until no other tab is sending. */
export async function otherTabsDone(signal: AbortSignal): Promise<void> {
  await navigator.locks.request(LOCK, { signal }, () => {});
}

/** Waits for the next retry: until the connection is back, the pause is over, or the signal aborts. */
export function retryPause(failures: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

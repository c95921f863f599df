import { timeoutSignal } from "./compat";

const LOCK = "shop-send";
/** How long to wait for another tab that sends. The SDK ends its part of that within two minutes. */
const LOCK_MS = 150_000;
/** The pause before each retry; the last one repeats. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000];

/** Runs `work` while no other tab looks for open transfers and sends its own: else two could both find none. */
export async function withSendLock<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(LOCK, { signal: timeoutSignal(LOCK_MS) }, work);
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

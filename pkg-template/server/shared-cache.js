import { inTime } from "./body.js";
import { serverFailure } from "./failure.js";

const TIMEOUT_MS = 500;
const PAUSE_MS = 5_000;

/**
 * The caller's cache, whatever it does: no call fails or waits long for it. One that does not answer is left
 * alone for some seconds. What it holds is not believed here.
 */
export class SharedCache {
  #cache;
  #onError;
  #pausedUntil = -Infinity;
  #silentUntil = -Infinity;

  constructor(cache, onError) {
    this.#cache = cache;
    this.#onError = onError;
  }

  get(key) {
    return this.#use("get", () => this.#cache.get(key));
  }

  /** Whether it was kept. */
  async set(key, value, ttlMs) {
    const kept = await this.#use("set", async () => {
      // A Keyv that does not throw gives false instead.
      if ((await this.#cache.set(key, value, ttlMs)) === false) {
        throw new Error("the value was not kept");
      }
      return true;
    });
    return kept === true;
  }

  get canCompare() {
    return typeof this.#cache.compareAndSet === "function";
  }

  /** Whether it was kept; undefined if the cache has failed. */
  compareAndSet(key, expected, value, ttlMs) {
    return this.#use("compareAndSet", async () => {
      const kept = await this.#cache.compareAndSet(key, expected, value, ttlMs);
      if (typeof kept !== "boolean") {
        throw new Error("the cache does not say whether the value was kept");
      }
      return kept;
    });
  }

  async #use(name, work) {
    if (performance.now() < this.#pausedUntil) {
      return undefined;
    }
    try {
      return await inTime(
        Promise.resolve().then(() => work()),
        TIMEOUT_MS,
      );
    } catch (cause) {
      const isLate = cause?.reason === "late";
      if (isLate) {
        this.#pausedUntil = performance.now() + PAUSE_MS;
      }
      this.#report(name, isLate ? "did not answer in time" : "failed", isLate ? {} : { cause });
      return undefined;
    }
  }

  // Once in a while: a cache that is down would otherwise be reported with every call.
  #report(name, what, details) {
    const now = performance.now();
    if (now >= this.#silentUntil) {
      this.#silentUntil = now + PAUSE_MS;
      const message = `cache.${name} ${what}. Tokens and webhooks go on without it.`;
      this.#onError(serverFailure("ServiceUnavailable", message, { option: "cache", ...details }));
    }
  }
}

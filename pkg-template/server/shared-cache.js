import { inTime } from "./body.js";
import { serverFailure } from "./failure.js";

const TIMEOUT_MS = 500;
const PAUSE_MS = 5_000;

/** The caller's cache. Its failures fail no call, and after a timeout it is not used for some seconds. */
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

  set(key, value, ttlMs) {
    return this.#use("set", async () => {
      // A Keyv may return false instead of throwing.
      if ((await this.#cache.set(key, value, ttlMs)) === false) throw new Error("the value was not kept");
    });
  }

  /**
   * Returns "ok", or "failed" if the cache does not return what it was given: many a client reports an error
   * to its own listener only, and answers as if there were no entry.
   */
  async check() {
    const [key, value] = ["remitkit:check", String(Date.now())];
    const write = async () => {
      await this.#cache.set(key, value, 60_000);
      // Another backend may check at the same time.
      if (typeof (await this.#cache.get(key)) !== "string") throw new Error("the value was not kept");
      return "ok";
    };
    return (await this.#use("check", write)) ?? "failed";
  }

  get canCompare() {
    return typeof this.#cache.compareAndSet === "function";
  }

  /** Returns whether the value was kept; undefined if the cache failed. */
  compareAndSet(key, expected, value, ttlMs) {
    return this.#use("compareAndSet", async () => {
      const kept = await this.#cache.compareAndSet(key, expected, value, ttlMs);
      if (typeof kept !== "boolean") throw new Error("the cache does not say whether the value was kept");
      return kept;
    });
  }

  async #use(name, work) {
    if (performance.now() < this.#pausedUntil) return undefined;
    try {
      return await inTime((async () => work())(), TIMEOUT_MS);
    } catch (cause) {
      if (cause?.reason === "late") {
        this.#pausedUntil = performance.now() + PAUSE_MS;
        this.#report(name, "did not answer in time");
      } else {
        this.#report(name, "failed", { cause });
      }
      return undefined;
    }
  }

  // Once in some seconds, and not with every call.
  #report(name, what, details) {
    const now = performance.now();
    if (now >= this.#silentUntil) {
      this.#silentUntil = now + PAUSE_MS;
      const message = `cache.${name} ${what}. Tokens and webhooks go on without it.`;
      this.#onError(serverFailure("ServiceUnavailable", message, { option: "cache", ...details }));
    }
  }
}

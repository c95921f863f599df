import { inTime } from "./body.js";
import { serverFailure } from "./failure.js";
import { readSecrets } from "./options.js";

const PAUSE_MS = 5_000;

/**
 * The client's secrets: fixed ones, or those of a function, which is asked once, and again when the service
 * refuses what it returned.
 */
export class ClientSecrets {
  #ask;
  #timeoutMs;
  #known;
  #asking;
  #pausedUntil = -Infinity;

  /** `value` is what `readClientSecret` returned: a list of texts, or a function. */
  constructor(value, timeoutMs) {
    if (typeof value === "function") this.#ask = value;
    else this.#known = value;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns all secrets. The first is the one to send. */
  async all() {
    return this.#known ?? this.#load();
  }

  /** Sends this secret first from now on, as the service accepts it. */
  prefer(secret) {
    const known = this.#known;
    if (known?.includes(secret) && known[0] !== secret) {
      this.#known = [secret, ...known.filter((other) => other !== secret)];
    }
  }

  /** Returns a secret that was not refused, or undefined. */
  async alternativeTo(refused) {
    const isNew = (secret) => !refused.has(secret);
    const known = this.#known?.find(isNew);
    if (known !== undefined || !this.#ask || performance.now() < this.#pausedUntil) return known;
    let asked;
    try {
      asked = (await this.#load()).find(isNew);
    } finally {
      // A vault that fails, or has the refused secret only, is not asked with each customer's request.
      if (asked === undefined) this.#pausedUntil = performance.now() + PAUSE_MS;
    }
    return asked;
  }

  #load() {
    this.#asking ??= this.#loadOnce().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #loadOnce() {
    let value;
    try {
      value = await inTime((async () => this.#ask())(), this.#timeoutMs);
    } catch (cause) {
      const what = cause?.reason === "late" ? "did not settle in time" : "failed";
      const details = { option: "clientSecret", cause };
      throw serverFailure("ServiceUnavailable", `The function clientSecret ${what}.`, details);
    }
    this.#known = readSecrets(value);
    return this.#known;
  }
}

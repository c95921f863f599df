import { SenderToken } from "./schemas.js";

const EARLY_MS = 60_000;

/** Caches a token until it expires; concurrent callers share one request for the next. */
export class TokenKeeper {
  #source;
  #token;
  #renewAt = 0;
  #pending;

  constructor(source) {
    this.#source = typeof source === "function" ? source : async () => source;
  }

  get() {
    if (this.#token !== undefined && Date.now() < this.#renewAt) return this.#token;
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetch() {
    const given = await this.#source();
    const reply = typeof given === "string" ? { access_token: given } : SenderToken.parse(given);
    this.#token = reply.access_token;
    this.#renewAt = reply.expires_in ? Date.now() + reply.expires_in * 1000 - EARLY_MS : Number.POSITIVE_INFINITY;
    return this.#token;
  }
}

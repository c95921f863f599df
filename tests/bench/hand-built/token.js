import { SenderToken } from "./schemas.js";

const EARLY_MS = 60_000;

/** Fetches a token when there is none that is still good, once for all who wait. */
export class TokenKeeper {
  #source;
  #token;
  #renewAt = 0;
  #waiting;

  constructor(source) {
    this.#source = typeof source === "function" ? source : async () => source;
  }

  get() {
    if (this.#token !== undefined && Date.now() < this.#renewAt) return this.#token;
    this.#waiting ??= this.#fetch().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  async #fetch() {
    const given = await this.#source();
    const reply = typeof given === "string" ? { access_token: given } : SenderToken.parse(given);
    this.#token = reply.access_token;
    this.#renewAt = reply.expires_in ? Date.now() + reply.expires_in * 1000 - EARLY_MS : Number.POSITIVE_INFINITY;
    return this.#token;
  }
}

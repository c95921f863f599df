import { Memory } from "./memory.js";
import { isUsable, makeToken, renewalOf } from "./token.js";

/**
 * Tokens until their renewal: in this process and, sealed, in a cache that backends share. That is asked each time, as another backend
 * may have renewed a token; this process's own copy serves where it knows nothing, for a cache that is down says the same.
 */
export class TokenCache {
  #memory = new Memory();
  #shared;
  #seal;

  constructor(shared, seal) {
    this.#shared = shared;
    this.#seal = seal;
  }

  /** A token to use now, or undefined. */
  async get(key) {
    // Where the seal itself fails, tokens are not shared, but there are some.
    const shared = await this.#read(key).catch(() => undefined);
    if (shared) {
      this.#remember(key, shared);
    }
    const token = this.#memory.get(key);
    if (!isUsable(token)) {
      return undefined;
    }
    // The cache was emptied, or two backends have fetched at once: they come to agree on the newest.
    if (token !== shared) {
      await this.#share(key, token);
    }
    return token;
  }

  async set(key, token) {
    this.#remember(key, token);
    // Another may have been asked for later and have come first.
    if (this.#memory.get(key) === token) {
      await this.#share(key, token);
    }
  }

  async #share(key, token) {
    if (this.#shared) {
      await this.#write(key, token).catch(() => {});
    }
  }

  async #write(key, token) {
    const { bearer, askedAt, life } = token;
    const sealed = await this.#seal.seal(JSON.stringify([bearer, askedAt, life]), key);
    const left = Math.floor(renewalOf(token) - Date.now());
    if (left > 0) {
      await this.#shared.set(key, sealed, left);
    }
  }

  async #read(key) {
    const sealed = await this.#shared?.get(key);
    const text = await this.#seal.open(sealed, key);
    const token = text === undefined ? undefined : makeToken(...JSON.parse(text));
    return isUsable(token) ? token : undefined;
  }

  #remember(key, token) {
    const known = this.#memory.get(key);
    if (!isUsable(known) || known.askedAt <= token.askedAt || known.askedAt > Date.now()) {
      this.#memory.set(key, token, renewalOf(token) - Date.now());
    }
  }
}

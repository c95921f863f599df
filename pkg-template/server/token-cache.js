import { Memory } from "./memory.js";
import { CLOCK_SKEW_MS, isUsable, makeToken, renewalOf } from "./token.js";

const MOST_ATTEMPTS = 8;

/**
 * Tokens in this process and, sealed, in a cache that backends share. That is read each time, as another
 * backend may have renewed a token; this process's own copy serves where it knows nothing, for a cache that
 * is down says the same.
 *
 * A token is kept with its `version`: how many times one was asked for in place of a refused one. The higher
 * counts, and no clock is asked: those of two backends differ. `replacesUntil` is the last moment at which a
 * token of a lower version could be used; until then the version is remembered, though the token itself may
 * have ended.
 */
export class TokenCache {
  #memory = new Memory();
  #shared;
  #seal;

  constructor(shared, seal) {
    this.#shared = shared;
    this.#seal = seal;
  }

  /**
   * What counts of what is known (`held`, which may have ended), and what the cache has: `entry`, unsealed
   * from `raw`.
   */
  async read(key) {
    const raw = await this.#shared?.get(key);
    // Where the seal itself fails, tokens are not shared, but there are some.
    const entry = await this.#open(key, raw).catch(() => undefined);
    return { held: entry ? this.#remember(key, entry) : this.#memory.get(key), entry, raw };
  }

  /**
   * Puts what counts into a cache that had something else: it was emptied, or two backends have fetched at
   * once.
   */
  async share(key, { held, entry, raw }) {
    if (entry?.bearer !== held.bearer || entry.version !== held.version) {
      await this.#write(key, held, raw, false);
    }
  }

  /** Keeps a token that was fetched when `held` was known. */
  async replace(key, token, { held, raw }, isRenewal) {
    const entry = {
      ...token,
      version: held?.version ?? 0,
      replacesUntil: Math.max(renewalOf(token), held?.replacesUntil ?? 0),
    };
    if (isRenewal) {
      // Only then for others: one that was handed out, and then refused, must not rise above its renewal.
      this.#remember(key, await this.#write(key, raise(entry, held, this.#memory.get(key)), raw, true));
    } else if (this.#remember(key, entry) === entry) {
      await this.#write(key, entry, raw, false);
    }
  }

  /** The entry as it was kept. */
  async #write(key, entry, raw, isRenewal) {
    if (!this.#shared) {
      return entry;
    }
    const write = this.#shared.canCompare ? this.#compareAndSet : this.#set;
    return write.call(this, key, entry, raw, isRenewal).catch(() => entry);
  }

  async #set(key, entry, _raw, isRenewal) {
    // While it was fetched, others may have renewed the same.
    const latest = isRenewal ? raise(entry, (await this.read(key)).entry) : entry;
    const ttl = ttlOf(latest);
    if (ttl > 0) {
      await this.#shared.set(key, await this.#sealed(key, latest), ttl);
    }
    return latest;
  }

  async #compareAndSet(key, entry, raw, isRenewal) {
    let latest = entry;
    let expected = raw;
    for (let i = 0; i < MOST_ATTEMPTS && ttlOf(latest) > 0; i++) {
      const sealed = await this.#sealed(key, latest);
      if ((await this.#shared.compareAndSet(key, expected, sealed, ttlOf(latest))) !== false) {
        break;
      }
      const found = await this.read(key);
      if (isRenewal) {
        latest = raise(latest, found.entry);
      } else if (found.held !== latest) {
        break;
      }
      expected = found.raw;
    }
    return latest;
  }

  #sealed(key, { bearer, askedAt, life, version, replacesUntil }) {
    return this.#seal.seal(JSON.stringify([bearer, askedAt, life, version, replacesUntil]), key);
  }

  async #open(key, raw) {
    const text = await this.#seal.open(raw, key);
    if (text === undefined) {
      return undefined;
    }
    const [bearer, askedAt, life, version = 0, replacesUntil = 0] = JSON.parse(text);
    const token = makeToken(bearer, askedAt, life);
    return token && { ...token, version, replacesUntil };
  }

  /** The one that counts of two. */
  #remember(key, entry) {
    const known = this.#memory.get(key);
    if (known !== undefined && !counts(entry, known)) {
      return known;
    }
    this.#memory.set(key, entry, ttlOf(entry));
    return entry;
  }
}

function counts(entry, known) {
  if (entry.version !== known.version) {
    return entry.version > known.version;
  }
  if (!isUsable(known)) {
    return true;
  }
  // Between two that are as good the one in the cache, on which all backends can agree, or that was asked for
  // later.
  return isUsable(entry) && entry.bearer !== known.bearer && !(entry.startedAt < known.startedAt);
}

/** A renewal counts above all that is known. */
function raise(entry, ...known) {
  const all = known.filter((one) => one !== undefined);
  return {
    ...entry,
    version: Math.max(entry.version, 1, ...all.map(({ version }) => version + 1)),
    replacesUntil: Math.max(entry.replacesUntil, ...all.map(({ replacesUntil }) => replacesUntil)),
  };
}

function ttlOf(entry) {
  const until = Math.max(renewalOf(entry), entry.version > 0 ? entry.replacesUntil + CLOCK_SKEW_MS : 0);
  return Math.floor(until - Date.now());
}

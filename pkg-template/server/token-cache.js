import { Memory } from "./memory.js";
import { CLOCK_SKEW_MS, isUsable, makeToken, renewalOf } from "./token.js";

const MAX_ATTEMPTS = 8;

/**
 * Tokens in this process and, sealed, in a cache that backends share. The cache is read each time, as another
 * backend may have renewed a token; if it has no token, or is down, this process uses its own copy.
 *
 * Each token has a `version`: the number of times that a refused token was replaced. The highest wins,
 * whatever the backends' clocks say. `replacesUntil` is the last moment at which a token of a lower version
 * could be used: until then the version is remembered, even if the token itself has expired.
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
   * Returns the winning token (`held`, which may have expired), and the cache's `entry`, unsealed from `raw`.
   */
  async read(key) {
    const raw = await this.#shared?.get(key);
    // If the seal fails, tokens are not shared.
    const entry = await this.#open(key, raw).catch(() => undefined);
    return { held: entry ? this.#remember(key, entry) : this.#memory.get(key), entry, raw };
  }

  /** Writes the winner to a cache without it, after a flush or concurrent fetches of two backends. */
  async share(key, { held, entry, raw }) {
    if (entry?.bearer !== held.bearer || entry.version !== held.version) {
      await this.#write(key, held, raw, false);
    }
  }

  /** Stores a fetched token; `held` was the winner before the fetch. */
  async replace(key, token, { held, raw }, isRenewal) {
    const entry = {
      ...token,
      version: held?.version ?? 0,
      replacesUntil: Math.max(renewalOf(token), held?.replacesUntil ?? 0),
    };
    if (isRenewal) {
      // Hand it out only with its final version: a token that was refused must not outrank its renewal.
      this.#remember(key, await this.#write(key, raise(entry, held, this.#memory.get(key)), raw, true));
    } else if (this.#remember(key, entry) === entry) {
      await this.#write(key, entry, raw, false);
    }
  }

  /** Writes an entry to the cache, and returns it with its final version. */
  async #write(key, entry, raw, isRenewal) {
    if (!this.#shared) return entry;
    const write = this.#shared.canCompare ? this.#compareAndSet : this.#set;
    return write.call(this, key, entry, raw, isRenewal).catch(() => entry);
  }

  async #set(key, entry, _raw, isRenewal) {
    // Another backend may have renewed it in the meantime.
    const latest = isRenewal ? raise(entry, (await this.read(key)).entry) : entry;
    const ttl = ttlOf(latest);
    if (ttl > 0) await this.#shared.set(key, await this.#sealed(key, latest), ttl);
    return latest;
  }

  async #compareAndSet(key, entry, raw, isRenewal) {
    let latest = entry;
    let expected = raw;
    for (let i = 0; i < MAX_ATTEMPTS && ttlOf(latest) > 0; i++) {
      const sealed = await this.#sealed(key, latest);
      if ((await this.#shared.compareAndSet(key, expected, sealed, ttlOf(latest))) !== false) break;
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
    if (text === undefined) return undefined;
    const [bearer, askedAt, life, version = 0, replacesUntil = 0] = JSON.parse(text);
    const token = makeToken(bearer, askedAt, life);
    return token && { ...token, version, replacesUntil };
  }

  /** Keeps the winner of this entry and the known one, and returns it. */
  #remember(key, entry) {
    const known = this.#memory.get(key);
    if (known !== undefined && !wins(entry, known)) return known;
    this.#memory.set(key, entry, ttlOf(entry));
    return entry;
  }
}

function wins(entry, known) {
  if (entry.version !== known.version) return entry.version > known.version;
  if (!isUsable(known)) return true;
  // Of two equally good tokens, prefer the cache's, on which all backends can agree, or the later one.
  return isUsable(entry) && entry.bearer !== known.bearer && !(entry.startedAt < known.startedAt);
}

/** Returns a renewal with a version above all known ones. */
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

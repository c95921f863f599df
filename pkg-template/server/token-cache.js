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
  #seals;

  /**
   * `seals()` resolves with a seal for each client secret, so that backends that have one of them in common
   * see each other's renewals while the secret is rotated. Each has an entry of its own.
   */
  constructor(shared, seals) {
    this.#shared = shared;
    this.#seals = seals;
  }

  /**
   * Returns the winning token (`held`, which may have expired), and the `slots` of the cache: each with its
   * `entry`, unsealed from `raw`.
   */
  async read(name) {
    const seals = this.#shared ? await this.#seals().catch(() => []) : [];
    const found = await Promise.all(seals.map((seal) => this.#look(name, seal)));
    // If a seal fails, tokens are not shared.
    const slots = found.filter(({ key }) => key !== undefined);
    return { held: slots.reduce((_, slot) => this.#winner(name, slot), this.#memory.get(name)), slots };
  }

  /** Writes the winner to a cache without it, after a flush or concurrent fetches of two backends. */
  async share(name, { held, slots }) {
    const has = ({ entry }) => entry?.bearer === held.bearer && entry.version === held.version;
    const without = slots.filter((slot) => !has(slot));
    await this.#writeAll(name, held, without, false);
  }

  /** Stores a fetched token; `held` was the winner before the fetch. */
  async replace(name, token, { held, slots }, isRenewal) {
    const entry = {
      ...token,
      version: held?.version ?? 0,
      replacesUntil: Math.max(renewalOf(token), held?.replacesUntil ?? 0),
    };
    if (isRenewal) {
      // Hand it out only with its final version: a token that was refused must not outrank its renewal.
      const raised = raise(entry, held, this.#memory.get(name));
      this.#remember(name, await this.#writeAll(name, raised, slots, true));
    } else if (this.#remember(name, entry) === entry) {
      await this.#writeAll(name, entry, slots, false);
    }
  }

  /** Writes an entry to slots of the cache, and returns it with its final version. */
  async #writeAll(name, entry, slots, isRenewal) {
    const write = this.#shared?.canCompare ? this.#compareAndSet : this.#set;
    let latest = entry;
    // In turn, as each may raise the version.
    for (const slot of slots) {
      latest = await write.call(this, name, latest, slot, isRenewal).catch(() => latest);
    }
    return latest;
  }

  async #look(name, seal) {
    const key = await seal.keyOf(name).catch(() => undefined);
    const raw = key === undefined ? undefined : await this.#shared.get(key);
    const entry = await this.#open(seal, key, raw).catch(() => undefined);
    return { seal, key, raw, entry };
  }

  async #set(name, entry, { seal, key }, isRenewal) {
    // Another backend may have renewed it in the meantime.
    const latest = isRenewal ? raise(entry, (await this.#look(name, seal)).entry) : entry;
    const ttl = ttlOf(latest);
    if (ttl > 0) await this.#shared.set(key, await sealed(seal, key, latest), ttl);
    return latest;
  }

  async #compareAndSet(name, entry, { seal, key, raw }, isRenewal) {
    let latest = entry;
    let expected = raw;
    for (let i = 0; i < MAX_ATTEMPTS && ttlOf(latest) > 0; i++) {
      const text = await sealed(seal, key, latest);
      if ((await this.#shared.compareAndSet(key, expected, text, ttlOf(latest))) !== false) break;
      const found = await this.#look(name, seal);
      if (isRenewal) {
        latest = raise(latest, found.entry);
      } else if (this.#winner(name, found) !== latest) {
        break;
      }
      expected = found.raw;
    }
    return latest;
  }

  async #open(seal, key, raw) {
    const text = await seal.open(raw, key);
    if (text === undefined) return undefined;
    const [bearer, askedAt, life, version = 0, replacesUntil = 0] = JSON.parse(text);
    const token = makeToken(bearer, askedAt, life);
    return token && { ...token, version, replacesUntil };
  }

  #winner(name, { entry }) {
    return entry ? this.#remember(name, entry) : this.#memory.get(name);
  }

  /** Keeps the winner of this entry and the known one, and returns it. */
  #remember(name, entry) {
    const known = this.#memory.get(name);
    if (known !== undefined && !wins(entry, known)) return known;
    this.#memory.set(name, entry, ttlOf(entry));
    return entry;
  }
}

function sealed(seal, key, { bearer, askedAt, life, version, replacesUntil }) {
  return seal.seal(JSON.stringify([bearer, askedAt, life, version, replacesUntil]), key);
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

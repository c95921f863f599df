/**
 * A random stream derived from a seed and a name, so that the draws of one part do not shift those of
 * another. Pages use it, too.
 */
export class Chance {
  #state;

  constructor(seed, name) {
    // FNV-1a over both.
    let hash = 0x811c9dc5;
    for (const character of `${seed}/${name}`) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** Returns a whole number, both ends included. */
  between(low, high) {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  happens(percent) {
    return this.fraction() * 100 < percent;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }
}

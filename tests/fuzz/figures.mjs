import { INPUT_FAULTS, STORY_FAULTS } from "./verdict.mjs";

/** A page may hold so much more after all mounts: what the engine compiles and keeps. */
const MOST_GROWTH_MB = 1;
/** The number of faults that are kept with all details. */
const KEPT = 200;

/** Gathers what the proofs report. */
export class Figures {
  #counts = {};
  #calls = {};
  #promises = 0;
  details = [];

  /** Returns the listener for a proof's faults and counts. */
  of(proof) {
    return ({ done, faults, promises = 0, ...message }) => {
      if (done) {
        this.#promises += promises;
        const calls = Object.entries(message);
        for (const [name, count] of calls) this.#calls[name] = (this.#calls[name] ?? 0) + count;
        return;
      }
      // A story that hangs has not settled.
      const fault = proof === "stories" && message.fault === "hangs" ? "unsettled" : message.fault;
      this.#counts[fault] = (this.#counts[fault] ?? 0) + 1;
      if (this.details.length < KEPT) this.details.push({ proof, ...message, fault });
    };
  }

  /** Returns the exports that were never called. */
  uncalled(names) {
    return names.filter((name) => !(this.#calls[name] > 0));
  }

  result({ seed, inputs, interleavings, mounts, exports, mounted }) {
    const count = (name) => [name, this.#counts[name] ?? 0];
    const counted = (faults) => Object.fromEntries(Object.keys(faults).map(count));
    return {
      seed,
      inputs,
      exports,
      calls: this.#calls,
      ...counted(INPUT_FAULTS),
      interleavings,
      promises: this.#promises,
      ...counted(STORY_FAULTS),
      mounts,
      growthMb: mounted.growthMb,
      leftOver: mounted.leftOver,
      failedMounts: mounted.faults,
    };
  }
}

export function isClean(figures) {
  const zeros = [...Object.keys(INPUT_FAULTS), ...Object.keys(STORY_FAULTS), "leftOver", "failedMounts"];
  return zeros.every((name) => figures[name] === 0) && figures.growthMb <= MOST_GROWTH_MB;
}

export function lineOf(figures) {
  const { inputs, exports, interleavings, mounts, growthMb, leftOver, failedMounts, seed } = figures;
  const zero = ([name, title]) => `${title} ${figures[name]}`;
  const zeros = (faults) => Object.entries(faults).map(zero).join(", ");
  return [
    `fuzz: ${inputs} inputs to ${exports} exports, ${zeros(INPUT_FAULTS)}`,
    `${interleavings} interleavings, ${zeros(STORY_FAULTS)}`,
    `${mounts} mounts, growth ${growthMb} MB, left over ${leftOver}, failed ${failedMounts}`,
    `seed ${seed}`,
  ].join("; ");
}

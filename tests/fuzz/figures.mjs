import { FAULTS as INPUT_FAULTS } from "./verdict.mjs";
import { FAULTS as STORY_FAULTS } from "./ends.mjs";

/** A page may hold so much more after all its mounts: what the engine compiles and keeps. */
const MOST_GROWTH_MB = 1;
/** How many faults are kept with all that is known of them. */
const KEPT = 200;

/** Gathers what the proofs tell. */
export class Figures {
  #counts = {};
  #calls = {};
  #promises = 0;
  details = [];

  /** For one proof, whose faults are these. */
  of(proof) {
    return (message) => {
      if (message.done) {
        for (const [name, count] of Object.entries(message)) {
          if (name === "promises") this.#promises += count;
          else if (typeof count === "number") this.#calls[name] = (this.#calls[name] ?? 0) + count;
        }
        return;
      }
      // A story in which the engine does not come back has not settled.
      const fault = proof === "stories" && message.fault === "hangs" ? "unsettled" : message.fault;
      this.#counts[fault] = (this.#counts[fault] ?? 0) + 1;
      if (this.details.length < KEPT) this.details.push({ proof, ...message, fault });
    };
  }

  /** The exports that were never called. */
  uncalled(names) {
    return names.filter((name) => !(this.#calls[name] > 0));
  }

  result({ seed, inputs, interleavings, mounts, exports, mounted }) {
    const counts = (faults) => Object.fromEntries(Object.keys(faults).map((name) => [name, this.#counts[name] ?? 0]));
    return {
      seed,
      inputs,
      exports,
      calls: this.#calls,
      ...counts(INPUT_FAULTS),
      interleavings,
      promises: this.#promises,
      ...counts(STORY_FAULTS),
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
  const zeros = (faults) => Object.entries(faults).map(([name, title]) => `${title} ${figures[name]}`).join(", ");
  const parts = [
    `${figures.inputs} inputs to ${figures.exports} exports, ${zeros(INPUT_FAULTS)}`,
    `${figures.interleavings} interleavings, ${zeros(STORY_FAULTS)}`,
    `${figures.mounts} mounts, growth ${figures.growthMb} MB, left over ${figures.leftOver}, failed ${figures.failedMounts}`,
  ];
  return `fuzz: ${parts.join("; ")}; seed ${figures.seed}`;
}

// What can be wrong with how a call, or a promise of a story, ended, and the figures of a run.

/** All faults, whose counts must be zero. */
export const FAULTS = [
  "panics", "runtimeErrors", "foreignErrors", "hangs", "changedValues", "unsound", "callsAfterDestroy",
];
/** A page may hold so much more after all mounts: what the engine compiles and keeps. */
const MOST_GROWTH_MB = 1;

/**
 * Returns the faults of a call or promise. `outcome` is `{ value }` or `{ error }`, or undefined if it never
 * settles; `isOurs` recognizes a RemitError; `difference` describes how the call deviated from its input.
 */
export function faultsOf({ outcome, isOurs, difference }) {
  if (outcome === undefined) return [{ fault: "hangs" }];
  const faults = [];
  if ("error" in outcome) {
    const { error } = outcome;
    const says = describe(error);
    if (isRuntimeError(error)) faults.push({ fault: "runtimeErrors", says });
    if (!isOurs(error)) faults.push({ fault: "foreignErrors", says });
    else if (error.kind === "internal") {
      faults.push({ fault: "panics", says: `${says} ${describe(error.cause)}` });
    } else if (typeof error.message !== "string" || error.message === "") {
      faults.push({ fault: "foreignErrors", says: "without a message" });
    }
  }
  if (difference !== undefined) faults.push({ fault: "changedValues", says: difference });
  return faults;
}

/** Returns the faults of a call of a kit that was destroyed. */
export function faultsAfterDestroy(outcome) {
  return outcome?.error?.code === "Destroyed" ? [] : [{ fault: "callsAfterDestroy" }];
}

export function faultOfUncaught(error) {
  return {
    fault: isRuntimeError(error) ? "runtimeErrors" : "foreignErrors",
    says: `uncaught: ${describe(error)}`,
  };
}

/** Whether an error, or its cause, is of the WebAssembly engine. */
export function isRuntimeError(error) {
  for (let at = error, depth = 0; depth < 5; depth += 1) {
    try {
      if (at instanceof WebAssembly.RuntimeError) return true;
      at = at?.cause;
    } catch {
      return false;
    }
  }
  return false;
}

export function describe(error) {
  try {
    return String(error?.stack ?? error).slice(0, 600);
  } catch {
    return "something that cannot be described";
  }
}

/** Returns the figures of a run: what it did, the count of each fault, and what the mounts left behind. */
export function figuresOf({ faults, mounted, ...run }) {
  const counts = FAULTS.map((name) => [name, faults.filter(({ fault }) => fault === name).length]);
  const { growthMb, leftOver, faults: failedMounts } = mounted;
  return { ...run, ...Object.fromEntries(counts), growthMb, leftOver, failedMounts };
}

export function isClean(figures) {
  const zeros = [...FAULTS, "leftOver", "failedMounts"];
  return zeros.every((name) => figures[name] === 0) && figures.growthMb <= MOST_GROWTH_MB;
}

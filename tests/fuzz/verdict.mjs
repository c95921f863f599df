// What can be wrong with how a call, or a promise of a story, ended.

/** The faults of inputs and of stories, with their titles in the line of figures. */
export const INPUT_FAULTS = {
  panics: "panics",
  runtimeErrors: "RuntimeErrors",
  foreignErrors: "foreign errors",
  hangs: "hangs",
  changedValues: "changed values",
  unsound: "unsound",
};
export const STORY_FAULTS = { unsettled: "unsettled", recursiveUse: "recursive use", wrongEnds: "wrong ends" };

/**
 * Returns the faults of one call. `outcome` is `{ value }` or `{ error }`, or undefined if the call never
 * settles; `isOurs` recognises a RemitError; `difference` describes how the call deviated from its input.
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

/** Returns the faults of a story's promise, whose kit may be destroyed. */
export function faultsOfEnd(outcome, { isOurs, what, destroyed = false }) {
  if (outcome === undefined) return [{ fault: "unsettled", says: what }];
  const { error } = outcome;
  const says = `${what}${destroyed ? " after destroy" : ""}: ${describe(error)}`;
  const hasFailed = "error" in outcome;
  if (hasFailed && isCrash(error)) return [{ fault: "recursiveUse", says: `${says} ${describe(error.cause)}` }];
  const isWrong = (hasFailed && !isOurs(error)) || (destroyed && error?.code !== "Destroyed");
  return isWrong ? [{ fault: "wrongEnds", says }] : [];
}

/** Whether the core panicked, trapped, or was re-entered. */
export function isCrash(error) {
  if (isRuntimeError(error) || error?.kind === "internal") return true;
  return /recursive use of an object|unreachable|null pointer passed to rust/.test(describe(error));
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

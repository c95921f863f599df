// How what was promised in a story may end.

import { describe, isRuntimeError } from "./verdict.mjs";

/** Every fault there is, by its name in the figures. */
export const FAULTS = { unsettled: "unsettled", recursiveUse: "recursive use", wrongEnds: "wrong ends" };

/** The faults of one promise: `outcome` as of the clock, nothing where it never settles. */
export function faultsOfEnd(outcome, { isOurs, what, destroyed = false }) {
  if (outcome === undefined) return [{ fault: "unsettled", says: what }];
  const { error } = outcome;
  if ("error" in outcome && isCrash(error)) return [{ fault: "recursiveUse", says: `${what}: ${describe(error)} ${describe(error.cause)}` }];
  if ("error" in outcome && !isOurs(error)) return [{ fault: "wrongEnds", says: `${what}: ${describe(error)}` }];
  if (destroyed && error?.code !== "Destroyed") return [{ fault: "wrongEnds", says: `${what} after destroy: ${describe(error)}` }];
  return [];
}

/** Whether the core panicked, trapped, or was called while it was at work. */
export function isCrash(error) {
  if (isRuntimeError(error) || error?.kind === "internal") return true;
  return /recursive use of an object|unreachable|null pointer passed to rust/.test(describe(error));
}

// What may be wrong with how a call ended.

/** Every fault there is, by its name in the figures. */
export const FAULTS = {
  panics: "panics",
  runtimeErrors: "RuntimeErrors",
  foreignErrors: "foreign errors",
  hangs: "hangs",
  changedValues: "changed values",
  unsound: "unsound",
};

/**
 * Returns the faults of one call. `outcome` is `{ value }`, `{ error }`, or undefined if it never settles;
 * `isOurs` recognises a RemitError; `difference` says in what the call deviated from its input, if it did.
 */
export function faultsOf({ outcome, isOurs, difference }) {
  if (outcome === undefined) return [{ fault: "hangs" }];
  const faults = [];
  if ("error" in outcome) {
    const { error } = outcome;
    if (isRuntimeError(error)) faults.push({ fault: "runtimeErrors", says: describe(error) });
    if (!isOurs(error)) faults.push({ fault: "foreignErrors", says: describe(error) });
    else if (error.kind === "internal") faults.push({ fault: "panics", says: `${describe(error)} ${describe(error.cause)}` });
    else if (typeof error.message !== "string" || error.message === "") faults.push({ fault: "foreignErrors", says: "without a message" });
  }
  if (difference !== undefined) faults.push({ fault: "changedValues", says: difference });
  return faults;
}

/** Whether an error, or what caused it, came from the WebAssembly engine. */
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

// What the package exports, found in the module and on the prototypes, so that nothing new goes unfuzzed.

/** Beside the documented surface: the core's own way to an error's language, which the types do not have. */
const UNDOCUMENTED = ["RemitError.translate"];

/** Returns the names of all a page can call or read. `classes` are those whose instances it gets, by name. */
export function surfaceOf(module, classes) {
  const names = Object.keys(module);
  for (const [name, made] of Object.entries(classes)) {
    for (const key of Reflect.ownKeys(made.prototype)) {
      if (key !== "constructor" && !isBrand(key)) names.push(`${name}.${nameOf(key)}`);
    }
    for (const key of Reflect.ownKeys(made)) {
      if (!["length", "name", "prototype", "mount", "over"].includes(key)) names.push(`${name}.${nameOf(key)}`);
    }
  }
  return names.filter((name) => !UNDOCUMENTED.includes(name)).sort();
}

/** What is exported and not fuzzed, and what is fuzzed and does not exist. */
export function compare(surface, subjects) {
  return {
    forgotten: surface.filter((name) => !subjects.includes(name)),
    stale: subjects.filter((name) => !surface.includes(name)),
  };
}

// Symbol.dispose has various descriptions; engines without it give the method an unknown symbol.
function nameOf(key) {
  if (typeof key === "string") return key;
  return `[${key.description?.split(".").at(-1) ?? "dispose"}]`;
}

function isBrand(key) {
  return key === Symbol.for("remitkit.error");
}

// Every way to spoil one value of a JSON document, one at a time.

const WRONG = [
  ["null", null],
  ["a number", 7],
  ["a fraction", 1.5],
  ["a text", "7x"],
  ["an empty text", ""],
  ["true", true],
  ["an object", {}],
  ["an array", []],
  ["a list in a list", [[]]],
];

/** Yields `{ what, value }` for each place in `value`: left out, and with each wrong kind of value. */
export function* spoiled(value, wrong = WRONG) {
  for (const path of paths(value)) {
    if (path.length > 0 && typeof path.at(-1) === "string") {
      yield { what: `${path.join(".")} left out`, value: changed(value, path, (holder, name) => delete holder[name]) };
    }
    for (const [kind, bad] of wrong) {
      if (JSON.stringify(bad) === JSON.stringify(at(value, path))) continue;
      const what = `${path.join(".") || "all of it"} is ${kind}`;
      const replaced = path.length === 0 ? bad : changed(value, path, (holder, name) => (holder[name] = bad));
      yield { what, value: replaced };
    }
  }
}

function* paths(value, path = []) {
  yield path;
  if (typeof value !== "object" || value === null) return;
  // The first item of a list stands for all.
  const names = Array.isArray(value) ? [0].filter((name) => name in value) : Object.keys(value);
  for (const name of names) yield* paths(value[name], [...path, name]);
}

function at(value, path) {
  return path.reduce((holder, name) => holder[name], value);
}

function changed(value, path, change) {
  const copy = structuredClone(value);
  change(at(copy, path.slice(0, -1)), path.at(-1));
  return copy;
}

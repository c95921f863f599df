// The code of a module by owner: the layers of the crate, and the crates below it.

/** Returns the functions of a module with names, the biggest first. */
export function functionsOf(module) {
  let at = 8;
  const byte = () => module[at++];
  const number = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const next = byte();
      value += (next & 127) * shift;
      if (next < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    return new TextDecoder().decode(module.subarray(at, (at += length)));
  };
  const sizes = [];
  const names = new Map();
  while (at < module.length) {
    const section = byte();
    const end = number() + at;
    if (section === 10) {
      for (let left = number(); left > 0; left--) {
        const size = number();
        sizes.push(size);
        at += size;
      }
    } else if (section === 0 && text() === "name") {
      while (at < end) {
        const kind = byte();
        const past = number() + at;
        // 1: the names of functions.
        if (kind === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
        at = past;
      }
    }
    at = end;
  }
  if (names.size < sizes.length) throw new Error("the module does not have the names of its functions");
  // Imported functions come first, and have names but no code.
  const imported = names.size - sizes.length;
  const functions = sizes.map((raw, index) => ({ name: readable(names.get(imported + index)), raw }));
  // wasm-bindgen reads its types from these, and removes them.
  return functions.filter(({ name }) => !/describe/.test(name)).sort((one, other) => other.raw - one.raw);
}

/** Returns the names in a symbol (v0 mangling): each follows its length, among marks and hashes. */
function readable(symbol) {
  if (!symbol.startsWith("_R")) return symbol;
  const names = [];
  for (let rest = symbol.slice(2); rest !== "";) {
    const [, length, noise] = rest.match(/^(?:(\d+)_?|([sB][0-9A-Za-z]*_|.))/s);
    rest = rest.slice(length ? rest.match(/^\d+_?/)[0].length : noise.length);
    if (length > 0) names.push(rest.slice(0, length));
    rest = rest.slice(length ?? 0);
  }
  return names.join("::");
}

const STD = ["core", "alloc", "std", "compiler_builtins"];

/** Returns the code by owner, the biggest first. std's code for one of our types counts as ours. */
export function ownersOf(functions) {
  const owners = {};
  for (const { name, raw } of functions) {
    const names = name.split("::");
    const ours = names.indexOf("remitkit");
    const krate = STD.includes(names[0]) ? "std" : names[0];
    const other = names.length > 1 ? krate : "(exports, runtime)";
    const owner = ours >= 0 ? `remitkit::${names[ours + 1] ?? "js"}` : other;
    owners[owner] ??= { name: owner, functions: 0, raw: 0 };
    owners[owner].functions += 1;
    owners[owner].raw += raw;
  }
  return Object.values(owners).sort((one, other) => other.raw - one.raw);
}

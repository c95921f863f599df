// The core does not panic. Should it do so all the same, or run out of memory or stack, its state is
// void, and a promise it owes would never settle. An export returns its errors and throws none, so
// whatever leaves one as an exception is such a crash, also in a callback that no caller of the
// package is waiting for. `cargo xtask pack` lets remitkit_core.js pass its exports through here.

let listener = () => {};

export function onCrash(notified) {
  listener = notified;
}

export function watchExports(exports) {
  const watched = Object.create(null);
  for (const [name, value] of Object.entries(exports)) {
    watched[name] = typeof value === "function" ? watch(value) : value;
  }
  return watched;
}

function watch(exported) {
  return (...args) => {
    try {
      return exported(...args);
    } catch (error) {
      listener(error);
      throw error;
    }
  };
}

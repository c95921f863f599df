// The core does not panic. Should it, or run out of memory or stack, its state is invalid and its promises
// never settle. Exports return their errors, so any exception that leaves one is a crash, also in a callback
// of the engine that has no caller here. Packing lets remitkit_core.js pass its exports through
// `watchExports`.

let listener = () => {};

export function onCrash(notified) {
  listener = notified;
}

export function watchExports(exports) {
  const state = { hasCrashed: false };
  const watched = Object.create(null);
  for (const [name, value] of Object.entries(exports)) {
    watched[name] = typeof value === "function" ? watch(value, state) : value;
  }
  return watched;
}

function watch(exported, state) {
  return (...args) => {
    // What the browser calls later, such as a timer, must not enter an instance that has crashed.
    // The glue reads the items of several results.
    if (state.hasCrashed) return [];
    try {
      return exported(...args);
    } catch (error) {
      state.hasCrashed = true;
      listener(error);
      throw error;
    }
  };
}

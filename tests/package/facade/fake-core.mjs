// Stands in for the glue of the wasm core, with a control panel for what `fake-driver.mjs` answers.
// Like the real glue it lets its exports pass through crash.js and keeps state for the whole module.

import { watchExports } from "./crash.js";

export const control = {
  /** Every call of the core, as [name, ...arguments]. */
  calls: [],
  /** What a call of an operation is answered with. May throw, or give a promise. */
  answer: () => null,
  /** What the card forms were mounted with, the newest last. */
  mounted: [],
  /** Gives the frame of a form in a container; undefined for one that is no element at all. */
  frame: undefined,
  /** When the sessions of the card forms end. */
  expirationDate: "2030-01-01T00:00:00.0000000Z",
  inits: [],
  resets: 0,
  failInit: undefined,
  /** Ends as a trap does: an exception that leaves an export. */
  trap() {
    return exports.trap();
  },
};

let exports;

function instantiate() {
  exports = watchExports({
    run: (work) => work(),
    trap() {
      throw new WebAssembly.RuntimeError("unreachable");
    },
  });
}

export default async function init(argument) {
  control.inits.push(argument);
  await null;
  if (control.failInit) {
    throw control.failInit;
  }
  exports ?? instantiate();
}

export function __wbg_reset_state() {
  control.resets += 1;
  instantiate();
}

/** What a driver stands on: the life of the module in which it was made. */
export function life() {
  return exports;
}

/** Judges nothing of what a frame tells of. */
export class FrameWatchCore {
  notice() {
    return "";
  }
  restart() {}
  free() {}
}

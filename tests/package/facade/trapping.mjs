// Exports of a module that trap when they are told to. To be imported before what makes the first instance.

import { errorOf } from "./unpacked.mjs";

const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, "exports");
const wrapped = new WeakMap();
let isTrapping = false;

Object.defineProperty(WebAssembly.Instance.prototype, "exports", {
  configurable: true,
  get() {
    if (!wrapped.has(this)) {
      wrapped.set(this, Object.fromEntries(Object.entries(get.call(this)).map(([name, value]) => [name, trapping(value)])));
    }
    return wrapped.get(this);
  },
});

function trapping(exported) {
  if (typeof exported !== "function") {
    return exported;
  }
  return (...args) => {
    if (isTrapping) {
      throw new WebAssembly.RuntimeError("unreachable");
    }
    return exported(...args);
  };
}

/** The error of what traps. */
export async function trap(work) {
  isTrapping = true;
  try {
    return await errorOf(work);
  } finally {
    isTrapping = false;
  }
}

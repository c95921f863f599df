// Makes exports of the wasm module trap on demand. Import it before the first instance is created.

import { errorOf } from "./unpacked.mjs";

const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, "exports");
const wrapped = new WeakMap();
let isTrapping = false;

Object.defineProperty(WebAssembly.Instance.prototype, "exports", {
  configurable: true,
  get() {
    if (!wrapped.has(this)) {
      const exports = Object.entries(get.call(this)).map(([name, value]) => [name, trapping(value)]);
      wrapped.set(this, Object.fromEntries(exports));
    }
    return wrapped.get(this);
  },
});

function trapping(exported) {
  if (typeof exported !== "function") return exported;
  return (...args) => {
    if (isTrapping) throw new WebAssembly.RuntimeError("unreachable");
    return exported(...args);
  };
}

/** Returns the error of a call during which every export traps. */
export async function trap(work) {
  isTrapping = true;
  try {
    return await errorOf(work);
  } finally {
    isTrapping = false;
  }
}

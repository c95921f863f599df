// The package with the wasm inside its JavaScript, for pages that can serve or fetch no further file.

import wasm from "./inline-wasm.js";
import { openRemitKit, preloadWasm } from "./remit-kit.js";

export { isRemitError } from "./errors.js";
export { formatAmount, fromMinorUnits, toMinorUnits } from "./money.js";
export { parseAmount } from "./parse-amount.js";
export { RemitError } from "./remit-error.js";
export { themeContrast } from "./theme-contrast.js";
export { darkTheme, lightTheme } from "./theme.js";

export function createRemitKit(options) {
  return openRemitKit(options, wasmBytes);
}

export function preload(options) {
  return preloadWasm(options, wasmBytes);
}

function wasmBytes() {
  return Uint8Array.from(atob(wasm), (sign) => sign.charCodeAt(0));
}

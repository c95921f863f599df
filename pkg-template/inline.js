// The package with the wasm inside its JavaScript.

import * as card from "./card-part.js";
import wasm from "./inline-wasm.js";
import { openRemitKit, preloadParts } from "./remit-kit.js";
import * as transfer from "./transfer-part.js";

export { disclosureTexts } from "./disclosures.js";
export { isRemitError } from "./errors.js";
export { formatAmount, fromMinorUnits, toMinorUnits } from "./money.js";
export { parseAmount } from "./parse-amount.js";
export { RemitError } from "./remit-error.js";
export { themeContrast } from "./theme-contrast.js";
export { darkTheme, lightTheme } from "./theme.js";

const parts = { card: () => card, transfer: () => transfer };

export function createRemitKit(options) {
  return openRemitKit(options, wasmBytes, parts);
}

export function preload(options) {
  return preloadParts(options, wasmBytes, parts);
}

function wasmBytes() {
  return Uint8Array.from(atob(wasm), (sign) => sign.charCodeAt(0));
}

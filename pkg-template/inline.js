// The package with the wasm inside its JavaScript.

import * as card from "./card/card-part.js";
import wasm from "./core/inline-wasm.js";
import { openRemitKit, preloadParts } from "./kit/remit-kit.js";
import * as transfer from "./transfer/transfer-part.js";

export { disclosureTexts } from "./quote/disclosures.js";
export { isRemitError } from "./errors/errors.js";
export { formatAmount, fromMinorUnits, toMinorUnits } from "./money/money.js";
export { parseAmount } from "./money/parse-amount.js";
export { RemitError } from "./core/remit-error.js";
export { themeContrast } from "./card/theme-contrast.js";
export { darkTheme, lightTheme } from "./card/theme.js";

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

import { part } from "./module/parts.js";
import { openRemitKit, preloadParts } from "./kit/remit-kit.js";

// Beside the wasm, as bundlers leave that beside the script that they make of this one. Some find the files by these
// very expressions. They are not evaluated at import: a tool may have made a classic script of this module, where
// `import.meta` has no address.
const parts = {
  card: /* @__PURE__ */ part(
    () => import("./card/card-part.js"),
    () => new URL("remitkit_card.wasm", import.meta.url),
  ),
  transfer: /* @__PURE__ */ part(
    () => import("./transfer/transfer-part.js"),
    () => new URL("remitkit_transfer.wasm", import.meta.url),
  ),
};
const wasmUrl = () => new URL("remitkit_first.wasm", import.meta.url);

export function createRemitKit(options) {
  return openRemitKit(options, wasmUrl, parts);
}

export function preload(options) {
  return preloadParts(options, wasmUrl, parts);
}

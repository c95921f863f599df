import { part } from "./parts.js";
import { openRemitKit, preloadParts } from "./remit-kit.js";

const parts = {
  card: /* @__PURE__ */ part(
    () => import("./card-part.js"),
    () => new URL("remitkit_card.wasm", import.meta.url),
  ),
  transfer: /* @__PURE__ */ part(
    () => import("./transfer-part.js"),
    () => new URL("remitkit_transfer.wasm", import.meta.url),
  ),
};

export function createRemitKit(options) {
  return openRemitKit(options, wasmUrl, parts);
}

export function preload(options) {
  return preloadParts(options, wasmUrl, parts);
}

// Not evaluated at import: where a tool has made a classic script of this module, `import.meta` has no
// address. Bundlers find the files by these very expressions. `remitkit/inline` does without this module, and
// so without the files.
function wasmUrl() {
  return new URL("remitkit_first.wasm", import.meta.url);
}

import { part } from "./parts.js";
import { openRemitKit, preloadParts } from "./remit-kit.js";

const parts = {
  card: /* @__PURE__ */ part(() => import("./card-part.js")),
  transfer: /* @__PURE__ */ part(() => import("./transfer-part.js")),
};

export function createRemitKit(options) {
  return openRemitKit(options, wasmUrl, parts);
}

export function preload(options) {
  return preloadParts(options, wasmUrl, parts);
}

// Not evaluated at import: where a tool has made a classic script of this module, `import.meta` has no address.
// Bundlers find the file by this very expression. `remitkit/inline` does without this module, and so without the file.
function wasmUrl() {
  return new URL("remitkit_core_bg.wasm", import.meta.url);
}

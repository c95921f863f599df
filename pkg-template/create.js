import { openRemitKit, preloadWasm } from "./remit-kit.js";

export function createRemitKit(options) {
  return openRemitKit(options, wasmUrl);
}

export function preload(options) {
  return preloadWasm(options, wasmUrl);
}

// Not evaluated at import: where a tool has made a classic script of this module, `import.meta` has no address.
// Bundlers find the file by this very expression. `remitkit/inline` does without this module, and so without the file.
function wasmUrl() {
  return new URL("remitkit_core_bg.wasm", import.meta.url);
}

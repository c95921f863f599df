/**
 * The same as `remitkit`, with the wasm inside the JavaScript: nothing else is fetched, and the module is a
 * third larger. For pages that can serve no further file: a single-file build, an extension, a one-script
 * widget. The page's policy must allow `'wasm-unsafe-eval'` here too.
 */
export * from "./index.js";

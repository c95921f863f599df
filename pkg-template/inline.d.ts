/**
 * The same as `remitkit`, with the wasm inside the JavaScript: nothing else is fetched, and the module is a
 * third larger. For a page that can serve no further file: a single-file build, an extension, a widget behind
 * one address. The page's policy must allow `'wasm-unsafe-eval'` here too.
 */
export * from "./index.js";

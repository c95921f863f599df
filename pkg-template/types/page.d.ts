// Types that exist only in a page. A backend that compiles without `lib: ["dom"]` gets `never`.

type Global<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : never;

/** The browser's `Element`. */
export type PageElement = Global<"Element">;
/** The browser's `HTMLIFrameElement`. */
export type PageFrame = Global<"HTMLIFrameElement">;
/** `WebAssembly.Module`. */
export type WasmModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;

/** The memory among the exports of the wasm, which have short names. */
export function memoryOf(exports) {
  return Object.values(exports).find((exported) => exported instanceof WebAssembly.Memory);
}

// Watches the memory of each wasm instance.

const memories = [];
const { instantiate, instantiateStreaming } = WebAssembly;

function keep(result) {
  // By its type: the module's exports have short names.
  const exported = Object.values((result.instance ?? result).exports);
  memories.push(...exported.filter((value) => value instanceof WebAssembly.Memory));
  return result;
}

WebAssembly.instantiate = async (...given) => keep(await instantiate.apply(WebAssembly, given));
WebAssembly.instantiateStreaming = async (...given) => keep(await instantiateStreaming.apply(WebAssembly, given));

const PAGE = 65_536;

/** Returns the pages of all memories together. */
export function wasmPages() {
  if (memories.length === 0) throw new Error("no wasm instance was seen, so there is no memory to look at");
  return memories.reduce((sum, memory) => sum + memory.buffer.byteLength / PAGE, 0);
}

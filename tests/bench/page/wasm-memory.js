// Keeps hold of the memory of each wasm instance, to be looked at from outside.

const memories = [];
const { instantiate, instantiateStreaming } = WebAssembly;

function keep(result) {
  const { memory } = (result.instance ?? result).exports;
  if (memory) memories.push(memory);
  return result;
}

WebAssembly.instantiate = async (...given) => keep(await instantiate.apply(WebAssembly, given));
WebAssembly.instantiateStreaming = async (...given) => keep(await instantiateStreaming.apply(WebAssembly, given));

const PAGE = 65_536;

/** Pages of all memories together. */
export function wasmPages() {
  return memories.reduce((sum, memory) => sum + memory.buffer.byteLength / PAGE, 0);
}

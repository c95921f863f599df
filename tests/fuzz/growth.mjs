// What a page holds, as the browser counts it, and what has become more.

const MB = 1024 * 1024;

/** Counted after the garbage is gone. */
export async function measure(session, page) {
  for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const metric = (name) => metrics.find((found) => found.name === name)?.value ?? 0;
  const counters = await session.send("Memory.getDOMCounters");
  return {
    heapBytes: metric("JSHeapUsedSize"),
    wasmBytes: page.wasmBytes,
    frames: metric("Frames"),
    nodes: counters.nodes,
    listeners: counters.jsEventListeners,
    timers: page.timers,
    elements: page.elements,
  };
}

/** Returns the growth in MB, and how many frames, listeners, nodes, timers and elements are left over. */
export function compareMeasures(before, after) {
  const more = (name) => Math.max(0, after[name] - before[name]);
  const left = Object.fromEntries(["frames", "nodes", "listeners", "timers", "elements"].map((name) => [name, more(name)]));
  return {
    growthMb: Math.round((Math.max(0, after.heapBytes - before.heapBytes) + more("wasmBytes")) / MB * 100) / 100,
    leftOver: Object.values(left).reduce((sum, count) => sum + count, 0),
    left,
  };
}

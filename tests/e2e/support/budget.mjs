// What the browser itself measures of a page: what moved, and which scripts held it up.

/** The SDK's own files, as the shop's build names them. */
export const SDK = /\/assets\/remitkit[-_][^/]*\.(js|wasm)/;

/** How much of a page may move by itself, as a whole. */
export const MOST_MOVED = 0.02;

/** Runs in a page before anything else of it. */
export function watchBudget() {
  const seen = { shifts: [], frames: [] };
  globalThis.budget = seen;
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("layout-shift", ({ value, hadRecentInput, startTime, sources }) => {
    const nodes = sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ""}`);
    seen.shifts.push({ value, hadRecentInput, startTime, nodes });
  });
  watch("long-animation-frame", ({ duration, startTime, scripts }) => {
    const parts = scripts.map((script) => ({ duration: script.duration, source: script.sourceURL, invoker: script.invoker }));
    seen.frames.push({ duration, startTime, scripts: parts });
  });
}

/** Returns the entries since the page opened or since the last call, including those under way. */
export function takeBudget(page) {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    const { shifts, frames } = globalThis.budget;
    return { shifts: shifts.splice(0), frames: frames.splice(0) };
  });
}

/** The sum of what moved by itself; with `all` also of what moved just after a key or a click. */
export function moved(shifts, { all = false } = {}) {
  return shifts.filter(({ hadRecentInput }) => all || !hadRecentInput).reduce((sum, { value }) => sum + value, 0);
}

/** The pieces of script longer than `limit` milliseconds whose file matches. */
export function longScripts(frames, source, limit = 50) {
  return frames.flatMap(({ scripts }) => scripts).filter((script) => source.test(script.source) && script.duration > limit);
}

/**
 * Runs `work` and returns the calls into matching files that took more than `limit` milliseconds of processor
 * time. Unlike elapsed time, that hardly depends on the machine's other load.
 */
export async function busyCalls(page, source, work, limit = 50) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const calls = traceEvents.filter(({ name, args }) => name === "FunctionCall" && source.test(args.data?.url ?? ""));
  if (calls.length === 0) throw new Error("the browser's trace has no call into these files");
  return calls.map(({ tdur, dur, args }) => ({ ms: (tdur ?? dur) / 1_000, url: args.data.url, name: args.data.functionName })).filter(({ ms }) => ms > limit);
}

// Measures layout shifts and long tasks with the browser's own instruments.

export const SDK = /\/assets\/remitkit[-_][^/]*\.(js|wasm)/;
const MAX_SHIFT = 0.02;
const LONG_MS = 50;

/** An init script that observes the page. */
export function watchBudget() {
  const seen = { shifts: [], frames: [] };
  globalThis.budget = seen;
  const watch = (type, take) => {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  };
  watch("layout-shift", ({ value, hadRecentInput, startTime, sources }) => {
    const nodes = sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ""}`);
    seen.shifts.push({ value, hadRecentInput, startTime, nodes });
  });
  watch("long-animation-frame", ({ scripts }) => {
    for (const { duration, sourceURL, invoker } of scripts) {
      seen.frames.push({ duration, sourceURL, invoker });
    }
  });
}

/** Returns the layout shifts and the scripts of long frames since the last call. */
export function takeBudget(page) {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    const { shifts, frames } = globalThis.budget;
    return { shifts: shifts.splice(0), scripts: frames.splice(0) };
  });
}

/** Throws if shifts exceed the budget. Those right after input count only with `all`. */
export function assertStill(shifts, what, { all = false, factor = 1 } = {}) {
  const counted = shifts.filter(({ hadRecentInput }) => all || !hadRecentInput);
  const sum = counted.reduce((total, { value }) => total + value, 0);
  if (sum <= factor * MAX_SHIFT) return;
  throw new Error(`${what}: the page moved by ${sum}: ${JSON.stringify(counted)}`);
}

/** Returns the scripts from matching files that took longer than 50 ms. */
export function longScripts(scripts, files) {
  return scripts.filter(({ sourceURL, duration }) => files.test(sourceURL) && duration > LONG_MS);
}

/**
 * Runs `work` and returns the calls into matching files that took more than 50 ms of processor time, which,
 * unlike elapsed time, hardly depends on the machine's other load.
 */
export async function busyCalls(page, files, work) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const isCall = ({ name, args }) => name === "FunctionCall" && files.test(args.data?.url ?? "");
  const calls = traceEvents.filter(isCall).map(({ tdur, dur, args: { data } }) => {
    return { ms: (tdur ?? dur) / 1_000, url: data.url, name: data.functionName };
  });
  if (calls.length === 0) throw new Error("the browser's trace has no call into these files");
  return calls.filter(({ ms }) => ms > LONG_MS);
}

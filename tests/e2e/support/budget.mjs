// Measures layout shifts and long tasks with the browser's own instruments.

export const SDK = /\/assets\/remitkit[-_][^/]*\.(js|wasm)/;
const MAX_SHIFT = 0.02;
const LONG_MS = 50;
/** A fixed amount of work, and how long it takes where a task may take 50 ms: a slower machine has longer. */
const REFERENCE = { turns: 2e7, ms: 25 };

/** An init script that observes the page. */
export function watchShifts() {
  globalThis.shifts = [];
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries()) {
      const nodes = sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ""}`);
      globalThis.shifts.push({ value, hadRecentInput, startTime, nodes });
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
}

/** Returns the layout shifts since the last call. */
export function takeShifts(page) {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    return globalThis.shifts.splice(0);
  });
}

/** Throws if shifts exceed the budget. Those right after input count only with `all`. */
export function assertStill(shifts, what, { all = false, factor = 1 } = {}) {
  const counted = shifts.filter(({ hadRecentInput }) => all || !hadRecentInput);
  const sum = counted.reduce((total, { value }) => total + value, 0);
  if (sum <= factor * MAX_SHIFT) return;
  throw new Error(`${what}: the page moved by ${sum}: ${JSON.stringify(counted)}`);
}

/** Delays replies beyond the half second in which browsers attribute a shift to the input before it. */
export function delayReplies(page) {
  return page.route(/\/(v1|sandbox|api)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 550));
    await route.continue().catch(() => {});
  });
}

/**
 * Runs `work` and returns what took the page more than 50 ms of processor time, which, unlike elapsed time,
 * hardly depends on the machine's other load, measured against a reference, as it depends on the machine.
 * Calls count in the page's own files; what runs after a promise has no file.
 */
export async function longTasks(page, work) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline", "v8.execute"] });
  await work();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const isTask = ({ name, args }) =>
    name === "RunMicrotasks" || (name === "FunctionCall" && /\/assets\/[^/]+$/.test(args.data?.url ?? ""));
  const tasks = traceEvents.filter(isTask).map(({ name, tdur, dur, args: { data } }) => {
    return { ms: (tdur ?? dur) / 1_000, name: data?.functionName ?? name };
  });
  if (tasks.length === 0) throw new Error("the browser's trace has no task of the page");
  const slowness = Math.max(1, (await page.evaluate(referenceMs, REFERENCE.turns)) / REFERENCE.ms);
  return tasks.filter(({ ms }) => ms > LONG_MS * slowness);
}

/** Returns the shortest of some runs, as other load makes a run longer. */
function referenceMs(turns) {
  const runs = Array.from({ length: 9 }, () => {
    const start = performance.now();
    let sum = 0;
    for (let turn = 0; turn < turns; turn += 1) sum += turn % 7;
    globalThis.sum = sum;
    return performance.now() - start;
  });
  return Math.min(...runs);
}

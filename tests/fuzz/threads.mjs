// Work in threads of Node, watched from outside: a call that blocks its engine can't be seen from within.

import { Worker } from "node:worker_threads";

const STUCK_MS = 60_000;
const LOOK_MS = 500;
const HEAP_MB = 2_000;

/**
 * Does the work from `from` up to `to` in so many threads. Calls `tell` for each fault, and
 * with `{ done }` for what each part found.
 */
export async function inThreads({ threads, from, to, tell, say = () => {}, part = 5_000, ...given }) {
  let next = from;
  let done = 0;
  const one = async () => {
    while (next < to) {
      const start = next;
      next = Math.min(next + part, to);
      await watched({ ...given, from: start, to: next }, tell);
      done += next - start;
      say(done);
    }
  };
  await Promise.all(Array.from({ length: threads }, one));
}

/** A range in one thread; what sticks or dies is told, and left out of the next thread. */
async function watched(given, tell) {
  let { from } = given;
  while (from < given.to) {
    const end = await thread({ ...given, from }, tell);
    if (end.done) return;
    tell({ fault: "hangs", at: end.at, says: end.says });
    from = end.at + 1;
  }
}

function thread(given, tell) {
  const progress = new SharedArrayBuffer(4);
  const at = new Int32Array(progress);
  at[0] = given.from;
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), {
    workerData: { ...given, progress },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    let last = -1;
    let since = Date.now();
    const watch = setInterval(() => {
      const now = Atomics.load(at, 0);
      if (now !== last) [last, since] = [now, Date.now()];
      else if (Date.now() - since > STUCK_MS) end({ at: now, says: "the engine did not come back" });
    }, LOOK_MS);
    const end = (how) => {
      clearInterval(watch);
      resolve(how);
      worker.terminate();
    };
    worker.on("message", (message) => {
      if (message.broken !== undefined) reject(new Error(`the fuzzer itself failed ${message.broken}`));
      else tell(message);
      if (message.done || message.broken !== undefined) end({ done: true });
    });
    worker.on("error", (error) => end({ at: Atomics.load(at, 0), says: `the thread died: ${error?.message}` }));
    worker.on("exit", () => end({ at: Atomics.load(at, 0), says: "the thread ended" }));
  });
}

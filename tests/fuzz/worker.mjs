// A thread in Node that tries inputs, or plays interleavings.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { Bench } from "./bench.mjs";
import { Clock } from "./clock.mjs";
import { tryInputs } from "./inputs.mjs";
import { playStories } from "./stories.mjs";
import { Service } from "./service.mjs";
import { describe } from "./verdict.mjs";

const { folder, work, seed, from, to, names, batch, progress } = workerData;
const at = new Int32Array(progress);
const load = (name) => import(pathToFileURL(join(folder, name)).href);

// What listeners of the page throw is printed, a thousand times over.
console.error = () => {};
const uncaught = [];
process.on("unhandledRejection", (error) => uncaught.push(error));
process.on("uncaughtException", (error) => uncaught.push(error));
const stray = () => uncaught.splice(0);

const realm = vm.createContext({});
const world = {
  foreign: vm.runInContext("(text) => JSON.parse(text)", realm),
  foreignDate: vm.runInContext("() => new Date(0)", realm),
  foreignError: vm.runInContext("() => Object.assign(new TypeError('x'), { kind: 'internal' })", realm),
  element: () => ({ nodeType: 1 }),
};

const clock = new Clock();
const service = new Service();
const bytes = await readFile(join(folder, "remitkit_core_bg.wasm"));
clock.install();
service.install();
const module = await load("index.js");
const glue = await load("remitkit_core.js");
const { loadInstance } = await load("load.js");
await loadInstance(bytes);

const tell = (message) => {
  Atomics.store(at, 0, message.at);
  if (message.fault !== undefined) parentPort.postMessage(message);
};
const common = { seed, from, to, names, world, stray, tell, batch };
try {
  const found =
    work === "inputs"
      ? await tryInputs({ ...common, bench: new Bench({ module, glue, service, clock }) })
      : await playStories({ ...common, module, service, clock });
  parentPort.postMessage({ done: true, ...found });
} catch (error) {
  parentPort.postMessage({ broken: `at ${at[0]}: ${describe(error)}` });
}

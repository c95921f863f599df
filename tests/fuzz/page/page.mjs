// The page in which the SDK runs: `fuzz(work)` does a part of a proof and returns what it found.

import { Clock } from "../clock.mjs";
import { Bench, callable, tryInputs } from "../inputs.mjs";
import { mountForms } from "../mounts.mjs";
import { place } from "../samples.mjs";
import { Service } from "../service.mjs";
import { playStories } from "../story.mjs";
import { isRuntimeError } from "../verdict.mjs";

const uncaught = [];
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  uncaught.push(event.reason);
});
// What the page's own listeners throw is reported here as well, so only traps count.
addEventListener("error", (event) => {
  event.preventDefault();
  if (isRuntimeError(event.error)) uncaught.push(event.error);
});
const takeUncaught = () => uncaught.splice(0);

const { contentWindow: realm } = document.querySelector("#realm");
const container = document.querySelector("#card");
const world = { realm, container };

// The whole module, or its parts, as most pages have it.
const isWhole = location.search === "?whole";
const module = await import("/package/index.js");
if (isWhole) {
  const { loadInstance } = await import("/package/module/load.js");
  await loadInstance(await (await fetch("/package/remitkit_core_bg.wasm")).arrayBuffer());
} else await module.preload({ everything: true });
const { exports } = await import("/package/core/remitkit_core.js");
const memory = Object.values(exports).find((exported) => exported instanceof WebAssembly.Memory);
const service = new Service();
service.install();

const debug = console.debug.bind(console);

globalThis.fuzz = async ({ work, cardUrl, ...range }) => {
  place.cardUrl = cardUrl;
  const common = { ...range, module, memory, service, container };
  if (work === "mounts") return mountForms(common);
  if (work === "callable") return callable(new Bench(common));
  const clock = new Clock();
  clock.install();
  // Another process grants Web Locks, which the clock cannot see.
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  const faults = [];
  const tell = (message) => {
    if (message.fault !== undefined) faults.push(message);
    // Node cannot look into a page that hangs, but has received this before.
    else debug(message.at);
  };
  Object.assign(common, { clock, world, takeUncaught, tell });
  if (work === "inputs") {
    await tryInputs({ ...common, bench: new Bench(common) });
    return { faults, promises: 0 };
  }
  const promises = await playStories(common);
  return { faults, promises };
};

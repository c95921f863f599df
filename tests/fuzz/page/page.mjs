// The page in which the SDK runs: `fuzz(work)` does a part of a proof here and gives what was found.

import { Bench } from "../bench.mjs";
import { Clock } from "../clock.mjs";
import { tryInputs } from "../inputs.mjs";
import { Locks } from "../locks.mjs";
import { Mounts } from "../mounts.mjs";
import { place } from "../samples.mjs";
import { Service } from "../service.mjs";
import { playStories } from "../stories.mjs";
import { isRuntimeError } from "../verdict.mjs";

const uncaught = [];
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  uncaught.push(event.reason);
});
// What listeners of the page throw is reported here by intention; a trap is not.
addEventListener("error", (event) => {
  event.preventDefault();
  if (isRuntimeError(event.error)) uncaught.push(event.error);
});
const stray = () => uncaught.splice(0);

const { contentWindow: realm } = document.querySelector("#realm");
const container = document.querySelector("#card");
const world = {
  foreign: (text) => realm.JSON.parse(text),
  foreignDate: () => new realm.Date(0),
  foreignError: () => Object.assign(new realm.TypeError("x"), { kind: "internal" }),
  element: () => container,
};

const module = await import("/package/index.js");
const glue = await import("/package/remitkit_core.js");
// In files, as pages have it; in Node it is the whole.
await module.preload({ everything: true });
const service = new Service();
service.install();

let clock;

globalThis.fuzz = async ({ work, cardUrl, ...given }) => {
  place.cardUrl = cardUrl;
  if (work === "mounts") {
    globalThis.mounts ??= new Mounts({ module, glue, service, container });
    return globalThis.mounts.cycle(given);
  }
  if (clock === undefined) {
    clock = new Clock();
    clock.install();
    new Locks().install();
  }
  const faults = [];
  const tell = (message) => message.fault !== undefined && faults.push(message);
  const common = { ...given, world, stray, tell };
  const found =
    work === "inputs"
      ? await tryInputs({ ...common, bench: new Bench({ module, glue, service, clock, container }) })
      : await playStories({ ...common, module, service, clock, container });
  return { faults, ...found };
};

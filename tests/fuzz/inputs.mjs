// The first proof: values that nobody would pass, one after the other, each with its verdict.

import { Chance } from "../chaos/chance.mjs";
import { SUBJECTS } from "./subjects.mjs";
import { describe, faultsOf, isRuntimeError } from "./verdict.mjs";

const BATCH = 50;
/** The wasm may grow to what its largest inputs take, and no further. */
const MOST_WASM_BYTES = 64 * 1024 * 1024;

/**
 * Tries the inputs `from` up to `to` of a seed. Calls `tell` with `{ at }` before each, and with
 * `{ fault, at, name, says }` for each fault; `stray` returns the uncaught errors since its last call.
 * Returns how often each export was called.
 */
export async function tryInputs({ seed, from, to, names, bench, world, stray, tell, batch = BATCH }) {
  const counts = {};
  for (let start = from; start < to; start += batch) {
    const end = Math.min(start + batch, to);
    await bench.begin();
    for (let at = start; at < end; at += 1) {
      const name = names[at % names.length];
      tell({ at, name });
      counts[name] = (counts[name] ?? 0) + 1;
      for (const found of await tryInput({ seed, at, name, bench, world })) tell({ ...found, at, name });
    }
    let sound = false;
    let says = "a call that is right got another answer than before";
    try {
      sound = await bench.isSound();
    } catch (error) {
      says = describe(error);
    }
    if (!sound) tell({ fault: "unsound", at: start, to: end, says });
    const bytes = await bench.wasmBytes();
    if (bytes > MOST_WASM_BYTES) tell({ fault: "unsound", at: start, to: end, says: `the wasm has ${bytes} bytes` });
    const outcome = await bench.end();
    for (const found of faultsOf({ outcome, isOurs: bench.isOurs })) tell({ ...found, at: start, to: end, name: "RemitKit.destroy" });
    for (const error of stray()) {
      const fault = isRuntimeError(error) ? "runtimeErrors" : "foreignErrors";
      tell({ fault, at: start, to: end, says: `uncaught: ${describe(error)}` });
    }
  }
  return counts;
}

async function tryInput({ seed, at, name, bench, world }) {
  const subject = SUBJECTS[name];
  const make = (surroundings) => subject.make(new Chance(seed, `${name}/${at}`), surroundings);
  const args = make({ ...world, reenter: () => bench.reenter() });
  bench.service.take();
  const outcome = await bench.clock.settle((async () => subject.call(bench, args))());
  const requests = bench.service.take();
  let difference;
  if (outcome !== undefined && !("error" in outcome && requests.length === 0)) {
    try {
      difference = subject.difference(make({ ...world, reenter: () => {} }), { requests, outcome, journal: bench.journal });
    } catch (error) {
      difference = `what cannot be read was taken: ${describe(error)}`;
    }
  }
  bench.journal.clear();
  return faultsOf({ outcome, isOurs: bench.isOurs, difference });
}

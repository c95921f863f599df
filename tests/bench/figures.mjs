// What a run reports, with the budgets. A figure without one only has to stay near what is recorded.

import { medianOf, summaryOf } from "./statistics.mjs";

/** The budgets are for a processor so many times slower than the one that measures. */
export const SLOWER = 4;
/** After so many requests all bounded memory of the sandbox is in use. */
export const FILLED_BY = 50_000;
/** By the name of their option. */
export const ENGINES = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" };

const cold = (variant, other) => ({ cold: samples }) => ratioOf(samples, variant, other);
const over = (network, variant, other) => ({ networks }) => ratioOf(networks?.[network], variant, other);

const MINI = { other: "mini", beside: "hand-built" };
const PLAIN = { other: "plain", beside: "by hand" };
const BARE = { other: "bare", beside: "bare Response.json()" };

/** A figure of each engine: the ratio of a contest's variants. */
function ratio(name, contest, { other, beside }, limits) {
  const of = ({ contests }, engine) => ratioOf(contests?.[engine]?.[contest], "sdk", other);
  return { name, beside, inEachEngine: true, of, ...limits };
}

/** A figure of each engine: how many milliseconds more the SDK takes on a slow processor. */
function more(name, contest, { other, beside }) {
  const of = ({ contests }, engine) => moreOf(contests?.[engine]?.[contest], "sdk", other);
  return { name, beside, inEachEngine: true, of, unit: "ms", must: 2, aim: 1 };
}

const load = (kind) => ({ load: found }) => found?.[kind].compared;
const CORRIDORS = ["repeating", "distinct"].flatMap((kind) => {
  const [name, contest] = [`10,000 ${kind} corridors`, `corridors 10000 ${kind}`];
  return [ratio(name, contest, MINI, { must: 1 }), ratio(name, contest, BARE, { aim: 1.3 })];
});

/** Lower is better, unless `higher` is set, which no figure with a limit has. */
export const FIGURES = [
  { name: "first quote, 1.6 Mbit/s", ...MINI, of: over("1.6 Mbit/s", "sdk", "mini"), must: 1.45, aim: 1.3 },
  { name: "first quote, 1.6 Mbit/s, links", ...MINI, of: over("1.6 Mbit/s", "sdk links", "mini"), must: 1.25, aim: 1.15 },
  more("warm quote", "warm quote", MINI),
  more("50 right fields", "form right", MINI),
  more("50 wrong fields", "form wrong", MINI),
  more("event to iterator", "message to iterator", { ...MINI, other: "hand-built" }),
  more("event to listener", "message to listener", { ...MINI, other: "hand-built" }),
  ...CORRIDORS,
  { name: "first quote, 9 Mbit/s", ...MINI, of: over("9 Mbit/s", "sdk", "mini") },
  { name: "first quote, 9 Mbit/s, links", ...MINI, of: over("9 Mbit/s", "sdk links", "mini") },
  { name: "first quote, no network", ...MINI, of: cold("sdk", "mini") },
  { name: "first quote, no network, links", ...MINI, of: cold("sdk links", "mini") },
  { name: "first quote after preload()", ...MINI, of: cold("sdk waits preloaded", "mini waits") },
  { name: "card form READY, 1.6 Mbit/s", ...MINI, of: over("1.6 Mbit/s", "sdk card", "mini card") },
  { name: "first transfer, 1.6 Mbit/s", ...MINI, of: over("1.6 Mbit/s", "sdk transfer", "mini transfer") },
  { name: "first call of a part fetched when idle, 9 Mbit/s", beside: "inline", of: over("9 Mbit/s", "sdk late", "eager late") },
  ratio("toMinorUnits", "toMinorUnits", PLAIN),
  ratio("formatAmount", "formatAmount", PLAIN),
  { name: "pages of wasm memory added by 100,000 calls", isCount: true, of: wasmGrowth, must: 0 },
  { name: "malformed values that hand-built code alone refuses", isCount: true, of: taken, must: 0 },
  { name: "results on which the variants disagree", isCount: true, of: disagreeing, must: 0 },
  { name: "sandbox's quotes a second", beside: "Prism", of: load("quotes"), higher: true },
  { name: "sandbox's transfers a second", beside: "Prism", of: load("transfers"), higher: true },
  { name: "sandbox's card sessions a second", beside: "Prism", of: load("sessions"), higher: true },
  { name: "sandbox's memory after the last request", beside: `after ${FILLED_BY}`, of: sandboxMemory, must: 1.25 },
];

/** Compares the variants within each round, as the machine's load hardly changes in one. */
function pairs(samples, variant, other, compare) {
  const [ours, theirs] = [samples?.[variant], samples?.[other]];
  if (!ours || !theirs) return undefined;
  const compared = ours.map((ms, at) => compare(ms, theirs[at]));
  return { ...summaryOf(compared), ours: medianOf(ours), theirs: medianOf(theirs) };
}

export function ratioOf(samples, variant, other) {
  return pairs(samples, variant, other, (ours, theirs) => ours / theirs);
}

export function moreOf(samples, variant, other) {
  return pairs(samples, variant, other, (ours, theirs) => SLOWER * (ours - theirs));
}

function wasmGrowth({ memory }) {
  return memory && { value: memory.at(-1).wasmPages - memory[0].wasmPages };
}

function taken({ refusals }) {
  return refusals && { value: refusals.differences.length };
}

function disagreeing({ disagreements }) {
  return disagreements && { value: disagreements.length };
}

function sandboxMemory({ sandboxMemory: watched }) {
  // Only since the log of requests and the kept quotes have reached their limits.
  if (watched?.samples[0].bytes === undefined || watched.samples[0].requests < FILLED_BY) return undefined;
  const [theirs, ours] = [watched.samples[0].bytes, watched.samples.at(-1).bytes];
  return { value: ours / theirs, ours, theirs };
}

// Each figure with its must, its aim and its recorded value.

/** A figure may be so much worse than recorded: machines differ, and one machine from hour to hour. */
export const MARGIN = 1.6;
/** After so many requests all bounded memory of the sandbox is in use. */
export const FILLED_BY = 50_000;

const contest = (name, variant, other) => ({ contests }) => ratioOf(contests?.[name], variant, other);
const cold = (variant, other) => ({ cold: samples }) => ratioOf(samples, variant, other);
const over = (network, variant, other) => ({ networks }) => ratioOf(networks?.[network], variant, other);

/** Lower is better, unless `higher` is set. */
const FIGURES = [
  { name: "cold page to first quote / hand-built mini", of: cold("sdk", "mini"), must: 1.3, aim: 1.05 },
  { name: "the same, with links in its head", of: cold("sdk links", "mini"), aim: 1.05 },
  { name: "cold page to first quote over 9 Mbit/s / hand-built mini", of: over("9 Mbit/s", "sdk", "mini"), must: 1.3 },
  { name: "the same over 9 Mbit/s, with links", of: over("9 Mbit/s", "sdk links", "mini"), must: 1.15 },
  { name: "cold page to first quote over 1.6 Mbit/s / hand-built mini", of: over("1.6 Mbit/s", "sdk", "mini"), must: 1.3, aim: 1.15 },
  { name: "the same over 1.6 Mbit/s, with links", of: over("1.6 Mbit/s", "sdk links", "mini"), must: 1.15, aim: 1.05 },
  { name: "cold page to card form READY over 1.6 Mbit/s / hand-built mini", of: over("1.6 Mbit/s", "sdk card", "mini card") },
  { name: "cold page to first transfer over 1.6 Mbit/s / hand-built mini", of: over("1.6 Mbit/s", "sdk transfer", "mini transfer") },
  { name: "first call of a part that idle time has fetched, over 9 Mbit/s / of one that was there", of: over("9 Mbit/s", "sdk late", "eager late"), must: 1.1 },
  { name: "create to first quote after preload() / hand-built mini", of: cold("sdk waits preloaded", "mini waits"), aim: 1.05 },
  { name: "warm quote / hand-built mini", of: contest("warm quote", "sdk", "mini"), must: 1.2, aim: 1 },
  { name: "10,000 repeating corridors / bare Response.json()", of: contest("corridors 10000 repeating", "sdk", "bare"), must: 1, aim: 0.4 },
  { name: "10,000 distinct corridors / hand-built mini", of: contest("corridors 10000 distinct", "sdk", "mini"), must: 0.7 },
  { name: "10,000 distinct corridors / bare Response.json()", of: contest("corridors 10000 distinct", "sdk", "bare"), aim: 1.05 },
  { name: "check of 50 right fields / hand-built mini", of: contest("form right", "sdk", "mini"), must: 0.5 },
  { name: "check of 50 wrong fields / hand-built mini", of: contest("form wrong", "sdk", "mini"), must: 0.5 },
  { name: "check of 50 right fields / a loop by hand", of: contest("form right", "sdk", "loop"), aim: 1 },
  { name: "check of 50 wrong fields / a loop by hand", of: contest("form wrong", "sdk", "loop"), aim: 1 },
  { name: "message to consumer / a plain async iterator", of: contest("message to iterator", "sdk", "hand-built"), must: 2, aim: 1 },
  { name: "message to listener / a plain listener", of: contest("message to listener", "sdk", "hand-built") },
  { name: "toMinorUnits / by hand", of: contest("toMinorUnits", "sdk", "plain") },
  { name: "formatAmount / by hand", of: contest("formatAmount", "sdk", "plain") },
  { name: "pages that wasm memory grew by in 100,000 calls", of: wasmGrowth, must: 0, isCount: true },
  { name: "malformed things that the SDK takes and hand-built refuses", of: taken, must: 0, isCount: true },
  { name: "results on which the variants disagree", of: ({ disagreements }) => disagreements && { value: disagreements.length }, must: 0, isCount: true },
  { name: "sandbox: quotes a second / Prism", of: load("quotes"), must: 10, aim: 30, higher: true },
  { name: "sandbox: transfers a second / Prism", of: load("transfers"), aim: 10, higher: true },
  { name: "sandbox: card sessions a second / Prism", of: load("sessions"), aim: 10, higher: true },
  { name: "sandbox: memory at the end of the requests / after the first", of: sandboxMemory, must: 1.25 },
];

/** Returns the median and spread of the rounds' ratios: the machine's load hardly changes within a round. */
export function ratioOf(samples, variant, other) {
  const [ours, theirs] = [samples?.[variant], samples?.[other]];
  if (!ours || !theirs) return undefined;
  const ratios = ours.map((ms, at) => ms / theirs[at]);
  return { value: medianOf(ratios), spread: quantilesOf(ratios) };
}

function wasmGrowth({ memory }) {
  return memory && { value: memory.at(-1).wasmPages - memory[0].wasmPages };
}

function taken({ refusals }) {
  return refusals && { value: refusals.differences.length };
}

function load(kind) {
  return ({ load: found }) => found && { value: found[kind].ratio, spread: found[kind].spread };
}

function sandboxMemory({ sandboxMemory: watched }) {
  // Only since the log of requests and the kept quotes have reached their limits.
  if (watched?.samples[0].bytes === undefined || watched.samples[0].requests < FILLED_BY) return undefined;
  return { value: watched.samples.at(-1).bytes / watched.samples[0].bytes };
}

/**
 * Returns `[{ name, value, spread?, must?, aim?, meetsMust?, meetsAim?, recorded?, isWorse? }]`.
 * @param recorded the values of the recorded run, by name @param timed whether times count
 */
export function judge(measured, recorded, timed) {
  return FIGURES.flatMap(({ name, of, must, aim, higher = false, isCount = false }) => {
    const found = of(measured);
    if (!found || !(timed || isCount)) return [];
    const { value } = found;
    const meets = (limit) => (higher ? value >= limit : value <= limit);
    const verdict = { name, ...found };
    if (must !== undefined) Object.assign(verdict, { must, meetsMust: meets(must) });
    if (aim !== undefined) Object.assign(verdict, { aim, meetsAim: meets(aim) });
    const before = recorded[name];
    if (before !== undefined && !isCount) {
      const isWorse = higher ? value < before / MARGIN : value > before * MARGIN;
      Object.assign(verdict, { recorded: before, isWorse });
    }
    return [{ ...verdict, ...(higher && { higher }) }];
  });
}

export function isClean(verdicts) {
  const isGood = ({ meetsMust = true, isWorse = false }) => meetsMust && !isWorse;
  return verdicts.length > 0 && verdicts.every(isGood);
}

/**
 * Values that the SDK accepts on purpose although a hand-written schema refuses them, each with the reason.
 * Any other value of this kind fails the run.
 */
const ON_PURPOSE = [
  {
    group: /^input of /,
    what: /^fields\.0\.value is (-1|a fraction)$/,
    reason: "the form that requests a field says which kind of value it takes, and checks the input next",
  },
];

/** Returns the counts of the page's refusals by group, and the rows that must not exist. */
export function refusalsOf(rows) {
  const groups = {};
  const differences = [];
  const onPurpose = [];
  for (const row of rows) {
    const { group, what, sdk, handBuilt, good } = row;
    const counts = { tried: 0, both: 0, "SDK alone": 0, "hand-built alone": 0, neither: 0 };
    const counted = (groups[group] ??= counts);
    counted.tried += 1;
    if (good) {
      // Refusing bad values proves nothing where good ones are refused, too.
      if (sdk || handBuilt) differences.push({ ...row, what: `${what}: good, and refused` });
      continue;
    }
    counted[sdk ? (handBuilt ? "both" : "SDK alone") : handBuilt ? "hand-built alone" : "neither"] += 1;
    if (sdk || !handBuilt) continue;
    const purpose = ON_PURPOSE.find((one) => one.group.test(group) && one.what.test(what));
    if (purpose) onPurpose.push({ group, what, reason: purpose.reason });
    else differences.push(row);
  }
  return { tried: rows.length, groups, differences, onPurpose };
}

export function medianOf(values) {
  return quantileOf(values, 0.5);
}

export function quantilesOf(values) {
  return { p25: quantileOf(values, 0.25), p75: quantileOf(values, 0.75) };
}

function quantileOf(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

// Rounds of samples: every round runs every contest, and every contest every variant, in random order.

/** How long one sample takes about, and how long a variant is warmed before the first. */
const SAMPLE_MS = 25;
const WARM_MS = 150;
const MOST = 5_000;

/** What draws on a `Chance` mixes a list. */
function shuffled(list, chance) {
  const left = [...list];
  return Array.from(list, () => left.splice(chance.between(0, left.length - 1), 1)[0]);
}

/**
 * @param contests by name `{ variants, sample(variant, count) }`
 * @returns by contest and variant the milliseconds of one operation, round by round
 */
export async function inRounds({ contests, rounds, chance, effort = 1, collect = () => {} }) {
  const counts = new Map();
  const samples = {};
  for (const [name, { variants, sample }] of Object.entries(contests)) {
    samples[name] = Object.fromEntries(variants.map((variant) => [variant, []]));
    for (const variant of variants) counts.set(`${name} ${variant}`, await warmed((count) => sample(variant, count), effort));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(Object.keys(contests), chance)) {
      const { variants, sample } = contests[name];
      for (const variant of shuffled(variants, chance)) {
        collect();
        samples[name][variant].push(await sample(variant, counts.get(`${name} ${variant}`)));
      }
    }
  }
  return samples;
}

/** Runs it until it is warm; gives how many operations make a sample. */
async function warmed(sample, effort) {
  let count = 1;
  let spent = 0;
  let each;
  do {
    const began = performance.now();
    await sample(count);
    const took = performance.now() - began;
    spent += took;
    each = took / count;
    count = Math.max(1, Math.min(MOST, count * 4, Math.round((SAMPLE_MS * effort) / Math.max(each, 0.000_1))));
  } while (spent < WARM_MS * effort);
  return count;
}

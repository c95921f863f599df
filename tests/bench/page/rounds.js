// Rounds of samples: every round runs every contest, and every contest every variant, in random order.

/** How long a sample takes approximately, and how long a variant is warmed up. */
const SAMPLE_MS = 25;
const WARM_MS = 150;
const MOST = 5_000;

function shuffled(list, chance) {
  const left = [...list];
  return Array.from(list, () => left.splice(chance.between(0, left.length - 1), 1)[0]);
}

/**
 * @param contests by name `{ variants, sample(variant, count) }`
 * @returns by contest and variant the milliseconds of one operation, round by round
 */
export async function inRounds({ contests, rounds, chance, effort }) {
  const counts = new Map();
  const samples = {};
  for (const [name, { variants, sample }] of Object.entries(contests)) {
    samples[name] = Object.fromEntries(variants.map((variant) => [variant, []]));
    for (const variant of variants) {
      counts.set(`${name} ${variant}`, await warmUp((count) => sample(variant, count), effort));
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(Object.keys(contests), chance)) {
      const { variants, sample } = contests[name];
      for (const variant of shuffled(variants, chance)) {
        globalThis.gc?.();
        samples[name][variant].push(await sample(variant, counts.get(`${name} ${variant}`)));
      }
    }
  }
  return samples;
}

/** Warms a variant up; returns the number of operations of a sample. */
async function warmUp(sample, effort) {
  let count = 1;
  let spent = 0;
  do {
    const began = performance.now();
    await sample(count);
    const took = performance.now() - began;
    spent += took;
    const fitting = Math.round((SAMPLE_MS * effort) / Math.max(took / count, 0.000_1));
    count = Math.max(1, Math.min(MOST, count * 4, fitting));
  } while (spent < WARM_MS * effort);
  return count;
}

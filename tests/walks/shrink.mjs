/** Returns the shortest steps, in so many tries, for which `found` holds; drops ever smaller parts. */
export async function shrink(steps, found, tries) {
  let kept = steps;
  for (let part = Math.ceil(kept.length / 2); part >= 1 && tries > 0; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < kept.length && tries > 0; ) {
      const shorter = [...kept.slice(0, from), ...kept.slice(from + part)];
      tries -= 1;
      if (shorter.length > 0 && (await found(shorter))) kept = shorter;
      else from += part;
    }
  }
  return kept;
}

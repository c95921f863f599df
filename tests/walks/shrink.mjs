/** Drops ever smaller parts of the steps while `isFound` holds for the rest, with `tries` at most. */
export async function shrink(steps, isFound, tries) {
  let kept = steps;
  for (let part = Math.floor(kept.length / 2); part >= 1; part = Math.floor(part / 2)) {
    for (let from = 0; from < kept.length && tries > 0; tries -= 1) {
      const shorter = kept.toSpliced(from, part);
      if (await isFound(shorter)) kept = shorter;
      else from += part;
    }
  }
  return kept;
}

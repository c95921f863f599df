/** The value below which a share of the list lies. */
export function quantileOf(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

export function medianOf(values) {
  return quantileOf(values, 0.5);
}

/** A quarter, and three. */
export function quantilesOf(values) {
  return { p25: quantileOf(values, 0.25), p75: quantileOf(values, 0.75) };
}

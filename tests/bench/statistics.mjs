// What samples of several rounds say together.

/** Returns the median and the quartiles. */
export function summaryOf(values) {
  return { value: medianOf(values), p25: quantileOf(values, 0.25), p75: quantileOf(values, 0.75) };
}

export function medianOf(values) {
  return quantileOf(values, 0.5);
}

function quantileOf(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

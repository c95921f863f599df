/** Adds a request that has just ended to the page's performance timeline. */
export function measure({ operation, attempt, status, durationMs }) {
  try {
    const end = performance.now();
    // Not before the page itself, whose clock may have been set.
    const start = Math.max(0, end - durationMs);
    performance.measure(`remitkit:${operation}`, { start, end, detail: { operation, attempt, status } });
  } catch {
    // Some engines lack it, or its options. `onDiagnostic` gets the same entry.
  }
}

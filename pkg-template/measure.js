/** Puts a request that has just ended into the page's own performance timeline, where there is one. */
export function measure({ operation, attempt, status, durationMs }) {
  try {
    const end = performance.now();
    // The page's clock may have been set meanwhile; nothing begins before the page.
    const start = Math.max(0, end - durationMs);
    performance.measure(`remitkit:${operation}`, { start, end, detail: { operation, attempt, status } });
  } catch {
    // An engine without it, or one that takes no options: the entry for `onDiagnostic` says the same.
  }
}

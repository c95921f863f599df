// A `Date` that is older than the last one by more than this comes from a cache.
const MAX_LATE_MS = 30_000;

// The service's time, by its replies: what it was when `performance.now()` was 0, and how far it was ahead of the
// device's. A page may read their `Date` if they come from its own origin or expose it.
let serviceOrigin;
let serviceAhead;

/**
 * Notes the `Date` of a reply that came within `sleptMs` of sleep. A cached reply has an old one, so the latest time
 * counts. The header has whole seconds: rounded up, what ends is never shown longer than it lasts.
 */
export function rememberTime(date, sleptMs) {
  const origin = Date.parse(date) + 1000 + sleptMs - performance.now();
  // An old one does not know whether the device has slept since the last.
  if (Number.isNaN(origin) || origin < serviceOrigin - MAX_LATE_MS) return;
  serviceOrigin = Math.max(serviceOrigin ?? origin, origin);
  serviceAhead = serviceOrigin + performance.now() - Date.now();
}

// Some devices stop `performance.now()` while they sleep, but never `Date.now()`, which may be set. The later counts.
const serviceNow = () => Math.max(serviceOrigin + performance.now(), serviceAhead + Date.now());

/** How much further the device's clock has gone than the one that may stand still while it sleeps, since `start`. */
export const sleptSince = (start) => Math.max(0, Date.now() - performance.now() - start);

/** Whether the service's replies have told its time; otherwise the device's, which may be wrong, counts. */
export function knowsTime() {
  return serviceOrigin !== undefined;
}

/**
 * Parses a date of the service to milliseconds since 1970 by the device's clock, however wrong that is. The
 * service writes up to 7 decimals of a second; browsers need not parse more than 3. A date without a zone is
 * UTC; browsers would read it as local time.
 */
export function timeOf(date) {
  const ahead = knowsTime() ? Math.round(serviceNow() - Date.now()) : 0;
  const exact = date.replace(/(\.\d{3})\d+/, "$1");
  return Date.parse(exact.replace(/^([\d-]+)[T ]([\d:.]+)$/i, "$1T$2Z")) - ahead;
}

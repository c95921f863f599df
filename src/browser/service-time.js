// The service's time when `performance.now()` was 0, by its replies: a page may read their `Date` if they
// come from its own origin or expose it.
let serviceOrigin;

// A cached reply has an old `Date`, so the latest time counts. The header has whole seconds: rounded up, what
// ends is never shown longer than it lasts.
export function noteTime(date) {
  const origin = Date.parse(date) + 1000 - performance.now();
  if (!Number.isNaN(origin)) {
    serviceOrigin = Math.max(serviceOrigin ?? origin, origin);
  }
}

/** Whether the service's replies have told its time; otherwise the device's, which may be wrong, counts. */
export function knowsTime() {
  return serviceOrigin !== undefined;
}

/**
 * Parses a date of the service to milliseconds since 1970 by the device's clock, however wrong that is. The
 * service writes up to 7 decimals of a second; browsers need not parse more than 3.
 */
export function timeOf(date) {
  const ahead = knowsTime() ? Math.round(serviceOrigin + performance.now() - Date.now()) : 0;
  return Date.parse(date.replace(/(\.\d{3})\d+/, "$1")) - ahead;
}

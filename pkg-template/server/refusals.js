import { serverFailure } from "./failure.js";

const PERIOD_MS = 60_000;
const MAX_REPORTED = 10;

/**
 * Returns a function that tells the operator of pages refused for their origin: each origin once in a minute,
 * and no more than ten, as anybody can send any.
 */
export function refusalReporter(onError, hasOrigins) {
  let reported = new Set();
  let until = -Infinity;
  return (exchange, context) => {
    const now = performance.now();
    if (now >= until) [reported, until] = [new Set(), now + PERIOD_MS];
    const origin = shown(exchange.header("origin"));
    if (reported.has(origin) || reported.size === MAX_REPORTED) return;
    reported.add(origin);
    const site = shown(exchange.header("sec-fetch-site"));
    const expected = hasOrigins ? "not in `origins`" : `not that of Host ${shown(exchange.host())}`;
    const message = `Refused a page: its Origin ${origin} is ${expected} (Sec-Fetch-Site ${site}).`;
    const hint = hasOrigins ? "" : " If the page is yours, set `origins`.";
    onError(serverFailure("AccessDenied", message + hint, { option: "origins" }), context);
  };
}

// What a log can take: anybody can send these.
function shown(header) {
  if (header === undefined) return "(none)";
  return /^[!-~]{1,200}$/.test(header) ? header : "(unreadable)";
}

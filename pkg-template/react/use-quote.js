import { useEffect, useState } from "react";
import { contentOf } from "../content.js";
import { checkClock, leftOf } from "../time.js";
import { useKitQuery } from "./use-query.js";

const DEBOUNCE_MS = 300;
// Pause before a refresh, and longer after failures: a service may return quotes that have ended.
const REFRESH_PAUSE_MS = 5000;
const MAX_REFRESH_PAUSE_MS = 60_000;

export function useQuote(request, { debounceMs = DEBOUNCE_MS, refreshExpired = false } = {}) {
  const key = request === null || request === undefined ? null : contentOf(request);
  const query = useKitQuery(key, (remit, options) => remit.quote(request, options), debounceMs);
  const { value: quote, error, isLoading, refetch, result } = query;
  const isExpired = useIsOver(quote);

  const pauseMs = Math.min(REFRESH_PAUSE_MS * 2 ** (result.failures ?? 0), MAX_REFRESH_PAUSE_MS);
  const isRested = useIsOlder(result, refreshExpired ? pauseMs : undefined);
  const isDue = isRested && isExpired && query.isCurrent && !isLoading;
  useEffect(() => {
    const refreshIfVisible = () => {
      if (!document.hidden) refetch();
      return Infinity;
    };
    return isDue ? checkClock(refreshIfVisible) : undefined;
  }, [isDue, refetch]);

  return {
    quote,
    error,
    isLoading,
    isExpired,
    isStale: quote !== undefined && (!query.isCurrent || isExpired),
    refresh: refetch,
  };
}

function useIsOver(quote) {
  const [over, setOver] = useState();
  useEffect(() => {
    const check = () => {
      const left = leftOf(quote) ?? Infinity;
      // Undefined again if the service's time turns out to be another.
      setOver(left > 0 ? undefined : quote);
      return left > 0 ? left : Infinity;
    };
    return quote === undefined ? undefined : checkClock(check);
  }, [quote]);
  return quote !== undefined && over === quote;
}

/**
 * Returns whether `ms` have passed since this result, by a timer, which setting the clock does not affect.
 */
function useIsOlder(result, ms) {
  const [old, setOld] = useState();
  useEffect(() => {
    const timer = ms === undefined ? undefined : setTimeout(() => setOld(result), ms);
    return () => clearTimeout(timer);
  }, [result, ms]);
  return ms !== undefined && old === result;
}

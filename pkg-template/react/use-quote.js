import { useEffect, useState } from "react";
import { contentOf } from "../content.js";
import { checkClock, timeOf } from "../time.js";
import { useKitQuery } from "./use-query.js";

const DEBOUNCE_MS = 300;
// If the page's clock is fast, every quote looks expired: pause before a refresh, and longer after failures.
const REFRESH_PAUSE_MS = 5000;
const MAX_REFRESH_PAUSE_MS = 60_000;

export function useQuote(request, { debounceMs = DEBOUNCE_MS, refreshExpired = false } = {}) {
  const key = request === null || request === undefined ? null : contentOf(request);
  const query = useKitQuery(key, (remit, options) => remit.quote(request, options), debounceMs);
  const { value: quote, error, isLoading, refetch, result } = query;
  const isExpired = useIsPast(timeOf(quote?.expirationDate));

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

function useIsPast(time) {
  const [past, setPast] = useState();
  useEffect(() => {
    const check = () => {
      const left = time - Date.now();
      // Undefined again if the clock is set back.
      setPast(left > 0 ? undefined : time);
      return left > 0 ? left : Infinity;
    };
    return time === undefined ? undefined : checkClock(check);
  }, [time]);
  return time !== undefined && past === time;
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

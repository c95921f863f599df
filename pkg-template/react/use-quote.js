import { useEffect, useState } from "react";
import { contentOf } from "../content.js";
import { keepLooking, timeOf } from "../time.js";
import { useRemitKit } from "./provider.js";
import { useAnswer } from "./use-answer.js";

const DEBOUNCE_MS = 300;
/**
 * Where the page's clock is ahead, every quote looks expired; it must not be asked for without end. After
 * failures it rests longer.
 */
const REFRESH_AFTER_MS = 5000;
const LONGEST_REST_MS = 60_000;

export function useQuote(request, { debounceMs = DEBOUNCE_MS, refreshExpired = false } = {}) {
  const kit = useRemitKit();
  const key = request === null || request === undefined ? null : contentOf(request);
  const asked = useAnswer(kit.remit, key, (remit, options) => remit.quote(request, options), debounceMs);
  const quote = asked.value;
  const isExpired = useIsPast(timeOf(quote?.expirationDate));
  const error = key === null ? undefined : (kit.error ?? asked.error);
  const isLoading = kit.error === undefined && asked.isLoading;

  const { again, answer } = asked;
  const restMs = Math.min(REFRESH_AFTER_MS * 2 ** (answer.failures ?? 0), LONGEST_REST_MS);
  const isRested = useIsRested(answer, refreshExpired ? restMs : undefined);
  const isDue = isRested && isExpired && asked.isCurrent && !isLoading && kit.error === undefined;
  useEffect(() => {
    // Nobody looks at what is hidden.
    const look = () => {
      if (!document.hidden) {
        again();
      }
      return Infinity;
    };
    return isDue ? keepLooking(look) : undefined;
  }, [isDue, again]);

  return {
    quote,
    error,
    isLoading,
    isExpired,
    isStale: quote !== undefined && (!asked.isCurrent || isExpired),
    refresh: again,
  };
}

function useIsPast(time) {
  const [past, setPast] = useState();
  useEffect(() => {
    const look = () => {
      const left = time - Date.now();
      // A clock that is put right takes back what it said.
      setPast(left > 0 ? undefined : time);
      return left > 0 ? left : Infinity;
    };
    return time === undefined ? undefined : keepLooking(look);
  }, [time]);
  return time !== undefined && past === time;
}

/** Whether so long has passed since this answer, by a timer, which goes on where the clock is set. */
function useIsRested(answer, ms) {
  const [rested, setRested] = useState();
  useEffect(() => {
    const timer = ms === undefined ? undefined : setTimeout(() => setRested(answer), ms);
    return () => clearTimeout(timer);
  }, [answer, ms]);
  return ms !== undefined && rested === answer;
}

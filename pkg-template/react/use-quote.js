import { useEffect, useState } from "react";
import { contentOf } from "../content.js";
import { timeOf, whenPast } from "../time.js";
import { useRemitKit } from "./provider.js";
import { useAnswer } from "./use-answer.js";

const DEBOUNCE_MS = 300;
/** Where the page's clock is ahead, every quote looks expired; it must not be asked for without end. */
const REFRESH_AFTER_MS = 5000;

export function useQuote(request, { debounceMs = DEBOUNCE_MS, refreshExpired = false } = {}) {
  const kit = useRemitKit();
  const key = request === null || request === undefined ? null : contentOf(request);
  const asked = useAnswer(kit.remit, key, (remit, options) => remit.quote(request, options), debounceMs);
  const quote = asked.value;
  const isExpired = useIsPast(timeOf(quote?.expirationDate));
  const error = key === null ? undefined : (kit.error ?? asked.error);
  const isLoading = kit.error === undefined && asked.isLoading;

  const { again, answeredAt } = asked;
  const isDue = refreshExpired && isExpired && asked.isCurrent && !isLoading && error === undefined;
  useEffect(
    () => (isDue ? whenPast(answeredAt + REFRESH_AFTER_MS, again, { isForEyes: true }) : undefined),
    [isDue, answeredAt, again],
  );

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
  useEffect(() => (time === undefined ? undefined : whenPast(time, () => setPast(time))), [time]);
  return time !== undefined && past === time;
}

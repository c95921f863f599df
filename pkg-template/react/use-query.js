import { useCallback, useEffect, useState } from "react";
import { useRemitKit } from "./provider.js";

const NONE = {};

/**
 * Fetches the result of a query that may change while it is being fetched. Each fetch has a query object of its
 * own, and only the current one's result counts.
 *
 * `source` is the kit or form to ask, if it is there yet. `key` is the content of the query; null fetches
 * nothing.
 *
 * @returns `value`, the latest from this source, and whether it is for this key (`isCurrent`); `error`;
 * `isLoading`; `refetch`.
 */
export function useQuery(source, key, fetch) {
  const [latest, setQuery] = useState({ source, key });
  const [result, setResult] = useState(NONE);
  let query = latest;
  if (latest.source !== source || latest.key !== key) {
    query = { source, key };
    setQuery(query);
  }

  useEffect(() => {
    if (source === undefined || key === null) {
      setResult(NONE);
      return undefined;
    }
    // When an <Activity> is shown again, keep what is on the screen.
    if (query.isAnswered) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const settle = (change) => {
      if (!signal.aborted) setResult((before) => ({ ...change(before), query }));
    };
    // A timer even without delay, so that StrictMode's first pass fetches nothing before it is undone.
    const timer = setTimeout(async () => {
      try {
        const value = await fetch(source, { signal });
        query.isAnswered = !signal.aborted;
        settle(() => ({ value, source, key }));
      } catch (error) {
        // A failed refetch keeps the earlier value.
        settle((before) => ({ ...(before.source === source && before.key === key ? before : NONE), error }));
      }
    });
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // `fetch` is that of the render that created the query.
  }, [query]);

  const refetch = useCallback(() => setQuery((last) => ({ ...last, isAnswered: false })), []);
  const isSettled = result.query === query;
  const isOfSource = key !== null && result.source === source;
  return {
    value: isOfSource ? result.value : undefined,
    isCurrent: isOfSource && result.key === key,
    error: isSettled ? result.error : undefined,
    isLoading: key !== null && !isSettled,
    refetch,
  };
}

/** Fetches from the provider's kit, whose own error is then that of the query. */
export function useKitQuery(key, fetch) {
  const kit = useRemitKit();
  const query = useQuery(kit.remit, key, fetch);
  return {
    ...query,
    error: key === null ? undefined : (kit.error ?? query.error),
    isLoading: kit.error === undefined && query.isLoading,
  };
}

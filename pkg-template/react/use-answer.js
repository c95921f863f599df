import { useCallback, useEffect, useState } from "react";

const NONE = {};

/**
 * The answer to a question that may change while it is asked, such as a quote for what is being typed. Every
 * asking is an object of its own, and an answer counts for its own asking alone, so an older one never takes
 * the place of a newer.
 *
 * `source` is whom to ask; undefined while there is nobody yet. `key` is the question's content, null if
 * there is none. `ask(source, { signal })` asks.
 *
 * @returns `value`, the last answer of this source, and whether it answers this question (`isCurrent`);
 * `error`; `isLoading`; `answer`, another one each time, with `failures`, how many have followed each other;
 * `again` asks once more.
 */
export function useAnswer(source, key, ask, debounceMs = 0) {
  const [kept, keep] = useState({ source, key, isTyped: false });
  const [answer, setAnswer] = useState(NONE);
  let asking = kept;
  if (kept.source !== source || kept.key !== key) {
    asking = { source, key, isTyped: kept.source === source && kept.key !== null };
    keep(asking);
  }

  useEffect(() => {
    if (source === undefined || key === null) {
      setAnswer(NONE);
      return undefined;
    }
    // Shown again, as in an <Activity>: what is on the screen is not replaced behind the customer's back.
    if (asking.isAnswered) {
      return undefined;
    }
    const { signal, abort } = aborting();
    const settle = (more) => {
      if (!signal.aborted) {
        setAnswer((before) => ({ ...more(before), asking }));
      }
    };
    // By a timer also without delay, so that StrictMode's first pass has asked nothing when it is undone.
    const timer = setTimeout(
      async () => {
        try {
          const value = await ask(source, { signal });
          asking.isAnswered = !signal.aborted;
          settle(() => ({ value, source, key }));
        } catch (error) {
          // Asked once more for the same, what was answered before still stands.
          settle((before) => ({
            ...(before.source === source && before.key === key ? before : NONE),
            error,
            failures: (before.failures ?? 0) + 1,
          }));
        }
      },
      asking.isTyped ? debounceMs : 0,
    );
    return () => {
      clearTimeout(timer);
      abort();
    };
    // `ask` and the delay belong to the asking that they came with.
  }, [asking]);

  const again = useCallback(() => keep((last) => ({ ...last, isTyped: false, isAnswered: false })), []);
  const isAnswered = answer.asking === asking;
  const isOfSource = key !== null && answer.source === source;
  return {
    value: isOfSource ? answer.value : undefined,
    isCurrent: isOfSource && answer.key === key,
    error: isAnswered ? answer.error : undefined,
    isLoading: key !== null && !isAnswered,
    answer,
    again,
  };
}

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

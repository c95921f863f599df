import { useEffect, useState } from "react";
import { checkClock, leftOf } from "../quote/time.js";
import { useLatest } from "./use-latest.js";

const NONE = {};

export function useSecondsLeft(of) {
  const latest = useLatest(of);
  const date = of?.expirationDate;
  const [shown, setShown] = useState(NONE);
  useEffect(() => {
    if (date === undefined || date === null) return undefined;
    return checkClock(() => {
      // Read it again: renewing a form changes its expiry without a render.
      const date = latest.current?.expirationDate;
      const left = leftOf(latest.current);
      const seconds = left === undefined ? undefined : Math.ceil(left / 1000);
      setShown((last) => (last.date === date && last.seconds === seconds ? last : { date, seconds }));
      // Until the next second begins, so that none is skipped.
      return (left ?? 0) % 1000 || 1000;
    });
  }, [date, latest]);
  return date !== undefined && shown.date === date ? shown.seconds : undefined;
}

import { useEffect, useState } from "react";
import { keepLooking, timeOf } from "../time.js";
import { useLatest } from "./use-latest.js";

const NONE = {};

export function useSecondsLeft(of) {
  const latest = useLatest(of);
  const date = of?.expirationDate;
  const [told, tell] = useState(NONE);
  useEffect(() => {
    if (date === undefined || date === null) {
      return undefined;
    }
    return keepLooking(() => {
      // Read each time, as a form that is renewed ends later without being rendered again. What is given up
      // is gone before the effect is.
      const date = latest.current?.expirationDate;
      const expiresAt = timeOf(date);
      const left = expiresAt === undefined ? undefined : Math.max(0, expiresAt - Date.now());
      const seconds = left === undefined ? undefined : Math.ceil(left / 1000);
      tell((last) => (last.date === date && last.seconds === seconds ? last : { date, seconds }));
      // To where the next second begins, so that none is skipped.
      return (left ?? 0) % 1000 || 1000;
    });
  }, [date, latest]);
  return date !== undefined && told.date === date ? told.seconds : undefined;
}

import { useEffect, useState } from "react";
import { timeOf, whenPast } from "../time.js";
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
    let stop;
    const look = () => {
      // Read each time, as a form that is renewed ends later without being rendered again.
      const date = latest.current.expirationDate;
      const expiresAt = timeOf(date);
      const left = expiresAt === undefined ? undefined : Math.max(0, expiresAt - Date.now());
      const seconds = left === undefined ? undefined : Math.ceil(left / 1000);
      tell((last) => (last.date === date && last.seconds === seconds ? last : { date, seconds }));
      // To where the next second begins, so that none is skipped.
      stop = whenPast(Date.now() + ((left ?? 0) % 1000 || 1000), look);
    };
    look();
    return () => stop();
  }, [date, latest]);
  return date !== undefined && told.date === date ? told.seconds : undefined;
}

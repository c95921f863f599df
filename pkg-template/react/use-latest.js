import { useInsertionEffect, useRef } from "react";

/**
 * What the newest render was given, for effects and listeners. An insertion effect is done before every
 * other, and a server has no word to say about it.
 */
export function useLatest(value) {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

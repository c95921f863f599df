import { useInsertionEffect, useRef } from "react";

/**
 * Keeps the value of the latest render for effects and listeners. Insertion effects run before all others.
 */
export function useLatest(value) {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

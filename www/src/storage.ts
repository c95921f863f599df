type StorageName = "localStorage" | "sessionStorage";

/** Returns a stored value; undefined if there is none, it is no JSON, or the storage is blocked. */
export function readStored(storage: StorageName, key: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value; `undefined` removes it. */
export function writeStored(storage: StorageName, key: string, value: unknown): void {
  try {
    if (value === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // The storage is blocked or full: the value does not survive a reload.
  }
}

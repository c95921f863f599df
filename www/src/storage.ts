type StorageName = "localStorage" | "sessionStorage";

/** Returns what was kept; nothing where storage is closed to this page, or holds what an older page wrote. */
export function readStored(storage: StorageName, key: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value as long as the storage does; `undefined` removes it. */
export function writeStored(storage: StorageName, key: string, value: unknown): void {
  try {
    if (value === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // As above: then a reload knows nothing of it.
  }
}

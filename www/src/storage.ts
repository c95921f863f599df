type StorageName = "localStorage" | "sessionStorage";

/** Returns a stored value; undefined if there is none, it is no JSON, or the storage is blocked. */
export function readStored(storage: StorageName, key: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether this browser stores what a page needs to find a transfer again. Some private windows don't. */
export async function keepsTransfers(): Promise<boolean> {
  try {
    window.localStorage.getItem("shop-sent");
    const request = indexedDB.open("shop-probe");
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve;
      request.onerror = reject;
    });
    request.result.close();
    return true;
  } catch {
    return false;
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

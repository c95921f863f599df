/** Keeps attempts as long as the page. */
export function memoryJournal() {
  const attempts = new Map();
  return {
    get: async (key) => attempts.get(key),
    set: async (key, value) => void attempts.set(key, value),
    delete: async (key) => void attempts.delete(key),
    keys: async () => [...attempts.keys()],
  };
}

/** Keeps attempts in `sessionStorage`, which survives a reload; in memory if that is missing or blocked. */
export function sessionJournal() {
  const storage = tabStorage();
  if (!storage) return memoryJournal();
  return {
    get: async (key) => storage.getItem(key) ?? undefined,
    set: async (key, value) => storage.setItem(key, value),
    delete: async (key) => storage.removeItem(key),
    keys: async () => Array.from({ length: storage.length }, (_, index) => storage.key(index)),
  };
}

function tabStorage() {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

import { localJournal } from "./local-journal.js";
import { invalid } from "./transfer-imports.js";

const CODE = "InvalidConfiguration";
const MAX_KEYS = 10_000;
// Enough for the longest body, escaped twice, with its envelope.
const MAX_ENTRY_LENGTH = 4_000_000;

const JOURNALS = { session: sessionJournal, local: localJournal, memory: memoryJournal };

/** Opens the journal that `readOptions` returned: a name, or the functions of the page's own store. */
export function openJournal(journal) {
  if (typeof journal === "string") return JOURNALS[journal]();
  const [get, set, remove, keys] = journal;
  return {
    get: async (key) => readEntry(await get(key)),
    set: async (key, value) => void (await set(key, value)),
    delete: async (key) => void (await remove(key)),
    keys: async () => readKeys(await keys()),
  };
}

// Counts, as the page's iterator may be endless.
function readKeys(iterable) {
  const keys = [];
  for (const key of iterable) {
    if (keys.push(key) > MAX_KEYS) {
      throw invalid(CODE, "journal.keys", `a function that gives no more than ${MAX_KEYS} keys`);
    }
  }
  return keys.filter((key) => typeof key === "string");
}

function readEntry(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") {
    throw invalid(CODE, "journal.get", "a function that gives back the string which was set");
  }
  // Ignore what this package cannot have written.
  return value.length > MAX_ENTRY_LENGTH ? undefined : value;
}

/** Keeps attempts as long as the page. */
function memoryJournal() {
  const attempts = new Map();
  return {
    get: async (key) => attempts.get(key),
    set: async (key, value) => void attempts.set(key, value),
    delete: async (key) => void attempts.delete(key),
    keys: async () => [...attempts.keys()],
  };
}

/** Keeps attempts in `sessionStorage`, which survives a reload; in memory if that is missing or blocked. */
function sessionJournal() {
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

import { localJournal } from "./local-journal.js";
import { invalid } from "./transfer-imports.js";

const CODE = "InvalidConfiguration";
const MAX_KEYS = 100_000;
// Enough for the longest body, escaped twice, with its envelope.
const MAX_ENTRY_LENGTH = 4_000_000;

const STORES = { session: sessionStore, local: localJournal, memory: () => new Map() };

/** Opens the journal that `readOptions` returned: a name, or the page's own store. */
export function openJournal(journal) {
  const store = typeof journal === "string" ? STORES[journal]() : journal;
  return {
    get: async (key) => readEntry(await store.get(key)),
    set: async (key, value) => void (await store.set(key, value)),
    delete: async (key) => void (await store.delete(key)),
    keys: async () => readKeys(await store.keys()),
  };
}

// Counts, as the page's iterator may be endless. What is no list of keys must not be taken for an empty one:
// an open transfer would be forgotten, and the customer would pay again.
function readKeys(iterable) {
  const keys = [];
  let count = 0;
  for (const key of typeof iterable === "string" ? undefined : iterable) {
    count += 1;
    if (count > MAX_KEYS) {
      throw invalid(CODE, "journal.keys", `a function that gives no more than ${MAX_KEYS} keys`);
    }
    if ((key ?? undefined) === undefined) throw invalid(CODE, "journal.keys", "a function that gives keys");
    // A page's own store may hold keys of other types.
    if (typeof key === "string") keys.push(key);
  }
  return keys;
}

function readEntry(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") {
    throw invalid(CODE, "journal.get", "a function that gives back the string which was set");
  }
  // Ignore what this package cannot have written.
  return value.length > MAX_ENTRY_LENGTH ? undefined : value;
}

/** Returns `sessionStorage`, which survives a reload, as a store; memory if that is missing or blocked. */
function sessionStore() {
  const storage = tabStorage();
  if (!storage) return new Map();
  return {
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    delete: (key) => storage.removeItem(key),
    *keys() {
      for (let index = 0; index < storage.length; index += 1) yield storage.key(index);
    },
  };
}

function tabStorage() {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

const ATTEMPTS = "attempts";
// Less than a journal call's timeout, so that nothing runs after its caller has seen a failure.
const OPENING_TIMEOUT_MS = 25_000;

// The errors of a browser or a policy that permits no database, as in some private windows. Any other error
// may pass, and memory in its place would hide the attempts that the database holds.
const FORBIDDEN = ["InvalidStateError", "NotSupportedError", "ReferenceError", "SecurityError", "TypeError"];

/**
 * Keeps attempts in IndexedDB, which all tabs of the origin share. Unlike localStorage, it can wait until the
 * data is on disk, so that an attempt survives a crash of the browser. Where the browser permits no database,
 * it is the page's memory. `name` is the database's.
 */
export function localJournal(name) {
  let opening;
  let hasOpened = false;
  let memory;

  async function connect() {
    opening ??= open(name, () => {
      opening = undefined;
    });
    try {
      const database = await opening;
      hasOpened = true;
      return database;
    } catch (error) {
      opening = undefined;
      if (hasOpened || !isForbidden(error)) throw error;
      memory ??= new Map();
      return undefined;
    }
  }

  async function run(mode, work, inMemory) {
    const database = memory === undefined ? await connect() : undefined;
    if (database === undefined) return inMemory(memory);
    try {
      const transaction = database.transaction(ATTEMPTS, mode, { durability: "strict" });
      const request = work(transaction.objectStore(ATTEMPTS));
      return await new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      // Some browsers drop connections silently, as in the background: the next use opens another.
      opening = undefined;
      throw error;
    }
  }

  return {
    get: (key) => run("readonly", (attempts) => attempts.get(key), (map) => map.get(key)),
    set: (key, value) =>
      run("readwrite", (attempts) => attempts.put(value, key), (map) => map.set(key, value)),
    delete: (key) => run("readwrite", (attempts) => attempts.delete(key), (map) => map.delete(key)),
    keys: () => run("readonly", (attempts) => attempts.getAllKeys(), (map) => [...map.keys()]),
  };
}

function isForbidden(error) {
  // Chromium reports a setting of the customer as an UnknownError.
  return FORBIDDEN.includes(error?.name) || /denied/i.test(error?.message);
}

// Calls `forget` when the connection becomes unusable.
function open(name, forget) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    const timer = setTimeout(() => {
      // Another tab may be waiting for this connection to close.
      request.onsuccess = () => request.result.close();
      reject();
    }, OPENING_TIMEOUT_MS);
    request.onupgradeneeded = () => request.result.createObjectStore(ATTEMPTS);
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      database.onclose = forget;
      // Another tab has a newer version of the package, or the customer clears the site's data.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

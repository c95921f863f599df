const DATABASE = "remitkit";
const ATTEMPTS = "attempts";
// Less than a journal call's timeout, so that nothing runs after its caller has seen a failure.
const OPENING_TIMEOUT_MS = 25_000;

/**
 * Keeps attempts in IndexedDB, which all tabs of the origin share. Unlike localStorage, it can wait until the
 * data is on disk, so that an attempt survives a crash of the browser.
 */
export function localJournal() {
  let opening;

  async function run(mode, work) {
    try {
      opening ??= open(() => {
        opening = undefined;
      });
      const database = await opening;
      const transaction = database.transaction(ATTEMPTS, mode, { durability: "strict" });
      const request = work(transaction.objectStore(ATTEMPTS));
      return await new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      // Some browsers drop connections silently, as in the background: open another next time.
      opening = undefined;
      throw error;
    }
  }

  return {
    get: (key) => run("readonly", (attempts) => attempts.get(key)),
    set: (key, value) => run("readwrite", (attempts) => attempts.put(value, key)),
    delete: (key) => run("readwrite", (attempts) => attempts.delete(key)),
    keys: () => run("readonly", (attempts) => attempts.getAllKeys()),
  };
}

// Calls `forget` when the connection becomes unusable.
function open(forget) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
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

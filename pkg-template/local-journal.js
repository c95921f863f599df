// The journal that every tab of the origin shares and that outlives them all. IndexedDB and not localStorage:
// only it can be told to wait until the disk has what it was given, so that an attempt is not forgotten when
// the browser itself goes down.

const DATABASE = "remitkit";
const ATTEMPTS = "attempts";
// Less than a use is given, so that what its caller was told has failed is not done afterwards.
const OPENING_TIMEOUT_MS = 25_000;

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
      // A browser may also lose a connection without a word, as some do in the background.
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

// `forget` is called when this connection can no longer be used: the next use opens another.
function open(forget) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    const timer = setTimeout(() => {
      // Somebody else may wait for the connection to be closed.
      request.onsuccess = () => request.result.close();
      reject();
    }, OPENING_TIMEOUT_MS);
    request.onupgradeneeded = () => request.result.createObjectStore(ATTEMPTS);
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      database.onclose = forget;
      // Another tab has a newer version of this package, or the customer clears the site's data.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

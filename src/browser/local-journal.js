const ATTEMPTS = "attempts";
// How long a use of the database may take: a customer is waiting.
const LIMIT_MS = 2200;
// How long each of its steps may take at least, and a use just after one that was given up: with its repetition, a use
// ends within three seconds.
const STEP_LIMIT_MS = 250;
const JUST_AFTER_MS = 1000;

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
  // When a use was given up, by `performance.now()`.
  let gaveUpAt = -Infinity;

  /** Waits for an answer of the database to a use that began at `start`; `giveUp` ends what is too late. */
  function inTime(answer, start, giveUp) {
    const now = performance.now();
    const rest = now - gaveUpAt < JUST_AFTER_MS ? 0 : start + LIMIT_MS - now;
    const limit = Math.max(rest, STEP_LIMIT_MS);
    return new Promise((resolve, reject) => {
      const end = () => {
        gaveUpAt = performance.now();
        reject();
        giveUp?.();
      };
      // In two halves: in a page that was frozen, timers may precede the answers.
      let timer = setTimeout(() => (timer = setTimeout(end, limit / 2)), limit / 2);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  function open() {
    const request = openDatabase(name);
    const own = { database: inTime(request, performance.now()) };
    const forget = () => {
      if (opening === own) opening = undefined;
    };
    request.then((database) => {
      hasOpened = true;
      own.database = request;
      // One that was given up serves the next uses, unless another does.
      opening ??= own;
      // Another tab may be waiting for this connection to close.
      if (opening !== own) return database.close();
      database.onclose = forget;
      // Another tab has a newer version of the package, or the customer clears the site's data.
      database.onversionchange = () => {
        database.close();
        forget();
      };
    }, () => {});
    return own;
  }

  async function connect() {
    const own = (opening ??= open());
    try {
      return await own.database;
    } catch (error) {
      if (opening === own) opening = undefined;
      if (hasOpened || !isForbidden(error)) throw error;
      memory ??= new Map();
      return undefined;
    }
  }

  async function run(mode, work, inMemory) {
    const start = performance.now();
    const database = memory === undefined ? await connect() : undefined;
    if (database === undefined) return inMemory(memory);
    try {
      const transaction = database.transaction(ATTEMPTS, mode, { durability: "strict" });
      const request = work(transaction.objectStore(ATTEMPTS));
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
      return await inTime(done, start, () => abort(transaction));
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

// What is refused must not be written later. A transaction that is being committed cannot be aborted any more.
function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // The client reads what was written.
  }
}

function openDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(ATTEMPTS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

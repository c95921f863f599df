// The locks that are requested or held.
const locks = new Set();
// The last request for each name in this page, where there are no Web Locks.
const turns = new Map();

/**
 * A lock that one page of an origin holds at a time, until `release` or until the page goes away. Without Web
 * Locks (outside a secure context, in an old browser) only the requests of this page exclude each other.
 */
export class Lock {
  #controller = new AbortController();
  #release;

  constructor(name) {
    locks.add(this);
    const { signal } = this.#controller;
    /** Resolves once the lock is held, or was given up. */
    this.granted = new Promise((resolve) => {
      this.#release = resolve;
      const work = () =>
        new Promise((release) => {
          // Given up at the moment of the grant.
          if (signal.aborted) return release();
          this.#release = release;
          resolve();
        });
      const request = async () => navigator.locks.request(name, { signal }, work);
      // Once given up, `work` releases at once; any other rejection means that there are no Web Locks.
      request().catch(() => inTurn(name, work));
    });
  }

  /** Releases the lock, or gives up the request for it. */
  release() {
    locks.delete(this);
    this.#controller.abort();
    this.#release();
  }
}

/** Releases all locks, after a crash of the module that held them. */
export function releaseLocks() {
  locks.forEach((lock) => lock.release());
}

function inTurn(name, work) {
  const turn = Promise.resolve(turns.get(name))
    .then(work, work)
    .finally(() => turns.get(name) === turn && turns.delete(name));
  turns.set(name, turn);
}

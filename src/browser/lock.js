/**
 * A lock that one page of an origin holds at a time. `release` lets go of it, or no longer waits for it; so it is when the page
 * goes away. Where there are no Web Locks (outside a secure context, in an old browser) it is granted at once.
 */
export class PageLock {
  constructor(name) {
    const controller = new AbortController();
    this.granted = new Promise((grant) => {
      const held = new Promise((release) => {
        this.release = () => {
          controller.abort();
          release();
        };
      });
      const locks = globalThis.navigator?.locks;
      if (!locks) {
        grant();
        return;
      }
      const work = () => {
        grant();
        return held;
      };
      // What rejects once it was given up is nobody's error; what rejects otherwise is no lock.
      locks.request(name, { signal: controller.signal }, work).catch(grant);
    });
  }
}

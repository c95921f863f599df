// The page's locks, in this process: another one grants real locks, in a time that the clock here can't see.

export class Locks {
  #queues = new Map();

  install(navigator = globalThis.navigator) {
    Object.defineProperty(navigator, "locks", { value: this, configurable: true });
  }

  /** As the page's own, for a lock that one holds. */
  request(name, { signal }, work) {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const waiting = {
        isHeld: false,
        run: async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          }
          this.#leave(name, waiting);
        },
      };
      signal.addEventListener("abort", () => {
        if (waiting.isHeld) return;
        this.#leave(name, waiting);
        reject(signal.reason);
      });
      queue.push(waiting);
      queueMicrotask(() => this.#grant(name));
    });
  }

  #leave(name, waiting) {
    const queue = this.#queues.get(name);
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#queues.delete(name);
    else this.#grant(name);
  }

  #grant(name) {
    const [first] = this.#queues.get(name) ?? [];
    if (first === undefined || first.isHeld) return;
    first.isHeld = true;
    first.run();
  }
}

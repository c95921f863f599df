import { serverFailure } from "./failure.js";
import { isCloudflareWorker } from "./flights.js";

/** Lets at most `limit` pieces of work run at a time; the others wait in line. */
export class Limiter {
  #limit;
  #closing;
  #running = 0;
  #waiting = new Set();

  constructor(limit, closing) {
    this.#limit = limit;
    this.#closing = closing;
  }

  /** Runs `work(leftMs)`, with what is left of `ms` after the wait, which takes no longer than that. */
  async run(work, ms) {
    // A request of a Worker cannot resume another's.
    if (isCloudflareWorker()) return work(ms);
    const startedAt = performance.now();
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#turn(ms);
    try {
      return await work(Math.max(ms - (performance.now() - startedAt), 1));
    } finally {
      this.#pass();
    }
  }

  // Hands the place to the next in line, so that no newcomer takes it in between.
  #pass() {
    const [next] = this.#waiting;
    this.#waiting.delete(next);
    if (next === undefined) this.#running -= 1;
    else next();
  }

  async #turn(ms) {
    let timer;
    let release;
    await new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      const giveUp = (error) => {
        this.#waiting.delete(resolve);
        reject(error);
      };
      timer = setTimeout(() => {
        const message = `${this.#limit} other token requests are under way (maxConcurrent).`;
        giveUp(serverFailure("Timeout", message, { option: "maxConcurrent" }));
      }, ms);
      release = this.#closing.onClose((error) => giveUp(error));
    }).finally(() => {
      clearTimeout(timer);
      release();
    });
  }
}

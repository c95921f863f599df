import { serverFailure } from "./failure.js";
import { isCloudflareWorker } from "./flights.js";

/**
 * Lets at most `limit` pieces of work run at a time; the others wait in line. Work for those whose last one
 * failed gets at most half of the places, and none that others wait for: what gets no answer keeps its place
 * until its time is up.
 */
export class Limiter {
  #limit;
  #closing;
  #running = 0;
  #failingRunning = 0;
  #waiting = new Set();
  #failingWaiting = new Set();

  constructor(limit, closing) {
    this.#limit = limit;
    this.#closing = closing;
  }

  /** Runs `work(leftMs)`, with what is left of `ms` after the wait, which takes no longer than that. */
  async run(work, ms, isFailing = false) {
    // A request of a Worker cannot resume another's.
    if (isCloudflareWorker()) return work(ms);
    const startedAt = performance.now();
    if (this.#hasPlace(isFailing)) this.#take(isFailing);
    else await this.#turn(ms, isFailing);
    try {
      return await work(Math.max(ms - (performance.now() - startedAt), 1));
    } finally {
      this.#running -= 1;
      if (isFailing) this.#failingRunning -= 1;
      this.#pass();
    }
  }

  #hasPlace(isFailing) {
    const hasShare = !isFailing || this.#failingRunning < this.#shareOf(isFailing);
    return hasShare && this.#running < this.#limit;
  }

  #shareOf(isFailing) {
    return isFailing ? Math.ceil(this.#limit / 2) : this.#limit;
  }

  #take(isFailing) {
    this.#running += 1;
    if (isFailing) this.#failingRunning += 1;
  }

  // Hands the place to the next in line at once, so that no newcomer takes it in between.
  #pass() {
    const isFailing = this.#waiting.size === 0;
    const line = isFailing ? this.#failingWaiting : this.#waiting;
    const [next] = line;
    if (next === undefined || !this.#hasPlace(isFailing)) return;
    line.delete(next);
    this.#take(isFailing);
    next();
  }

  async #turn(ms, isFailing) {
    const line = isFailing ? this.#failingWaiting : this.#waiting;
    let timer;
    let release;
    await new Promise((resolve, reject) => {
      line.add(resolve);
      const giveUp = (error) => {
        line.delete(resolve);
        reject(error);
      };
      timer = setTimeout(() => {
        const message = `${this.#shareOf(isFailing)} other token requests are under way (maxConcurrent).`;
        giveUp(serverFailure("Timeout", message, { option: "maxConcurrent" }));
      }, ms);
      release = this.#closing.onClose((error) => giveUp(error));
    }).finally(() => {
      clearTimeout(timer);
      release();
    });
  }
}

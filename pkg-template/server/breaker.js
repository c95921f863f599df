import { isCloudflareWorker } from "./flights.js";
import { Memory } from "./memory.js";
import { CLIENT, Outage } from "./outage.js";
import { Streak } from "./streak.js";

const REMEMBERED_MS = 600_000;
// For a turn as a probe, or for another's answer. Each waits in a place of the limiter.
const MAX_WAIT_MS = 5_000;
const MAX_WAITING = 20;

/**
 * A circuit breaker for the token endpoint. A sender whose requests keep failing has pauses of its own: they
 * fail at once, and one after each pause tries again. Other senders' requests do so only during an `Outage`.
 */
export class Breaker {
  #streaks = new Memory();
  #outage = new Outage();
  #answeredAt = -Infinity;
  #waiting = new Set();

  /** Returns whether this sender's last request failed. */
  isFailing(name) {
    return this.#streaks.get(name) !== undefined;
  }

  isOpenFor(name) {
    return this.#currentOutage().isOpen || this.#streaks.get(name)?.pausedMs > 0;
  }

  /** Runs `work(leftMs)` for a sender, with what is left of `ms`. */
  async run(name, work, ms) {
    const until = performance.now() + ms;
    await this.#admit(name, Math.min(ms, MAX_WAIT_MS));
    const startedAt = performance.now();
    try {
      const result = await work(Math.max(until - startedAt, 1));
      this.#noteAnswer(name);
      return result;
    } catch (error) {
      if (isFailure(error)) this.#noteFailure(name, error, startedAt);
      else if (isAnswer(error)) this.#noteAnswer(name);
      throw error;
    }
  }

  /** Resolves once a request may be sent; rejects if it must not be. */
  async #admit(name, ms) {
    const until = performance.now() + ms;
    while (!this.#isAdmitted(name)) {
      const outage = this.#currentOutage();
      const waitMs = Math.min(outage.freshMs, until - performance.now());
      // A request of a Worker cannot resume another's.
      const mayWait = !this.isFailing(name) && this.#waiting.size < MAX_WAITING && !isCloudflareWorker();
      if (!mayWait || waitMs <= 0) throw outage.refusal();
      await this.#change(waitMs);
    }
  }

  #isAdmitted(name) {
    const streak = this.#streaks.get(name);
    if (streak?.pausedMs > 0) throw streak.refusal(name === CLIENT ? " for the client" : " for this sender");
    const outage = this.#currentOutage();
    if (outage.isOpen && (streak?.isIsolated || !outage.beginProbe(name, streak === undefined))) return false;
    if (streak?.isLasting) streak.pause();
    return true;
  }

  #noteAnswer(name) {
    // What failed while others got answers has a trouble of its own, and says nothing of the endpoint.
    for (const other of this.#outage.few) {
      const streak = this.#streaks.get(other);
      if (streak !== undefined) streak.isIsolated = true;
    }
    this.#streaks.delete(name);
    this.#outage = new Outage();
    this.#answeredAt = performance.now();
    for (const wake of this.#waiting) wake();
  }

  #noteFailure(name, error, startedAt) {
    const streak = this.#streaks.get(name) ?? new Streak();
    this.#streaks.set(name, streak, REMEMBERED_MS);
    streak.note(error);
    if (streak.isLasting) streak.pause(error.retryAfterMs);
    if (startedAt < this.#answeredAt) streak.isIsolated = true;
    if (streak.isIsolated) return;
    this.#currentOutage().note(name, error, name === CLIENT && streak.isLasting);
  }

  #currentOutage() {
    if (this.#outage.isOver) this.#outage = new Outage();
    return this.#outage;
  }

  /** Resolves at the next answer, or after `ms`. */
  async #change(ms) {
    let timer;
    let wake;
    await new Promise((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
      timer = setTimeout(() => resolve(), ms);
    });
    clearTimeout(timer);
    this.#waiting.delete(wake);
  }
}

// What names an option is this process's own, such as a vault that hangs.
function isFailure(error) {
  return error.retryable === true && error.option === undefined;
}

// A refusal is an answer.
function isAnswer(error) {
  return error.retryable !== true && error.option === undefined && error.code !== "Aborted";
}

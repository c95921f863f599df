import { PAUSE_MS, Streak } from "./streak.js";

// Fewer senders may each have a trouble of their own.
const SENDERS = 5;
const MAX_SENDERS = 100;
// Few for a service, and more than senders with a trouble of their own are likely to come.
const FRESH_AT_ONCE = 10;
const FRESH_PAUSE_MS = 500;
// After so long without a failure, there is no load to take off the endpoint.
const QUIET_MS = 10_000;

/** The name of the client's own token, among those of senders. */
export const CLIENT = "client";

/**
 * Failures of different senders in a row. Once they last, or those of the client's token do, the endpoint is
 * taken to be down: only some requests go through, as probes.
 */
export class Outage {
  #streak = new Streak();
  // By sender, in milliseconds: the pause that the service asked for.
  #asked = new Map();
  #isOpen = false;
  #opener;
  #lastAt = -Infinity;
  #freshFrom = -Infinity;

  get isOpen() {
    return this.#isOpen;
  }

  get isOver() {
    return performance.now() >= this.#lastAt + QUIET_MS;
  }

  /** Returns the senders that failed, if they are too few for an outage. */
  get few() {
    return this.#asked.size < SENDERS ? [...this.#asked.keys()] : [];
  }

  /** How long a sender that has not failed must wait for its turn. */
  get freshMs() {
    return Math.max(this.#freshFrom - performance.now(), 0);
  }

  /**
   * Begins a probe if it is this sender's turn. Those that have not failed (`isFresh`) have turns of their
   * own, the first few at once: those that failed may each have a trouble of their own.
   */
  beginProbe(name, isFresh) {
    const waitMs = isFresh ? this.freshMs : this.#streak.pausedMs;
    if (waitMs > 0 || (name === this.#opener && name !== CLIENT)) return false;
    const earliest = performance.now() - (FRESH_AT_ONCE - 1) * FRESH_PAUSE_MS;
    if (isFresh) this.#freshFrom = Math.max(this.#freshFrom, earliest) + FRESH_PAUSE_MS;
    this.#pause(PAUSE_MS);
    return true;
  }

  note(name, error, isLastingClient) {
    this.#streak.note(error);
    this.#lastAt = Math.max(this.#lastAt, performance.now());
    this.#asked.delete(name);
    this.#asked.set(name, error.retryAfterMs ?? 0);
    if (this.#asked.size > MAX_SENDERS) this.#asked.delete(this.#asked.keys().next().value);
    this.#isOpen ||= isLastingClient || (this.#asked.size >= SENDERS && this.#streak.isLasting);
    if (!this.#isOpen) return;
    this.#opener = name;
    this.#pause(this.#agreedMs());
  }

  refusal() {
    return this.#streak.refusal("");
  }

  #pause(ms) {
    this.#streak.pause(ms);
    this.#lastAt = performance.now() + this.#streak.pausedMs;
  }

  // A pause concerns all once a second sender is asked for it. The client's token stands for all.
  #agreedMs() {
    const [, second = 0] = [...this.#asked.values()].sort((one, other) => other - one);
    return Math.max(second, this.#asked.get(CLIENT) ?? 0);
  }
}

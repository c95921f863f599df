import { failure } from "./errors.js";

// Errors of these kinds change nothing of an attempt that was not sent.
const BEFORE_IT = ["aborted", "authentication", "configuration"];

/** One transfer, pinned to one quote and one nonce, so that it can happen once only. */
export class TransferAttempt {
  #handle;
  #record;
  #transfer;

  /** `record` is what the journal holds of it: quoteHistoryId, nonce, createdAt, state and expiresAt. */
  constructor(handle, record) {
    this.#handle = handle;
    this.#record = record;
  }

  get quoteHistoryId() {
    return this.#record.quoteHistoryId;
  }

  get nonce() {
    return this.#record.nonce;
  }

  get createdAt() {
    return this.#record.createdAt;
  }

  get state() {
    return this.#record.state;
  }

  get expiresAt() {
    return this.#record.expiresAt;
  }

  /** Sends it, or settles what became of it when it was sent before. */
  async submit(options) {
    if (this.#transfer === undefined) {
      try {
        this.#transfer = await this.#handle.call(
          (core, signal) => core.call("submitTransfer", this.#ids, undefined, signal),
          options,
        );
        this.#record.state = "CREATED";
      } catch (error) {
        throw await this.#explain(error);
      }
    }
    return this.#transfer;
  }

  /** The same under the name that says what it does after an outcome was unknown. */
  resume(options) {
    return this.submit(options);
  }

  /** Drops it, if nothing of it was sent. */
  async discard(options) {
    await this.#handle.call((core, signal) => core.call("discardTransfer", this.#ids, undefined, signal), options);
    this.#record.state = "DISCARDED";
  }

  get #ids() {
    return JSON.stringify([this.quoteHistoryId, this.nonce]);
  }

  async #explain(error) {
    let told = error;
    if (error.kind === "internal") {
      // The core stopped in the middle of it, so nobody knows whether it was sent.
      told = failure(
        "OutcomeUnknown",
        "It is not known whether the transfer was made. Do not make it again: create RemitKit again and resume it from pendingTransfers().",
        { cause: error },
      );
    }
    if (told.kind === "outcome_unknown") {
      this.#record.state = "SENT";
      // Not enumerable: an error is logged more often than it is resumed.
      Object.defineProperty(told, "attempt", { value: this, configurable: true });
    } else if (!BEFORE_IT.includes(error.kind)) {
      this.#record.state = await this.#stateInJournal();
    }
    return told;
  }

  // The journal forgets an attempt once it is settled; as it was not created, it was refused.
  async #stateInJournal() {
    try {
      const attempts = await this.#handle.call((core) => core.call("pendingTransfers", "[]"));
      return attempts.find((attempt) => attempt.nonce === this.nonce)?.state ?? "REFUSED";
    } catch {
      return this.state;
    }
  }
}

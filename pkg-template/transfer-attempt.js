import { failure } from "./transfer-imports.js";

// Errors of these kinds change nothing of an attempt that was not sent.
const BEFORE_IT = ["aborted", "authentication", "configuration", "timeout"];
/** So long a journal is waited for that is only asked for the state to show: the outcome is known. */
const STATE_WITHIN_MS = 200;
/** What an attempt shows of its record as it is. */
const SHOWN = [
  "quoteHistoryId",
  "nonce",
  "createdAt",
  "state",
  "expiresAt",
  "amount",
  "quoteBy",
  "srcCurrencyIso3Code",
  "dstCurrencyIso3Code",
  "dstCountryIso3Code",
  "transferMethod",
  "recipientId",
  "recipientAccountId",
  "sendAmount",
  "receiveAmount",
  "totalCost",
];

/** One transfer, pinned to one quote and one nonce, so that it can happen once only. */
export class TransferAttempt {
  #handle;
  #record;
  #transfer;

  /** `record` is what the journal tells of it. */
  constructor(handle, { details, ...record }) {
    this.#handle = handle;
    this.#record = { ...details, ...record };
  }

  get transferId() {
    return this.#transfer?.transferId ?? this.#record.transferId;
  }

  /** Sends it, or settles what became of it when it was sent before. */
  async submit(options) {
    if (this.#transfer === undefined) {
      try {
        this.#transfer = await this.#call("submitTransfer", options);
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
    await this.#call("discardTransfer", options).catch((error) => {
      throw this.#withAttempt(error);
    });
    this.#record.state = "DISCARDED";
  }

  /** Lets the journal forget a transfer that was made, as its customer has been told. */
  async acknowledge(options) {
    await this.#call("acknowledgeTransfer", options).catch((error) => {
      throw this.#withAttempt(error);
    });
  }

  #call(name, options) {
    const ids = JSON.stringify([this.quoteHistoryId, this.nonce]);
    return this.#handle.call((core, signal) => core.call(name, ids, undefined, signal), options);
  }

  #withAttempt(error) {
    if (error.kind === "outcome_unknown") {
      this.#record.state = "SENT";
      // Not enumerable: an error is logged more often than it is resumed.
      Object.defineProperty(error, "attempt", { value: this, configurable: true });
    }
    return error;
  }

  async #explain(error) {
    let told = error;
    if (error.kind === "internal") {
      // The core stopped in the middle of it, so nobody knows whether it was sent.
      told = this.#handle.translate(
        failure(
          "OutcomeUnknown",
          "It is not known whether the transfer was made. Do not make it again: create RemitKit again and resume it from pendingTransfers().",
          { cause: error },
        ),
      );
    }
    if (told.kind !== "outcome_unknown" && !BEFORE_IT.includes(told.kind)) {
      this.#record.state = await this.#stateInJournal();
    }
    return this.#withAttempt(told);
  }

  // The journal forgets an attempt once it is settled; as it was not created, it was refused or discarded.
  async #stateInJournal() {
    const otherwise = this.state === "DISCARDED" ? "DISCARDED" : "REFUSED";
    const asked = this.#handle.call((core) => core.call("pendingTransfers", "[]")).then(
      (attempts) => attempts.find((attempt) => attempt.nonce === this.nonce)?.state ?? otherwise,
      () => this.state,
    );
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, STATE_WITHIN_MS, this.state);
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  static #shown = SHOWN.forEach((name) =>
    Object.defineProperty(this.prototype, name, { get() { return this.#record[name]; }, configurable: true }),
  );
}

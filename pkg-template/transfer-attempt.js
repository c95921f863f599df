import { makePublic, failure, listJson } from "./transfer-imports.js";

// Errors of these kinds leave an unsent attempt as it was.
const UNSENT_KINDS = ["aborted", "authentication", "configuration", "timeout"];
// The journal is read only to show the state; do not delay the outcome for longer.
const STATE_TIMEOUT_MS = 200;
/** The members of its record that an attempt exposes. */
const EXPOSED = [
  "quoteHistoryId", "nonce", "createdAt", "state", "expiresAt", "amount", "quoteBy", "srcCurrencyIso3Code",
  "dstCurrencyIso3Code", "dstCountryIso3Code", "transferMethod", "recipientId", "recipientAccountId",
  "sendAmount", "receiveAmount", "totalCost",
];

/** One transfer, bound to one quote and one nonce, so that it can happen only once. */
export class TransferAttempt {
  #handle;
  #record;
  #transfer;

  /** `record` is the journal's entry. */
  constructor(handle, { details, ...record }) {
    this.#handle = handle;
    this.#record = { ...details, ...record };
    makePublic(this, (error) => handle.explain(error));
  }

  get transferId() {
    return this.#transfer?.transferId ?? this.#record.transferId;
  }

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

  resume(options) {
    return this.submit(options);
  }

  async discard(options) {
    await this.#close("discardTransfer", options);
    this.#record.state = "DISCARDED";
  }

  async acknowledge(options) {
    await this.#close("acknowledgeTransfer", options);
  }

  #close(name, options) {
    return this.#call(name, options).catch((error) => {
      throw this.#withAttempt(error);
    });
  }

  #call(name, options) {
    const ids = listJson([this.quoteHistoryId, this.nonce]);
    return this.#handle.call((core, signal) => core.call(name, ids, undefined, signal), options);
  }

  #withAttempt(error) {
    if (error.kind === "outcome_unknown") {
      this.#record.state = "SENT";
      // Not enumerable: errors are logged more often than they are resumed.
      Object.defineProperty(error, "attempt", { value: this, configurable: true });
    }
    return error;
  }

  async #explain(error) {
    let explained = error;
    if (error.kind === "internal") {
      // The core crashed during the submission, so it may have been sent.
      const message =
        "It is not known whether the transfer was made. Do not make it again: create RemitKit again and " +
        "resume it from pendingTransfers().";
      explained = this.#handle.translate(failure("OutcomeUnknown", message, { cause: error }));
    }
    if (explained.kind !== "outcome_unknown" && !UNSENT_KINDS.includes(explained.kind)) {
      this.#record.state = await this.#stateInJournal();
    }
    return this.#withAttempt(explained);
  }

  // The journal drops an attempt once it is settled: as it was not made, it was refused or discarded.
  async #stateInJournal() {
    const settled = this.state === "DISCARDED" ? "DISCARDED" : "REFUSED";
    const state = this.#handle
      .call((core) => core.call("pendingTransfers", "[]"))
      .then(
        (attempts) => attempts.find((attempt) => attempt.nonce === this.nonce)?.state ?? settled,
        () => this.state,
      );
    let timer;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, STATE_TIMEOUT_MS, this.state);
    });
    return Promise.race([state, timeout]).finally(() => clearTimeout(timer));
  }

  static #exposed = EXPOSED.forEach((name) =>
    Object.defineProperty(this.prototype, name, {
      get() {
        return this.#record[name];
      },
      configurable: true,
    }),
  );
}

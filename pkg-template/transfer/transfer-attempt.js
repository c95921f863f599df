import { failure, makePublic } from "./transfer-imports.js";

/** The members of its record that an attempt exposes as they are. */
export const EXPOSED = [
  "quoteHistoryId", "nonce", "createdAt", "expiresAt", "paymentId", "amount", "quoteBy", "srcCurrencyIso3Code",
  "dstCurrencyIso3Code", "dstCountryIso3Code", "transferMethod", "recipientId", "recipientAccountId",
  "sendAmount", "receiveAmount", "totalCost",
];

/** One transfer, bound to one quote and one nonce, so that it can happen only once. */
export class TransferAttempt {
  #handle;
  #attempt;
  #record;
  #transfer;

  /** `attempt` is the module's. */
  constructor(handle, attempt) {
    this.#handle = handle;
    this.#attempt = attempt;
    this.#record = recordOf(attempt);
    makePublic(this, (error) => handle.explain(error));
  }

  get state() {
    this.#read();
    return this.#record.state;
  }

  get transferId() {
    this.#read();
    return this.#transfer?.transferId ?? this.#record.transferId;
  }

  async submit(options) {
    if (this.#transfer === undefined) {
      try {
        this.#transfer = await this.#call("submit", options);
      } catch (error) {
        throw this.#withAttempt(this.#explain(error));
      }
    }
    return this.#transfer;
  }

  resume(options) {
    return this.submit(options);
  }

  async discard(options) {
    await this.#close("discard", options);
  }

  async acknowledge(options) {
    await this.#close("acknowledge", options);
  }

  #close(name, options) {
    return this.#call(name, options).catch((error) => {
      throw this.#withAttempt(error);
    });
  }

  #call(name, options) {
    return this.#handle.call((_, signal) => this.#attempt[name](signal), options);
  }

  // Another object of the attempt, or a call whose caller has left, may have brought it further.
  #read() {
    try {
      this.#record = recordOf(this.#attempt);
    } catch {
      // A module that has crashed answers no more.
    }
  }

  #withAttempt(error) {
    const earlier = error.code === "PaymentInProgress" ? error.attempt : undefined;
    if (earlier !== undefined || error.kind === "outcome_unknown") {
      const value = earlier === undefined ? this : this.#publicOf(earlier);
      // Not enumerable: errors are logged more often than they are resumed.
      Object.defineProperty(error, "attempt", { __proto__: null, value, configurable: true, enumerable: false });
    }
    return error;
  }

  // A fake's attempt is one already.
  #publicOf(attempt) {
    return attempt instanceof TransferAttempt ? attempt : new TransferAttempt(this.#handle, attempt);
  }

  #explain(error) {
    if (error.kind !== "internal") return error;
    // The core crashed during the submission, so it may have been sent.
    this.#record.state = "SENT";
    const message =
      "It is not known whether the transfer was made. Do not make it again: create RemitKit again and " +
      "resume it from pendingTransfers().";
    return this.#handle.translate(failure("OutcomeUnknown", message, { cause: error }));
  }

  static #exposed = EXPOSED.forEach((name) =>
    Object.defineProperty(this.prototype, name, {
      __proto__: null,
      get() {
        return this.#record[name];
      },
      configurable: true,
    }),
  );
}

function recordOf(attempt) {
  const { details, ...record } = attempt.record();
  return { ...details, ...record };
}

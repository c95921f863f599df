import { failure, standardFailure } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { unlessAborted } from "../input/signal.js";
import { EXPOSED, TransferAttempt } from "../transfer/transfer-attempt.js";
import { coreError } from "./core-error.js";
import { CORE_ERRORS } from "./core-errors.js";
import { FakeHandle } from "./fake-handle.js";

const TRANSFER = {
  transferId: "00000000-0000-4000-8000-0000000000a1",
  confirmationNumber: "4242424242",
  status: "Initiated",
  recovered: false,
};
const OPTIONS = ["outcome", "state", "transferId", ...EXPOSED];
// Errors of these kinds and codes leave the attempt as it was.
const UNSENT_KINDS = ["aborted", "authentication", "configuration", "timeout"];
const UNSENT_CODES = ["PaymentInProgress", "PaymentAlreadyMade"];
const RECORD = {
  quoteHistoryId: "00000000-0000-4000-8000-0000000000b2",
  nonce: "00000000-0000-4000-8000-0000000000c3",
  state: "PREPARED",
};

export function fakeTransferAttempt(options = {}) {
  const { outcome = TRANSFER, ...record } = readKnown(options, OPTIONS);
  const core = new FakeCore(outcome, { ...RECORD, createdAt: Date.now(), ...record });
  const attempt = new TransferAttempt(new FakeHandle(core), core);
  core.attempt = attempt;
  return {
    attempt,
    get submissions() {
      return core.submissions;
    },
    settle(next) {
      core.outcome = next;
    },
  };
}

/** Replaces the module's attempt, and its kit: plays the outcome of the attempt. */
class FakeCore {
  attempt;
  submissions = 0;
  outcome;
  /** The state after the last call. */
  #state;
  #record;

  constructor(outcome, record) {
    this.outcome = outcome;
    this.#record = record;
  }

  record() {
    return { ...this.#record, ...(this.#state && { state: this.#state }) };
  }

  async submit(signal) {
    this.submissions += 1;
    const outcome = typeof this.outcome === "function" ? this.outcome() : this.outcome;
    try {
      const transfer = await unlessAborted(outcome, signal, "OutcomeUnknown");
      if (transfer instanceof Error) throw transfer;
      this.#state = "CREATED";
      return { ...TRANSFER, ...transfer };
    } catch (error) {
      if (error.kind === "outcome_unknown") this.#state = "SENT";
      else if (!UNSENT_KINDS.includes(error.kind) && !UNSENT_CODES.includes(error.code)) {
        this.#state = "REFUSED";
      }
      throw error;
    }
  }

  async discard() {
    if (this.attempt.state === "SENT") throw standardFailure("OutcomeUnknown");
    if (this.attempt.state === "CREATED") {
      throw coreError(CORE_ERRORS.quoteUsed);
    }
    this.#state = "DISCARDED";
  }

  async acknowledge() {
    if (this.attempt.state === "SENT") throw standardFailure("OutcomeUnknown");
    if (this.attempt.state === "PREPARED") {
      throw failure("InvalidRequest", "This transfer has not been sent.");
    }
  }
}

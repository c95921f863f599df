// The states of the form, and the four documented messages to the embedding page (interface, part 6).
// Independent of the DOM.

/** The strings that the embedding page compares with message.data. */
export const EVENTS = {
  start: "CARD_VALIDATION_START",
  success: "CARD_VALIDATION_STOP_SUCCESS",
  fail: "CARD_VALIDATION_STOP_FAIL",
  expired: "CARD_VALIDATION_STOP_EXPIRED",
};

const SETTLE_DELAYS_MS = [500, 1_500, 3_000];
const RELOAD_DELAYS_MS = [500];
const WARN_BEFORE_MS = 120_000;
/** How often the clock is read: timers stop while a machine sleeps. */
const TICK_MS = 1_000;
/** The wait before asking again where the session has expired here and not on the server. */
const RECHECK_MS = 5_000;

/** The states in which a card can be entered and verified. */
export const ENTRY_STATES = ["ready", "failed"];

const FINAL_STATES = ["success", "used", "expired", "unknown"];
const RETRY_STATES = ["unreachable", "unsettled"];

/**
 * The form's state machine. Options: `session` (a CardSession), `post(event)`, `show(state, detail)`,
 * `warn()` two minutes before the session expires, and `clear()` to empty the inputs.
 *
 * States: loading, ready, verifying, failed (detail `{ code, message, unfinished }`; `unfinished` if the
 * connection broke before anything was verified), success, used, expired, unknown, unreachable, and unsettled
 * (a card was sent and its result is unknown).
 */
export class CardFlow {
  #options;
  #state = "loading";
  /** Whether the server knew the session. */
  #known = false;
  /** Whether a card was sent and no result was posted. */
  #awaited = false;
  #deadline;
  #checkAgainAt = 0;
  #warned = false;

  constructor(options) {
    this.#options = options;
    setInterval(() => this.#tick(), TICK_MS);
  }

  get state() {
    return this.#state;
  }

  /** Loads the session's status. */
  async start() {
    this.#enter("loading");
    this.#settle(await this.#statusWithRetries(RELOAD_DELAYS_MS));
  }

  /** Verifies a card. Ignored unless the form is open: a second click sends nothing. */
  async verify(card) {
    if (!ENTRY_STATES.includes(this.#state)) return;
    this.#awaited = true;
    this.#enter("verifying");
    this.#options.post(EVENTS.start);
    const answer = await this.#options.session.verify(card);
    if (answer.kind === "success") this.#succeed();
    else if (answer.kind === "fail") this.#fail(answer);
    else if (answer.kind === "expired") this.#expire();
    // The result is unknown, and the card may have been verified: the session's status tells.
    else this.#settle(await this.#statusWithRetries(SETTLE_DELAYS_MS));
  }

  /** Asks again after "unreachable" or "unsettled". */
  async retry() {
    if (RETRY_STATES.includes(this.#state)) await this.start();
  }

  /** Checks whether the form may still be open, for example when the page becomes visible again. */
  async recheck() {
    if (ENTRY_STATES.includes(this.#state)) await this.#check();
    else await this.retry();
  }

  async #check() {
    this.#checkAgainAt = Date.now() + RECHECK_MS;
    const answer = await this.#options.session.status();
    // A card may have been sent meanwhile; then its own answer decides.
    if (!ENTRY_STATES.includes(this.#state)) return;
    if (answer.kind !== "unreachable") this.#settle(answer);
    else if (Date.now() >= this.#deadline) this.#expire();
  }

  #tick() {
    if (!ENTRY_STATES.includes(this.#state)) return;
    const left = this.#deadline - Date.now();
    if (left <= 0) {
      if (Date.now() >= this.#checkAgainAt) this.#check();
    } else if (left <= WARN_BEFORE_MS && !this.#warned) {
      this.#warned = true;
      this.#options.warn();
    }
  }

  /** Enters the state that follows from the session's status. */
  #settle(answer) {
    if (FINAL_STATES.includes(this.#state)) return;
    if (answer.kind === "unreachable") return this.#enter(this.#awaited ? "unsettled" : "unreachable");
    // A session that has disappeared has expired; one that never existed causes no event.
    if (answer.kind === "unknown") return this.#known ? this.#expire() : this.#end("unknown");
    this.#known = true;
    if (answer.status === "EXPIRED") return this.#expire();
    if (answer.status === "SUCCEEDED") return this.#awaited ? this.#succeed() : this.#end("used");
    this.#deadline = Date.now() + answer.expiresInMs;
    if (this.#awaited) return this.#fail({ unfinished: true });
    if (!ENTRY_STATES.includes(this.#state)) this.#enter("ready");
  }

  #succeed() {
    this.#end("success");
    this.#postResult(EVENTS.success);
  }

  #fail({ code, message, unfinished = false }) {
    this.#enter("failed", { code, message, unfinished });
    this.#postResult(EVENTS.fail);
  }

  #expire() {
    this.#end("expired");
    this.#postResult(EVENTS.expired);
  }

  #postResult(event) {
    this.#awaited = false;
    this.#options.post(event);
  }

  #end(state) {
    this.#options.clear();
    this.#enter(state);
  }

  #enter(state, detail) {
    this.#state = state;
    this.#options.show(state, detail);
  }

  async #statusWithRetries(delays) {
    let answer = await this.#options.session.status();
    for (const delay of delays) {
      if (answer.kind !== "unreachable") break;
      await new Promise((resolve) => setTimeout(resolve, delay));
      answer = await this.#options.session.status();
    }
    return answer;
  }
}

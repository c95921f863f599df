// The life of the form: which state it is in, and which of the four documented messages
// (interface, part 6) the embedding page gets. It knows nothing of the page itself.

/** The strings the embedding page compares message.data with. */
export const EVENTS = {
  start: "CARD_VALIDATION_START",
  success: "CARD_VALIDATION_STOP_SUCCESS",
  fail: "CARD_VALIDATION_STOP_FAIL",
  expired: "CARD_VALIDATION_STOP_EXPIRED",
};

const SETTLE_DELAYS_MS = [500, 1_500, 3_000];
const RELOAD_DELAYS_MS = [500];
const WARN_BEFORE_MS = 120_000;
/** Between a date that has passed here and a server that has not noticed yet. */
const RECHECK_MS = 5_000;
/** A timer stands still while a machine sleeps; the clock is read again at least this often. */
const LONGEST_TIMER_MS = 60_000;

/** The states in which a card can be entered and verified. */
export const ENTRY_STATES = ["ready", "failed"];

const FINAL_STATES = ["success", "used", "expired", "unknown"];

/**
 * Options: `session` (a CardSession), `post(event)`, `show(state, detail)`, `warn()` two minutes before the
 * session expires, `clear()` when the inputs must be emptied, and `timers` ({ set, clear, now }).
 *
 * States: loading, ready, verifying, failed (detail `{ code, message, unfinished }`, where `unfinished` is
 * true if the connection broke before anything was verified), success, used, expired, unknown, unreachable,
 * unsettled (a card was sent and its outcome is not known yet).
 */
export class CardFlow {
  #options;
  #state = "loading";
  #known = false;
  #awaited = false;
  #deadline = null;
  #warned = false;
  #timer = null;
  #looking = false;

  constructor(options) {
    this.#options = options;
  }

  get state() {
    return this.#state;
  }

  /** Looks the session up and opens the form, or says why not. */
  async start() {
    this.#enter("loading");
    this.#settle(await this.#askUntilReached(RELOAD_DELAYS_MS));
  }

  /** Puts a card to the test. Does nothing unless the form is open: a second click sends nothing. */
  async verify(card) {
    if (!ENTRY_STATES.includes(this.#state)) return;
    this.#stopTimer();
    this.#awaited = true;
    this.#enter("verifying");
    this.#options.post(EVENTS.start);
    const answer = await this.#options.session.verify(card);
    switch (answer.kind) {
      case "success":
        return this.#succeed();
      case "fail":
        return this.#fail(answer);
      case "expired":
        return this.#expire();
      default:
        // No outcome. The card may have been verified all the same, so the session is asked.
        return this.#settle(await this.#askUntilReached(SETTLE_DELAYS_MS));
    }
  }

  /** Asks again after "unreachable" or "unsettled". */
  async retry() {
    if (this.#state !== "unreachable" && this.#state !== "unsettled") return;
    this.#enter("loading");
    this.#settle(await this.#askUntilReached(RELOAD_DELAYS_MS));
  }

  /** Looks again whether the form may still be open: when the page comes back to the front. */
  async recheck() {
    if (ENTRY_STATES.includes(this.#state)) await this.#look();
    else await this.retry();
  }

  async #look() {
    if (this.#looking) return;
    this.#looking = true;
    const answer = await this.#options.session.status();
    this.#looking = false;
    // A card may have been sent meanwhile; its own answer decides then.
    if (!ENTRY_STATES.includes(this.#state)) return;
    if (answer.kind === "unreachable") {
      if (this.#timeLeft() <= 0) this.#expire();
      else this.#armTimer();
      return;
    }
    this.#settle(answer);
  }

  #settle(answer) {
    if (FINAL_STATES.includes(this.#state)) return;
    if (answer.kind === "unreachable") {
      this.#enter(this.#awaited ? "unsettled" : "unreachable");
      return;
    }
    if (answer.kind === "unknown") {
      // One that was there and is gone no longer works; one that never was is nobody's event.
      if (this.#known) this.#expire();
      else this.#end("unknown");
      return;
    }
    this.#known = true;
    if (answer.status === "EXPIRED") return this.#expire();
    if (answer.status === "SUCCEEDED") return this.#awaited ? this.#succeed() : this.#end("used");
    this.#deadline = answer.expiresInMs === null ? null : this.#options.timers.now() + answer.expiresInMs;
    if (this.#awaited) return this.#fail({ code: null, message: null, unfinished: true });
    if (!ENTRY_STATES.includes(this.#state)) this.#enter("ready");
    this.#armTimer(answer.expiresInMs !== null && answer.expiresInMs <= 0 ? RECHECK_MS : 0);
  }

  #succeed() {
    this.#end("success");
    this.#stop(EVENTS.success);
  }

  #fail({ code, message, unfinished = false }) {
    this.#enter("failed", { code, message, unfinished });
    this.#stop(EVENTS.fail);
    this.#armTimer();
  }

  #expire() {
    if (FINAL_STATES.includes(this.#state)) return;
    this.#end("expired");
    this.#stop(EVENTS.expired);
  }

  #stop(event) {
    this.#awaited = false;
    this.#options.post(event);
  }

  #end(state) {
    this.#stopTimer();
    this.#options.clear();
    this.#enter(state);
  }

  #enter(state, detail) {
    this.#state = state;
    this.#options.show(state, detail);
  }

  #timeLeft() {
    return this.#deadline === null ? Infinity : this.#deadline - this.#options.timers.now();
  }

  #armTimer(atLeast = 0) {
    this.#stopTimer();
    const left = this.#timeLeft();
    if (left === Infinity) return;
    const untilWarning = left - WARN_BEFORE_MS;
    const next = !this.#warned && untilWarning > 0 ? untilWarning : left;
    const delay = Math.min(Math.max(next, atLeast), LONGEST_TIMER_MS);
    this.#timer = this.#options.timers.set(() => this.#due(), delay);
  }

  #due() {
    this.#timer = null;
    const left = this.#timeLeft();
    if (left <= 0) {
      this.#look();
      return;
    }
    if (left <= WARN_BEFORE_MS && !this.#warned) {
      this.#warned = true;
      this.#options.warn();
    }
    this.#armTimer();
  }

  #stopTimer() {
    if (this.#timer !== null) this.#options.timers.clear(this.#timer);
    this.#timer = null;
  }

  async #askUntilReached(delays) {
    let answer = await this.#options.session.status();
    for (const delay of delays) {
      if (answer.kind !== "unreachable") break;
      await new Promise((resolve) => {
        this.#options.timers.set(resolve, delay);
      });
      answer = await this.#options.session.status();
    }
    return answer;
  }
}

// The timers and probes of a card form's frame, and its removal should the module crash.

// The kinds of reports, as card_frame.rs numbers them.
const ALARM = 0;
const UNANSWERED = 1;
const ANSWERED = 2;

// A page can see no more of another origin than whether it answers.
const PROBE = {
  method: "HEAD",
  mode: "no-cors",
  cache: "no-store",
  credentials: "omit",
  referrerPolicy: "no-referrer",
};

const TYPES = ["message", "securitypolicyviolation", "load", "error"];

/** Guards a frame; `listeners` are the module's, one for each of the types. */
export class FrameGuard {
  #element;
  #window;
  #report;
  #listeners;
  #timer;

  constructor(element, window, report, ...listeners) {
    this.#element = element;
    this.#window = window;
    this.#report = report;
    this.#listeners = listeners;
  }

  /** Sets the alarm, in place of an earlier one; a negative `ms` only clears it. */
  alarm(ms) {
    clearTimeout(this.#timer);
    if (ms >= 0 && this.#report) {
      this.#timer = setTimeout(this.#report, ms, ALARM, 0);
    }
  }

  /**
   * Requests the URL from the form's server, and reports whether it answers: an error page of the browser
   * loads like the form, but then a request fails too. A failed request is repeated once, as the connection
   * may break just after the form has loaded.
   */
  async ask(url, turn) {
    // A page that replaced `fetch` must not run while the module does.
    await undefined;
    const request = async () => this.#window.fetch(url, PROBE);
    const result = await request().catch(request).then(() => ANSWERED, () => UNANSWERED);
    this.#report?.(result, turn);
  }

  close() {
    clearTimeout(this.#timer);
    this.#report = undefined;
    this.#element.remove();
    // Put back into the page, it would show a form without listeners.
    this.#element.removeAttribute("src");
  }

  /** Removes everything after a crash of the module: a frame without listeners must not take a card. */
  abandon() {
    this.close();
    for (const target of [this.#window, this.#element]) {
      TYPES.forEach((type, at) => target.removeEventListener(type, this.#listeners[at]));
    }
  }
}

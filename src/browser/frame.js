// Of a card form's frame what goes on in time, and what is left to do for it should the module crash.

// The kinds of events, as card_frame.rs numbers them.
const ALARM = 0;
const UNANSWERED = 1;
const ANSWERED = 2;

// Whether there is an answer is all that is asked: of another origin the page may see no more.
const WISHES = {
  method: "HEAD",
  mode: "no-cors",
  cache: "no-store",
  credentials: "omit",
  referrerPolicy: "no-referrer",
};

const TYPES = ["message", "securitypolicyviolation", "load", "error"];

/** Keeps a frame's time. `listeners` are what the module listens with, one for each of the types. */
export class FrameGuard {
  #element;
  #window;
  #tell;
  #listeners;
  #timer;

  constructor(element, window, tell, ...listeners) {
    this.#element = element;
    this.#window = window;
    this.#tell = tell;
    this.#listeners = listeners;
  }

  /**
   * Tells of it after so many milliseconds, and of no earlier alarm any more; of none at all where `ms` is
   * negative.
   */
  alarm(ms) {
    clearTimeout(this.#timer);
    if (ms >= 0 && this.#tell) {
      this.#timer = setTimeout(this.#tell, ms, ALARM, 0);
    }
  }

  /**
   * Asks the form's server for the address, and tells whether it answers: an error page of the browser loads
   * as the form does, but then no request has an answer either. One that fails is repeated once, as a
   * connection may break just when the form has come.
   */
  async ask(url, turn) {
    // The page may have put a function of its own in the place of `fetch`: it runs when the module is no
    // longer at work.
    await undefined;
    const request = async () => this.#window.fetch(url, WISHES);
    const told = await request().catch(request).then(() => ANSWERED, () => UNANSWERED);
    this.#tell?.(told, turn);
  }

  close() {
    clearTimeout(this.#timer);
    this.#tell = undefined;
    this.#element.remove();
    // Put back by somebody it would show a form that nobody listens to.
    this.#element.removeAttribute("src");
  }

  /**
   * After a crash: the module can take nothing back, and a frame that nobody listens to must not take a card.
   */
  abandon() {
    this.close();
    for (const target of [this.#window, this.#element]) {
      TYPES.forEach((type, at) => target.removeEventListener(type, this.#listeners[at]));
    }
  }
}

import { readAnswer } from "./answer.js";
import { Frame, pageOrigin } from "./frame.js";
import { invalid, standardFailure } from "./errors.js";
import { FrameWatchCore } from "./remitkit_core.js";

// What the form needs at 320 CSS pixels of width.
const HEIGHT = 620;
const LOAD_TIMEOUT_MS = 20_000;

/** The hosted card form in a container: its session, its frame, and the card that comes of it. */
export class HostedForm {
  #driver;
  #container;
  #frame;
  #watch;
  #deliver;
  #theme;
  #session;
  #url;
  #isClosed = false;
  // How many sessions were asked for anew, and the last of them that came: only the newest counts.
  #asked = 0;
  #newest = 0;

  /** Each event goes to `deliver` as `(type, detail)`. */
  static async mount(driver, container, cardOrigin, options, deliver, signal) {
    const { sessionId, theme } = options;
    const [title, height] = [options.title ?? "Card details", options.height ?? HEIGHT];
    const form = new HostedForm();
    form.#driver = driver;
    form.#container = container;
    form.#deliver = deliver;
    form.#change(await form.#open([sessionId].filter(Boolean), signal), JSON.stringify(theme ?? {}));
    // Such a frame could take its own sandbox off, and any script of the page could read the card in it.
    if (form.#originAround() === cardOrigin) {
      throw invalid("InvalidConfiguration", "cardUrl", "of another origin than the page's own");
    }
    form.#watch = new FrameWatchCore(cardOrigin, options.loadTimeoutMs ?? LOAD_TIMEOUT_MS);
    form.#frame = new Frame(container, title, height, form.#watch.readsAll);
    form.#frame.listen((...noticed) => form.#notice(...noticed));
    form.#load(true);
    return form;
  }

  get sessionId() {
    return this.#session.id;
  }

  get expirationDate() {
    return this.#session.expirationDate;
  }

  get url() {
    return this.#url;
  }

  get element() {
    return this.#frame.element;
  }

  /** Shows the form in another theme, given as JSON text. It is loaded anew, so what was typed into it is gone. */
  update(theme) {
    this.#change(this.#session, theme);
    this.#show();
  }

  /** Begins a new session in the same place. */
  async renew(signal) {
    this.#originAround();
    this.#asked += 1;
    const place = this.#asked;
    const session = await this.#open([], signal);
    if (place > this.#newest) {
      this.#change(session, this.#theme);
      this.#newest = place;
      this.#show();
    }
  }

  /** `isCrashed` says that there is no core any more that could free anything. */
  destroy(isCrashed = false) {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#frame.close();
      if (!isCrashed) {
        this.#watch.free();
      }
    }
  }

  #open(ids, signal) {
    return this.#driver.call("openCard", JSON.stringify(ids), undefined, signal);
  }

  // Whole or not at all.
  #change(session, theme) {
    const url = this.#driver.cardFormUrl(session.id, theme);
    if (!this.#isClosed) {
      this.#originAround();
    }
    this.#session = session;
    this.#theme = theme;
    this.#url = url;
  }

  #originAround() {
    const origin = pageOrigin(this.#container);
    if (origin === undefined) {
      throw invalid("InvalidConfiguration", "container", "an element that is in the page");
    }
    return origin;
  }

  #show() {
    if (!this.#isClosed) {
      this.#load();
    }
  }

  #load(isFirst) {
    this.#frame.alarm(this.#watch.restart());
    try {
      this.#frame.show(this.#url);
    } catch (cause) {
      const error = invalid("InvalidConfiguration", "container", "an element that can hold others", { cause });
      // The caller has no form yet, or still has one, which can be shown again.
      if (isFirst) {
        this.destroy();
      } else {
        this.#frame.alarm(-1);
        this.#deliver("FAILED", error);
      }
      throw error;
    }
  }

  // What is noticed of the frame is judged by the core, which says when to give an alarm, and what has happened.
  #notice(...noticed) {
    const [alarm, ...events] = this.#watch.notice(...noticed).split("\n");
    if (alarm !== "") {
      this.#frame.alarm(Number(alarm));
    }
    for (const event of events) {
      if (event === "ASK") {
        this.#frame.ask();
      } else {
        this.#tell(...event.split("\t"));
      }
    }
  }

  #tell(type, reason, directive, fault) {
    if (type === "LOAD_FAILED") {
      this.#deliver(type, directive === "" ? { reason } : { reason, directive });
      try {
        readAnswer(fault);
      } catch (error) {
        this.#deliver("FAILED", error);
      }
      return;
    }
    this.#deliver(type);
    if (type === "CARD_VALIDATION_STOP_SUCCESS") {
      this.#readCard(this.sessionId);
    } else if (type === "CARD_VALIDATION_STOP_EXPIRED") {
      this.#deliver("FAILED", standardFailure("InvalidCardOnboardingSession"));
    }
  }

  async #readCard(sessionId) {
    let event;
    try {
      const cardId = await this.#driver.call("readCard", JSON.stringify([sessionId]));
      event = ["COMPLETED", { cardId, sessionId }];
    } catch (error) {
      event = ["FAILED", error];
    }
    // A form that was closed or renewed in the meantime has nothing to tell of that session.
    if (!this.#isClosed && this.sessionId === sessionId) {
      this.#deliver(...event);
    }
  }
}

// The timers, probes and observers of a card form's frame, and its removal should the module crash.

// A page can see no more of another origin than whether it answers.
const PROBE = {
  method: "HEAD",
  mode: "no-cors",
  cache: "no-store",
  credentials: "omit",
  referrerPolicy: "no-referrer",
};

const TYPES = ["message", "securitypolicyviolation", "load", "error"];

// A look at the frame's place costs nothing measurable, and sees what no observer sees: the removal of a
// hidden frame, and of one within a shadow root.
const LOOK_MS = 1000;
// A page that moves the frame may remove it for a moment.
const REMOVED_AFTER = 2;
// A customer who moves between the form and the page returns all the time.
const RETURN_PAUSE_MS = 5000;
const RETURNS = ["focus", "pageshow", "visibilitychange"];

/** Guards a frame. `report` takes the names of frame_report.rs; `listeners` are the module's, one for a type. */
export class FrameGuard {
  #element;
  #window;
  #report;
  #listeners;
  #alarm;
  #look;
  // The number of the page that the frame shows: a probe for an earlier one says nothing about it.
  #page = 0;
  // How often in a row the frame was not in the page.
  #away = 0;
  // When the session is to be read, undefined for never, and until when it is not, by `performance.now()`.
  #dueAt = Infinity;
  #pausedUntil = 0;
  #reports;

  constructor(element, window, report, ...listeners) {
    this.#element = element;
    this.#window = window;
    this.#report = report;
    this.#listeners = listeners;
    this.#lookLater();
    // Chromium alone tells why a page that demands an embedder policy of its frames shows none.
    if (window.ReportingObserver) {
      this.#reports = new window.ReportingObserver((all) => all.forEach(this.#onReport), { types: ["coep"] });
      this.#reports.observe();
    }
    for (const type of RETURNS) window.addEventListener(type, this.#onReturn);
  }

  /** Sets the alarm for another page, which the frame begins to load. */
  beginPage(alarmMs) {
    this.#page += 1;
    this.alarm(alarmMs);
  }

  /** Sets the alarm, in place of an earlier one. */
  alarm(ms) {
    this.clearAlarm();
    if (this.#report) this.#alarm = setTimeout(this.#report, ms, "alarm");
  }

  clearAlarm() {
    clearTimeout(this.#alarm);
  }

  /**
   * Requests the URL from the form's server, and reports whether it answers: an error page of the browser
   * loads like the form, but then a request fails too. A failed request is repeated once, as the connection
   * may break just after the form has loaded.
   */
  async probe(url) {
    const page = this.#page;
    // A page that replaced `fetch` must not run while the module does.
    await undefined;
    const request = async () => this.#window.fetch(url, PROBE);
    const report = await request().catch(request).then(() => "serverAnswered", () => "serverUnanswered");
    if (page === this.#page) this.#report?.(report);
  }

  /** Sets in how many milliseconds the session is to be read. It is also read on return. */
  readSessionIn(ms) {
    this.#dueAt = performance.now() + ms;
  }

  neverReadSession() {
    this.#dueAt = undefined;
  }

  /**
   * Has the frame's next page load without the customer's cookies and passwords, which an embedder policy
   * lets in. Returns whether that is new.
   */
  isolate() {
    // Undefined where there is no such frame.
    const isNew = this.#element.credentialless === false;
    if (isNew) this.#element.credentialless = true;
    return isNew;
  }

  close() {
    this.clearAlarm();
    clearTimeout(this.#look);
    this.#report = undefined;
    this.#reports?.disconnect();
    for (const type of RETURNS) this.#window.removeEventListener(type, this.#onReturn);
    // Not `remove`, which page libraries replace by one that fails outside a parent.
    this.#element.parentNode?.removeChild(this.#element);
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

  #lookLater() {
    this.#look = setTimeout(() => {
      if (this.#report === undefined) return;
      this.#lookLater();
      this.#away = this.#element.isConnected ? 0 : this.#away + 1;
      if (this.#away === REMOVED_AFTER) {
        this.#report("removed");
      } else if (this.#away === 0 && performance.now() >= this.#dueAt && !this.#window.document.hidden) {
        this.#readSession();
      }
    }, LOOK_MS);
  }

  #onReturn = () => {
    const isDue = performance.now() >= this.#pausedUntil && this.#dueAt !== undefined;
    if (isDue && !this.#window.document.hidden) this.#readSession();
  };

  #readSession() {
    this.#dueAt = Infinity;
    this.#pausedUntil = performance.now() + RETURN_PAUSE_MS;
    this.#report?.("sessionDue");
  }

  #onReport = ({ body }) => {
    // Chromium's body has its members only as JSON.
    const { type, blockedURL, destination, disposition } = body.toJSON?.() ?? body;
    if (blockedURL !== this.#element.src || disposition !== "enforce") return;
    const isFrame = type === "navigation" || destination === "iframe";
    this.#report?.(isFrame ? "frameIsolated" : "probeIsolated");
  };
}

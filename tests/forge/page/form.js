import { createRemitKit } from "remitkit";
import { ALL, FAIL, START } from "./messages.js";
import { inTime, reach, tell } from "./windows.js";

const READY_MS = 20_000;

/** A mounted card form, what its window was told to say, and what the SDK delivers. */
export class Form {
  #kit;
  #ready;
  #heard = [];
  #iterated = [];
  #see = (event) => {
    // Reading an event of a script may be a trap.
    const isOwn = event.isTrusted && event.source === this.window;
    if (isOwn && ALL.includes(event.data)) this.genuineEvent = event;
  };
  /** The last of the form's own messages. */
  last = "";
  /** What it has said as a sibling. */
  said = [];
  /** A message event of its window. */
  genuineEvent;
  isCompleted = false;

  static async mount(origin, container) {
    const options = { baseUrl: location.origin, cardUrl: origin, token: "a-token", journal: "memory" };
    const form = new Form();
    form.#kit = await createRemitKit(options);
    form.card = await form.#kit.cardForm({ container });
    form.origin = origin;
    form.iframe = form.card.element;
    form.#awaitReady();
    for (const type of ALL) form.card.on(type, () => form.#heard.push(type));
    form.#iterate();
    form.card.completed.then(() => (form.isCompleted = true), () => {});
    addEventListener("message", form.#see, { capture: true });
    return form;
  }

  get window() {
    return this.iframe.contentWindow;
  }

  /** Waits until the SDK reports the form as ready, and the form's page listens. */
  async ready() {
    await inTime(this.#ready, READY_MS, "the form is ready");
    await reach(this.window, this.origin);
  }

  /** Makes the page in the form's window say something. */
  say(data) {
    tell(this.window, { say: [data] });
  }

  /** Makes it say what a form would say now. */
  sayGenuine() {
    this.last = this.last === START ? FAIL : START;
    this.said.push(this.last);
    this.say(this.last);
  }

  /** Returns what was delivered since the last time. */
  take() {
    const [heard, iterated] = [this.#heard.splice(0), this.#iterated.splice(0)];
    if (heard.join() !== iterated.join()) throw new Error(`on delivered ${heard}, the iterator ${iterated}`);
    return heard;
  }

  /** Shows the same session in a new window, at once. */
  replaceWindow() {
    this.#awaitReady();
    this.card.update({ theme: { primary: "#0a7" } });
  }

  /** Navigates the form's window to a page of another origin, or back. */
  async navigate(url, origin) {
    const loaded = new Promise((resolve) => this.iframe.addEventListener("load", resolve, { once: true }));
    this.window.location.replace(url);
    const shown = Promise.all([loaded, reach(this.window, origin)]);
    await inTime(shown, READY_MS, `the form's window shows ${origin}`);
  }

  end() {
    removeEventListener("message", this.#see, { capture: true });
    return this.#kit.destroy();
  }

  #awaitReady() {
    this.#ready = new Promise((resolve) => {
      const off = this.card.on("READY", () => (off(), resolve()));
    });
  }

  async #iterate() {
    for await (const { type } of this.card) if (ALL.includes(type)) this.#iterated.push(type);
  }
}

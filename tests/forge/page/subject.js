import { ALL, Script, SUCCESS } from "./messages.js";
import { inTime, reach, tell } from "./windows.js";

const READY_MS = 20_000;
const COMPLETED_MS = 10_000;

/** A mounted card form, what its window is told to say, and what the SDK delivers. */
export class Subject {
  #remit;
  #ready;
  #settled;
  script = new Script();
  /** The genuine messages it was told to say, in order. */
  said = [];
  /** What `on` delivered, each with the message that had arrived last. */
  heard = [];
  /** What the iterator delivered. */
  iterated = [];

  static async mount(world, remit, { cardOrigin, container }) {
    const form = await remit.cardForm({ container });
    const subject = Object.assign(new Subject(), { world, cardOrigin, form });
    const { heard } = subject;
    subject.#remit = remit;
    subject.#awaitReady();
    for (const type of ALL) form.on(type, () => heard.push({ type, message: world.witness.current }));
    subject.#iterate();
    form.completed.then(
      (card) => (subject.#settled = { card }),
      (error) => (subject.#settled = { error }),
    );
    return subject;
  }

  get iframe() {
    return this.form.element;
  }

  get window() {
    return this.form.element.contentWindow;
  }

  /** Waits until the SDK reports the form as ready, and the form's page listens. */
  async ready() {
    await inTime(this.#ready, READY_MS, "the form is ready");
    await reach(this.window, this.cardOrigin);
  }

  /** Makes the page in the form's window say something; resolves on its arrival. */
  say(data, message, origin = this.cardOrigin) {
    const arrived = this.world.witness.expect(this.window, origin, { data, ...message });
    tell(this.window, { say: [data] });
    return arrived;
  }

  /** As `say`, just before the window is gone. */
  sayPerhaps(data, message) {
    this.world.witness.expectPerhaps({ data, ...message });
    tell(this.window, { say: [data] });
  }

  /** Makes it say what a form would say now. */
  sayGenuine(data, kind) {
    const message = { form: this, kind, index: this.said.length };
    this.script.say(data);
    this.said.push(data);
    return this.say(data, message);
  }

  /** Shows the same session in a new window, at once. */
  replaceWindow() {
    this.#awaitReady();
    this.form.update({ theme: { primary: "#0a7" } });
  }

  /** Navigates the form's window to a page of another origin, or back. */
  async navigate(url, origin) {
    const loaded = new Promise((resolve) => this.iframe.addEventListener("load", resolve, { once: true }));
    this.window.location.replace(url);
    const shown = Promise.all([loaded, reach(this.window, origin)]);
    await inTime(shown, READY_MS, `the form's window shows ${origin}`);
  }

  /** Judges what was delivered, counts what was forged; returns how many genuine messages came through. */
  async judge(tally) {
    const { said, heard, iterated } = this;
    const isGenuine = ({ type, message }, index) =>
      message?.form === this && message.index === index && type === said[index] && iterated[index] === type;
    const completed = await this.#completed(heard.some(({ type }) => type === SUCCESS));
    const arrived = said.filter(
      (type, index) => heard[index] && isGenuine(heard[index], index) && (type !== SUCCESS || completed),
    );
    if (completed && !said.includes(SUCCESS)) tally.accept("completed");
    if (iterated.length !== heard.length) {
      tally.trouble(`the iterator delivered ${iterated.length} events, and on ${heard.length}`);
    }
    this.countForged(tally);
    return arrived.length;
  }

  /** Counts the forged messages that were delivered, and forgets them. */
  countForged(tally) {
    for (const { message } of this.heard.splice(0)) {
      if (message?.form !== this) tally.accept(message?.kind ?? "sibling");
    }
  }

  /** Whether the form was completed with the right card; waits for that if a success was delivered. */
  async #completed(isDue) {
    const { form } = this;
    if (isDue) await inTime(form.completed, COMPLETED_MS, "the form is completed").catch(() => {});
    const { card } = this.#settled ?? {};
    if (card === undefined || card.sessionId !== form.sessionId) return false;
    const session = await this.#remit.getCardSession(card.sessionId);
    return typeof card.cardId === "string" && card.cardId === session.cardId;
  }

  #awaitReady() {
    this.#ready = new Promise((resolve) => {
      const off = this.form.on("READY", () => (off(), resolve()));
    });
  }

  async #iterate() {
    for await (const { type } of this.form) if (ALL.includes(type)) this.iterated.push(type);
  }
}

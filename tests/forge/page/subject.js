import { inTime } from "./pause.js";
import { ALL, Script, SUCCESS } from "./script.js";
import { reach, tell } from "./tell.js";

const READY_MS = 20_000;
const COMPLETED_MS = 10_000;

/** A mounted card form, what its window is told to say, and what the SDK makes of it. */
export class Subject {
  #world;
  #remit;
  #ready;
  #settled;
  form;
  script = new Script();
  /** What it was told to say that is genuine, in order. */
  said = [];
  /** What `on` delivered, each with the message that had come last. */
  heard = [];
  /** What the iterator delivered. */
  iterated = [];

  /** `isForeign`: its page is none of the test's own. */
  static async mount(world, remit, { cardOrigin, container, isForeign = false }) {
    const subject = new Subject();
    subject.#world = world;
    subject.#remit = remit;
    Object.assign(subject, { cardOrigin, isForeign });
    subject.form = await remit.cardForm({ container });
    subject.#awaitReady();
    for (const type of ALL) {
      subject.form.on(type, () => subject.heard.push({ type, message: world.witness.current }));
    }
    subject.#iterate();
    subject.form.completed.then(
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

  /** Waits until the SDK says that the form is ready, and the form's page listens. */
  async ready() {
    await inTime(this.#ready, READY_MS, "the form is ready");
    if (!this.isForeign) await reach(this.window, this.cardOrigin);
  }

  /** Lets the page in the form's window say something. Resolves when it has come. */
  say(data, message, origin = this.cardOrigin) {
    const arrived = this.#world.witness.expect(this.window, origin, { data, ...message });
    tell(this.window, { say: [data] });
    return arrived;
  }

  /** As `say`, just before the window goes away. */
  sayPerhaps(data, message) {
    this.#world.witness.expectPerhaps({ data, ...message });
    tell(this.window, { say: [data] });
  }

  /** Somebody will make the form's own page say this, in this order. */
  expectGenuine(data, patienceMs) {
    const message = { form: this, index: this.said.push(data) - 1, data, patienceMs };
    const arrived = this.#world.witness.expect(this.window, this.cardOrigin, message);
    return arrived.then(() => this.script.say(data));
  }

  /** Lets it say what a form would say now. */
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

  /** Leads the form's window to a page of another origin, or back. */
  async navigate(url, origin) {
    const loaded = new Promise((resolve) => this.iframe.addEventListener("load", resolve, { once: true }));
    this.window.location.replace(url);
    await inTime(Promise.all([loaded, reach(this.window, origin)]), READY_MS, `the form's window showed ${origin}`);
  }

  /** Looks at what was delivered, and counts what was forged; gives how much of the genuine came through. */
  async judge(tally) {
    const { said, heard, iterated } = this;
    const isGenuine = ({ type, message }, index) => message?.form === this && message.index === index && type === said[index];
    const completed = await this.#completed(heard.some(({ type }) => type === SUCCESS));
    let arrived = 0;
    said.forEach((type, index) => {
      const isThere = heard[index] && isGenuine(heard[index], index) && iterated[index] === type;
      if (isThere && (type !== SUCCESS || completed)) arrived += 1;
    });
    if (completed && !said.includes(SUCCESS)) tally.accept("completed");
    if (iterated.length !== heard.length) tally.trouble(`the iterator had ${iterated.length} events, and on had ${heard.length}`);
    this.countForged(tally);
    return arrived;
  }

  /** Counts what was delivered though it was forged, and forgets it. */
  countForged(tally) {
    for (const { message } of this.heard.splice(0)) if (message?.form !== this) tally.accept(message?.kind ?? "sibling");
  }

  /** Whether the form was completed, with the right card; where one is due, that is waited for. */
  async #completed(isDue) {
    const { form } = this;
    if (isDue) await inTime(form.completed, COMPLETED_MS, "the form was completed").catch(() => {});
    const { card } = this.#settled ?? {};
    if (card === undefined || card.sessionId !== form.sessionId) return false;
    const session = await this.#remit.getCardSession(card.sessionId);
    return typeof card.cardId === "string" && card.cardId === session.cardId;
  }

  #awaitReady() {
    this.#ready = new Promise((resolve) => {
      const off = this.form.on("READY", () => {
        off();
        resolve();
      });
    });
    // It is not waited for when a round ends early.
    this.#ready.catch(() => {});
  }

  async #iterate() {
    for await (const { type } of this.form) if (ALL.includes(type)) this.iterated.push(type);
  }
}

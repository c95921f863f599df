// From a message's arrival to whoever reads the card form's events.

import { answering } from "./frame.js";
import { cardForm, cardOrigin } from "./subjects.js";

const START = "CARD_VALIDATION_START";
const FAIL = "CARD_VALIDATION_STOP_FAIL";
const WAIT_MS = 10_000;

let arrivals = [];
let listenedTo;

// The first of all listeners: what it sees is the moment of arrival.
addEventListener(
  "message",
  (event) => {
    if (listenedTo && event.source === listenedTo) arrivals.push(performance.now());
  },
  { capture: true },
);

/** A mounted form whose events are read either way. */
export class Reader {
  #form;
  #read = [];
  #awaited;
  #container = document.createElement("div");

  /** @param variant the SDK, or a hand-built one  @param way "iterator" or "listener" */
  static async open(variant, way) {
    const reader = new Reader();
    document.body.append(reader.#container);
    reader.#form = await cardForm(variant, reader.#container);
    const frame = reader.#container.querySelector("iframe");
    await answering(frame.contentWindow);
    if (way === "listener") for (const type of [START, FAIL]) reader.#form.on(type, () => reader.#note());
    else reader.#iterate();
    return Object.assign(reader, { frame });
  }

  /**
   * Returns mean milliseconds from arrival to reading of `wanted` messages, or one more: they come in pairs.
   */
  async sample(wanted) {
    const count = wanted + (wanted % 2);
    this.#read = [];
    arrivals = [];
    listenedTo = this.frame.contentWindow;
    const done = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#read.length} of ${count} messages were read`)), WAIT_MS);
      this.#awaited = { count, resolve: () => (clearTimeout(timer), resolve()) };
    });
    const say = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? START : FAIL));
    this.frame.contentWindow.postMessage({ say }, cardOrigin);
    await done;
    listenedTo = undefined;
    const added = this.#read.map((at, index) => at - arrivals[index]);
    return added.reduce((sum, ms) => sum + ms, 0) / count;
  }

  close() {
    this.#form.completed?.catch(() => {});
    this.#form.destroy();
    this.#container.remove();
  }

  async #iterate() {
    for await (const { type } of this.#form) if (type === START || type === FAIL) this.#note();
  }

  #note() {
    this.#read.push(performance.now());
    if (this.#read.length === this.#awaited?.count) this.#awaited.resolve();
  }
}

const READERS = { sdk: "sdk", "hand-built": "mini" };

/** A contest, like those of contests.js, that keeps one form of each variant open. */
function messages(way) {
  const open = {};
  return {
    variants: Object.keys(READERS),
    async sample(variant, count) {
      open[variant] ??= await Reader.open(READERS[variant], way);
      return open[variant].sample(count);
    },
    close() {
      for (const name of Object.keys(open)) {
        open[name].close();
        delete open[name];
      }
    },
  };
}

export const MESSAGES = { "message to iterator": messages("iterator"), "message to listener": messages("listener") };

/** Milliseconds for mounting so many forms, and for a message to the last of them. */
export async function openForms(variant, count, said) {
  const began = performance.now();
  const readers = await Promise.all(Array.from({ length: count }, () => Reader.open(READERS[variant], "iterator")));
  const mountMs = (performance.now() - began) / count;
  try {
    await readers[count - 1].sample(said);
    return { mountMs, messageMs: await readers[count - 1].sample(said) };
  } finally {
    for (const reader of readers) reader.close();
  }
}

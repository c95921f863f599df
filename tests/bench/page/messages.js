// From a message's arrival to the reader of the card form's events.

import { cardForm, cardOrigin } from "./subjects.js";

const START = "CARD_VALIDATION_START";
const FAIL = "CARD_VALIDATION_STOP_FAIL";
const WAIT_MS = 10_000;

let arrivals = [];
let listenedTo;

// The first of all listeners: it sees the moment of arrival.
addEventListener(
  "message",
  (event) => {
    if (listenedTo && event.source === listenedTo) arrivals.push(performance.now());
  },
  { capture: true },
);

/** A mounted form whose events are read through its iterator or a listener. */
class Reader {
  #form;
  #window;
  #read = [];
  #awaited;
  #container = document.createElement("div");

  static async open(variant, way) {
    const reader = new Reader();
    document.body.append(reader.#container);
    reader.#form = await cardForm(variant, reader.#container);
    reader.#window = reader.#container.querySelector("iframe").contentWindow;
    await answers(reader.#window);
    if (way === "listener") for (const type of [START, FAIL]) reader.#form.on(type, () => reader.#note());
    else reader.#iterate();
    return reader;
  }

  /** Returns mean milliseconds from arrival to reading of `wanted` messages, or one more: they are pairs. */
  async sample(wanted) {
    const count = wanted + (wanted % 2);
    this.#read = [];
    arrivals = [];
    listenedTo = this.#window;
    const done = new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${this.#read.length} of ${count} messages were read`));
      const timer = setTimeout(fail, WAIT_MS);
      this.#awaited = { count, resolve: () => (clearTimeout(timer), resolve()) };
    });
    const say = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? START : FAIL));
    this.#window.postMessage({ say }, cardOrigin);
    await done;
    listenedTo = undefined;
    return this.#read.reduce((sum, at, index) => sum + at - arrivals[index], 0) / count;
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

/** Waits until the page in a window listens. */
function answers(window) {
  return new Promise((resolve) => {
    const ask = setInterval(() => window.postMessage({ say: ["HERE"] }, "*"), 20);
    const hear = ({ source, data }) => {
      if (source !== window || data !== "HERE") return;
      clearInterval(ask);
      removeEventListener("message", hear);
      resolve();
    };
    addEventListener("message", hear);
  });
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

export const MESSAGES = {
  "message to iterator": messages("iterator"),
  "message to listener": messages("listener"),
};

/** Returns milliseconds for mounting one of `count` forms, and for a message to the last of them. */
export async function openForms(variant, count, messages) {
  const began = performance.now();
  const open = Array.from({ length: count }, () => Reader.open(READERS[variant], "iterator"));
  const readers = await Promise.all(open);
  const mountMs = (performance.now() - began) / count;
  try {
    await readers.at(-1).sample(messages);
    return { mountMs, messageMs: await readers.at(-1).sample(messages) };
  } finally {
    for (const reader of readers) reader.close();
  }
}

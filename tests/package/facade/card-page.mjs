// Pages of jsdom with the package's card forms, whose frames are scripted by the tests.

import { createRequire } from "node:module";
import { dirname } from "node:path";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { kit, OPTIONS, settled } from "./kit.mjs";

export const START = "CARD_VALIDATION_START";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
export const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";

// jsdom's internals, which can dispatch trusted events.
const require = createRequire(import.meta.url);
const living = `${dirname(require.resolve("jsdom"))}/jsdom/living`;
const { fireAnEvent } = require(`${living}/helpers/events.js`);
const { tryImplForWrapper, wrapperForImpl } = require(`${living}/generated/utils.js`);
const Event = require(`${living}/generated/Event.js`);
const MessageEvent = require(`${living}/generated/MessageEvent.js`);

const GLOBALS = `window document navigator customElements addEventListener removeEventListener
  Element HTMLElement HTMLIFrameElement Event CustomEvent MessageEvent`.split(/\s+/);

let replaced;

/** Opens a page, whose names are global as in a browser, until `closePage`. */
export function openPage(html) {
  const { window } = new JSDOM(html, { url: "https://shop.example/", pretendToBeVisual: true });
  // The form is cross-origin, and its server answers. jsdom gives a frame in a shadow root no window.
  const frames = new WeakMap();
  Object.defineProperties(window.HTMLIFrameElement.prototype, {
    contentDocument: { get: () => null },
    contentWindow: {
      get() {
        return frames.get(this) ?? (frames.set(this, {}), this.contentWindow);
      },
    },
  });
  window.fetch = async () => new Response();
  replaced = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const name of GLOBALS) {
    const value = /^(add|remove)/.test(name) ? window[name].bind(window) : window[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return window;
}

export function closePage() {
  for (const [name, descriptor] of replaced) {
    delete globalThis[name];
    if (descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor);
  }
}

export async function withPage(work) {
  const window = openPage('<div id="card"></div>');
  try {
    await work({ window, container: window.document.querySelector("#card") });
  } finally {
    closePage();
  }
}

export const sessionId = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The service's card sessions: `opened` has the ids, `cards` the cards of those that were verified. */
export class Sessions {
  opened = [];
  cards = new Map();
  expirationDate = "2030-01-01T00:00:00.0000000Z";
  /** The status of those without a card. */
  status = "INCOMPLETE";
  /** Returns the answer to the creation of a session, from the usual one. */
  open = (reply) => reply;

  answer = ({ method, path }) => {
    if (!path.startsWith("/v1/card-onboarding-sessions")) return undefined;
    if (method !== "POST") return this.#reply(path.split("/").at(-1));
    this.opened.push(sessionId(this.opened.length + 1));
    return this.open(this.#reply(this.opened.at(-1)));
  };

  /** Holds back the answers to creations; returns functions that give them, one by one. */
  hold() {
    const held = [];
    this.open = (reply) => new Promise((resolve) => held.push(() => (resolve(reply), settled())));
    return held;
  }

  #reply(id) {
    const cardId = this.cards.get(id) ?? null;
    return { id, status: cardId ? "SUCCEEDED" : this.status, expirationDate: this.expirationDate, cardId };
  }
}

/** Fires the trusted events of a form's frame. */
export const frameOf = (form) => ({
  fire: (type) => fireAnEvent(type, tryImplForWrapper(form.element), Event),
  load() {
    this.fire("load");
    return settled();
  },
  say(...messages) {
    const { contentWindow: source } = form.element;
    for (const data of messages) {
      fireAnEvent("message", window, MessageEvent, { data, origin: OPTIONS.cardUrl, source });
    }
    return settled();
  },
});

/** Reports that the page's policy has blocked an address. */
export function violate(effectiveDirective, blockedURI) {
  const event = Event.createImpl(window, ["securitypolicyviolation"], { isTrusted: true });
  Object.assign(wrapperForImpl(event), { disposition: "enforce", effectiveDirective, blockedURI });
  tryImplForWrapper(window)._dispatch(event);
  return settled();
}

/** Declares a test of a form whose frame has loaded. `verify(cardId)` has the customer verify a card. */
export function formTest(name, work) {
  test(name, (t) =>
    withPage(async (page) => {
      const sessions = new Sessions();
      const loaded = await kit(sessions.answer);
      const form = await loaded.remit.cardForm({ container: "#card" });
      const frame = frameOf(form);
      await frame.load();
      const verify = (cardId) => {
        sessions.cards.set(form.sessionId, cardId);
        return frame.say(START, SUCCESS);
      };
      await work({ ...loaded, ...page, t, form, frame, sessions, verify, say: frame.say });
    }),
  );
}

export const typesOf = (events) => events.map((event) => event.type);

/** Reads an iterator to its end. */
export async function readAll(iterable) {
  const all = [];
  for await (const event of iterable) all.push(event);
  return all;
}

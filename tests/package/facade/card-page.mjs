// Pages of jsdom with the package's card forms: the service creates their sessions, tests play their frames.

import { createRequire } from "node:module";
import { dirname } from "node:path";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { kit, OPTIONS, settled } from "./kit.mjs";

export const START = "CARD_VALIDATION_START";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
export const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";

// Events that no script of the page has made, which jsdom keeps to itself.
const require = createRequire(import.meta.url);
const living = `${dirname(require.resolve("jsdom"))}/jsdom/living`;
const { fireAnEvent } = require(`${living}/helpers/events.js`);
const { tryImplForWrapper, wrapperForImpl } = require(`${living}/generated/utils.js`);
const [Event, MessageEvent] = ["Event", "MessageEvent"].map((name) => require(`${living}/generated/${name}.js`));

const NAMES = `window document navigator customElements Element HTMLElement HTMLIFrameElement Event CustomEvent MessageEvent
  addEventListener removeEventListener`.split(/\s+/);

let before;

/** Opens a page, whose names are global as in a browser, until `closePage`. */
export function openPage(html) {
  const { window } = new JSDOM(html, { url: "https://shop.example/", pretendToBeVisual: true });
  // A form is of another origin, and its server answers. jsdom gives a frame in a shadow root no window.
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
  before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const name of NAMES) {
    const value = /^(add|remove)/.test(name) ? window[name].bind(window) : window[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return window;
}

export function closePage() {
  for (const [name, descriptor] of before) {
    delete globalThis[name];
    if (descriptor !== undefined) {
      Object.defineProperty(globalThis, name, descriptor);
    }
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

/** The service's card sessions: `opened` has their ids, `cards` those that came to a card. */
export class Sessions {
  opened = [];
  cards = new Map();
  expirationDate = "2030-01-01T00:00:00.0000000Z";
  /** Where set, each new session is `(reply) => answer` of it. */
  open = (reply) => reply;

  answer = ({ method, path }) => {
    if (!path.startsWith("/v1/card-onboarding-sessions")) {
      return undefined;
    }
    if (method === "POST") {
      this.opened.push(sessionId(this.opened.length + 1));
      return this.open(this.#reply(this.opened.at(-1)));
    }
    return this.#reply(path.split("/").at(-1));
  };

  /** Holds the answers back: each is given when its turn is called. */
  hold() {
    const held = [];
    this.open = (reply) => new Promise((resolve) => held.push(() => (resolve(reply), settled())));
    return held;
  }

  #reply(id) {
    const cardId = this.cards.get(id) ?? null;
    return { id, status: cardId === null ? "INCOMPLETE" : "SUCCEEDED", expirationDate: this.expirationDate, cardId };
  }
}

export const sessionId = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** What a form's frame does. */
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
  },
});

/** The page's policy keeps an address out. */
export function violate(effectiveDirective, blockedURI) {
  const event = Event.createImpl(window, ["securitypolicyviolation"], { isTrusted: true });
  Object.assign(wrapperForImpl(event), { disposition: "enforce", effectiveDirective, blockedURI });
  tryImplForWrapper(window)._dispatch(event);
}

/** A test with a form on a page, whose frame has loaded. `pay` has the customer verify a card. */
export function formTest(name, work) {
  test(name, (t) =>
    withPage(async (page) => {
      const sessions = new Sessions();
      const loaded = await kit(sessions.answer);
      const form = await loaded.remit.cardForm({ container: "#card" });
      const frame = frameOf(form);
      await frame.load();
      const pay = (cardId) => {
        sessions.cards.set(form.sessionId, cardId);
        frame.say(START, SUCCESS);
        return settled();
      };
      await work({ ...loaded, ...page, t, form, frame, sessions, pay, say: (...messages) => frame.say(...messages) });
    }),
  );
}

export const typesOf = (events) => events.map((event) => event.type);

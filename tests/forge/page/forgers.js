import { turningInto } from "./messages.js";
import { reach, sleep, tell } from "./windows.js";

/** The senders that can forge a message at any time. Each sends one message to the page. */
export const FORGERS = {
  page: (_, data) => window.postMessage(data, "*"),

  /** An event with the right origin and window. */
  synthetic: ({ form }, data) => window.dispatchEvent(makeEvent(form, data)),

  /** The same with data that becomes a message when it is read as text; only a script of the page can. */
  syntheticObject: ({ form }, data) => window.dispatchEvent(makeEvent(form, turningInto(data))),

  claimsTrust({ form }, data) {
    const event = makeEvent(form, data);
    define(event, { isTrusted: true });
    define(Object.getPrototypeOf(event), { isTrusted: true });
    window.dispatchEvent(event);
  },

  /** An event of another class with the members of a message. */
  noMessage({ form, chance }, data) {
    const event = chance.pick([new Event("message"), new CustomEvent("message", { detail: data })]);
    define(event, { data, origin: form.origin, source: form.window, ports: [] });
    window.dispatchEvent(event);
  },

  /** An event whose members throw when they are read. */
  trap() {
    const event = new Event("message");
    for (const name of ["data", "origin", "source"]) {
      Object.defineProperty(event, name, {
        get() {
          throw new Error(name);
        },
      });
    }
    window.dispatchEvent(event);
  },

  /** A genuine event, dispatched again. */
  replayed: ({ form }) => window.dispatchEvent(form.genuineEvent),

  otherFrame: ({ helpers }, data) => sayIn(helpers.otherFrame, data),

  /** A frame of the right origin in the form's own frame. */
  async nestedFrame({ form: { window, origin } }, data) {
    if (window.length === 0) tell(window, { nest: `${origin}/nested` });
    while (window.length === 0) await sleep(2);
    await reach(window[0], origin);
    sayIn(window[0], data);
  },

  /** A frame that the page fills itself. */
  ownFrame: ({ helpers }, data) => sayIn(helpers.ownFrame, data),

  /** The form's own address in a frame without an origin. */
  sandboxedFrame: ({ helpers }, data) => sayIn(helpers.sandboxedFrame, data),

  /** A frame that is gone when its message arrives. */
  removedFrame(_, data) {
    const frame = document.createElement("iframe");
    document.querySelector("#others").append(frame);
    frame.contentWindow.eval(`parent.postMessage(${JSON.stringify(data)}, "*")`);
    frame.remove();
  },

  /** The frame of a destroyed form, put back by the page. */
  async replacedFrame({ former: { iframe, origin } }, data) {
    iframe.src = `${origin}/again`;
    document.querySelector("#others").append(iframe);
    await reach(iframe.contentWindow, origin);
    sayIn(iframe.contentWindow, data);
  },

  popup: ({ helpers }, data) => sayIn(helpers.popup, data),

  opener: ({ helpers }, data) => sayIn(helpers.opener, data),

  /** Another form on the same page, whose messages are genuine for its own SDK alone. */
  sibling: ({ sibling }) => sibling.sayGenuine(),

  /** What the form's page posts to a port, dispatched again on the window. */
  async port({ form }, data) {
    const port = tell(form.window, { sayOverPort: [data] });
    port.start();
    await dispatchAgain(form, port);
  },

  async broadcast({ form, helpers }, data) {
    const [from, to] = helpers.channel;
    from.postMessage(data);
    await dispatchAgain(form, to);
  },

  async worker({ form, helpers: { worker } }, data) {
    worker.postMessage(data);
    await dispatchAgain(form, worker);
  },
};

function sayIn(window, data) {
  tell(window, { say: [data] });
}

/** Firefox accepts no window of another origin as `source` in the constructor, but lets it be defined. */
function makeEvent({ origin, window: source }, data) {
  const init = { data, origin };
  try {
    return new MessageEvent("message", { ...init, source });
  } catch {
    return define(new MessageEvent("message", init), { source });
  }
}

/** Defines members, where the engine allows it. */
function define(object, values) {
  for (const [name, value] of Object.entries(values)) {
    try {
      Object.defineProperty(object, name, { value, configurable: true });
    } catch {
      // It stays as it is.
    }
  }
  return object;
}

/** Waits for a message of the target, and dispatches it on the window as if the form had sent it. */
async function dispatchAgain(form, target) {
  const event = await new Promise((resolve) => target.addEventListener("message", resolve, { once: true }));
  // An event cannot be dispatched while it is being dispatched.
  await sleep(0);
  define(event, { origin: form.origin, source: form.window });
  window.dispatchEvent(event);
}

import { FAIL, START } from "./messages.js";
import { reach, sleep, tell } from "./windows.js";

/**
 * The senders that can forge a message at any time. Each sends one to the page of a round and returns a
 * promise that resolves on its arrival, or nothing if this round lacks what it needs.
 */
export const FORGERS = {
  page({ world }, message) {
    const arrived = world.witness.expect(window, location.origin, message);
    window.postMessage(message.data, "*");
    return arrived;
  },

  /** An event with the right origin and window, and data of any kind. */
  synthetic: ({ world, subject }, message) => dispatch(world, makeEvent(subject, message.data), message),

  claimsTrust({ world, subject }, message) {
    const event = makeEvent(subject, message.data);
    define(event, { isTrusted: true });
    define(Object.getPrototypeOf(event), { isTrusted: true });
    return dispatch(world, event, message);
  },

  /** An event of another class with the members of a message. */
  noMessage({ world, subject, chance }, message) {
    const event = chance.pick([new Event("message"), new CustomEvent("message", { detail: message.data })]);
    define(event, { data: message.data, origin: subject.cardOrigin, source: subject.window, ports: [] });
    return dispatch(world, event, message);
  },

  /** An event whose members throw when they are read. */
  trap({ world }, message) {
    const event = new Event("message");
    for (const name of ["data", "origin", "source"]) {
      Object.defineProperty(event, name, {
        get() {
          throw new Error(name);
        },
      });
    }
    return dispatch(world, event, message);
  },

  /** A genuine event, dispatched again. */
  replayed({ world, subject }, message) {
    const event = world.witness.genuineEvents.get(subject);
    return event && dispatch(world, event, { ...message, data: event.data });
  },

  otherFrame: ({ world }, message) => sayIn(world, world.helpers.otherFrame, world.origins.card, message),

  /** A frame of the right origin in the form's own frame. */
  async nestedFrame({ world, subject: { window, cardOrigin } }, message) {
    if (window.length === 0) tell(window, { nest: `${cardOrigin}/nested` });
    while (window.length === 0) await sleep(2);
    await reach(window[0], cardOrigin);
    return sayIn(world, window[0], cardOrigin, message);
  },

  /** A frame that the page fills itself. */
  ownFrame: ({ world }, message) => sayIn(world, world.helpers.ownFrame, location.origin, message),

  /** The form's own address in a frame without an origin. */
  sandboxedFrame: ({ world }, message) => sayIn(world, world.helpers.sandboxedFrame, "null", message),

  /** A frame that is gone when its message arrives. */
  removedFrame({ world }, message) {
    const frame = document.createElement("iframe");
    document.querySelector("#others").append(frame);
    const arrived = world.witness.expectOrphan(message);
    frame.contentWindow.eval(`parent.postMessage(${JSON.stringify(message.data)}, "*")`);
    frame.remove();
    return arrived;
  },

  /** The frame of a destroyed form, put back by the page. */
  async replacedFrame({ world, former }, message) {
    const { iframe, cardOrigin } = former;
    if (!iframe.isConnected) {
      iframe.src = `${cardOrigin}/again`;
      document.querySelector("#others").append(iframe);
    }
    await reach(iframe.contentWindow, cardOrigin);
    return sayIn(world, iframe.contentWindow, cardOrigin, message);
  },

  popup: ({ world }, message) => sayIn(world, world.helpers.popup, world.origins.card, message),

  opener: ({ world }, message) => sayIn(world, world.helpers.opener, world.origins.card, message),

  /** Another form on the same page, whose messages are genuine for its own SDK alone. */
  sibling: ({ sibling }, { kind }) => sibling?.sayGenuine(sibling.script.isVerifying ? FAIL : START, kind),

  /** What the form's page posts to a port, dispatched again on the window. */
  port({ world, subject }, message) {
    const port = tell(subject.window, { sayOverPort: [message.data] });
    port.start();
    return redispatched(world, subject, port, () => {}, message);
  },

  broadcast({ world, subject }, message) {
    const [from, to] = world.helpers.channel;
    return redispatched(world, subject, to, () => from.postMessage(message.data), message);
  },

  worker({ world, subject }, message) {
    const { worker } = world.helpers;
    return redispatched(world, subject, worker, () => worker.postMessage(message.data), message);
  },
};

function sayIn(world, window, origin, message) {
  const arrived = world.witness.expect(window, origin, message);
  tell(window, { say: [message.data] });
  return arrived;
}

function dispatch(world, event, message) {
  const arrived = world.witness.expectEvent(event, message);
  window.dispatchEvent(event);
  return arrived;
}

/** Firefox accepts no window of another origin as `source` in the constructor, but lets it be defined. */
function makeEvent({ cardOrigin, window: source }, data) {
  const init = { data, origin: cardOrigin };
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

function redispatched(world, subject, target, post, message) {
  return new Promise((resolve) => {
    const listener = (event) => {
      if (event.data !== message.data) return;
      target.removeEventListener("message", listener);
      // An event cannot be dispatched while it is being dispatched.
      setTimeout(() => {
        define(event, { origin: subject.cardOrigin, source: subject.window });
        resolve(dispatch(world, event, message));
      });
    };
    target.addEventListener("message", listener);
    post();
  });
}

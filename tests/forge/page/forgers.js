import { FAIL, START } from "./script.js";
import { sleep } from "./pause.js";
import { reach, tell } from "./tell.js";

/**
 * Everyone who can forge a message at any time. Each sends one to the page of a round and returns a promise
 * that resolves on its arrival, or nothing if this round lacks what it needs.
 */
export const FORGERS = {
  /** The page itself. */
  page({ world }, message) {
    const arrived = world.witness.expect(window, location.origin, message);
    window.postMessage(message.data, "*");
    return arrived;
  },

  /** An event with the right origin and window, and data of any kind. */
  synthetic: ({ world, subject }, message) => dispatch(world, makeEvent(subject, message.data), message),

  claimsTrust({ world, subject }, message) {
    const event = makeEvent(subject, message.data);
    attempt(() => Object.defineProperty(event, "isTrusted", { value: true }));
    attempt(() => Object.defineProperty(Object.getPrototypeOf(event), "isTrusted", { value: true, configurable: true }));
    return dispatch(world, event, message);
  },

  /** An event of another class that has what a message has. */
  noMessage({ world, subject, chance }, message) {
    const event = chance.pick([new Event("message"), new CustomEvent("message", { detail: message.data })]);
    own(event, { data: message.data, origin: subject.cardOrigin, source: subject.window, ports: [] });
    return dispatch(world, event, message);
  },

  /** One that throws when it is looked at. */
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

  /** What the form itself has said, once more. */
  replayed({ world, subject }, message) {
    const event = world.witness.genuineEvents.get(subject);
    return event && dispatch(world, event, { ...message, data: event.data });
  },

  /** Another frame of the form's origin. */
  otherFrame({ world, subject }, message) {
    const { contentWindow } = world.helpers.otherFrames[subject.cardOrigin];
    if (!subject.isForeign) return sayIn(world, contentWindow, subject.cardOrigin, message);
    const arrived = world.witness.expect(contentWindow, subject.cardOrigin, message);
    // The sandbox's page for tests sends back what it is sent.
    contentWindow.postMessage(message.data, "*");
    return arrived;
  },

  /** A frame of the right origin in the form's own frame. */
  nestedFrame: ({ world, subject }, message) => (subject.isForeign ? undefined : sayNested(world, subject, message)),

  /** A frame that the page made and fills itself. */
  ownFrame: ({ world }, message) => sayIn(world, world.helpers.ownFrame.contentWindow, location.origin, message),

  /** The form's own address in a frame without an origin. */
  sandboxedFrame: ({ world }, message) => sayIn(world, world.helpers.sandboxedFrame.contentWindow, "null", message),

  /** A frame that is gone when its message comes. */
  removedFrame({ world }, message) {
    const frame = document.createElement("iframe");
    document.querySelector("#others").append(frame);
    const arrived = world.witness.expectOfNobody(message);
    frame.contentWindow.eval(`parent.postMessage(${JSON.stringify(message.data)}, "*")`);
    frame.remove();
    return arrived;
  },

  /** The frame of a form that was destroyed, put back by the page. */
  replacedFrame: ({ world, former }, message) => former && sayInReplaced(world, former, message),

  popup: ({ world }, message) => sayIn(world, world.helpers.popup, world.config.origins.card, message),

  opener: ({ world }, message) => sayIn(world, world.helpers.opener, world.config.origins.card, message),

  /** Another SDK's form on the same page: what it says is genuine there, and nowhere else. */
  sibling({ sibling }, { kind }) {
    return sibling?.sayGenuine(sibling.script.isVerifying ? FAIL : START, kind);
  },

  /** What the form's page posts to a port, dispatched again where it does not belong. */
  port({ world, subject }, message) {
    if (subject.isForeign) return undefined;
    const port = tell(subject.window, { sayOverPort: [message.data] });
    port.start();
    return passedOn(world, subject, port, () => {}, message);
  },

  broadcast({ world, subject }, message) {
    const [from, to] = world.helpers.channel;
    return passedOn(world, subject, to, () => from.postMessage(message.data), message);
  },

  worker({ world, subject }, message) {
    const { worker } = world.helpers;
    return passedOn(world, subject, worker, () => worker.postMessage(message.data), message);
  },
};

function sayIn(world, window, origin, message) {
  const arrived = world.witness.expect(window, origin, message);
  tell(window, { say: [message.data] });
  return arrived;
}

async function sayNested(world, { window, cardOrigin }, message) {
  if (window.length === 0) tell(window, { nest: `${cardOrigin}/nested` });
  while (window.length === 0) await sleep(2);
  await reach(window[0], cardOrigin);
  return sayIn(world, window[0], cardOrigin, message);
}

async function sayInReplaced(world, { iframe, cardOrigin }, message) {
  if (!iframe.isConnected) {
    iframe.src = `${cardOrigin}/again`;
    document.querySelector("#others").append(iframe);
  }
  await reach(iframe.contentWindow, cardOrigin);
  return sayIn(world, iframe.contentWindow, cardOrigin, message);
}

function dispatch(world, event, message) {
  const arrived = world.witness.made(event, message);
  window.dispatchEvent(event);
  return arrived;
}

/** Firefox takes no window of another origin as a source, but lets it be put there. */
function makeEvent({ cardOrigin, window: source }, data) {
  const init = { data, origin: cardOrigin };
  try {
    return new MessageEvent("message", { ...init, source });
  } catch {
    return own(new MessageEvent("message", init), { source });
  }
}

function own(event, values) {
  for (const [name, value] of Object.entries(values)) attempt(() => Object.defineProperty(event, name, { value }));
  return event;
}

function passedOn(world, subject, target, post, message) {
  return new Promise((resolve) => {
    const listener = (event) => {
      if (event.data !== message.data) return;
      target.removeEventListener("message", listener);
      // Not while it is being dispatched.
      setTimeout(() => resolve(again(world, subject, event, message)));
    };
    target.addEventListener("message", listener);
    post();
  });
}

function again(world, subject, event, message) {
  own(event, { origin: subject.cardOrigin, source: subject.window });
  return dispatch(world, event, message);
}

function attempt(work) {
  try {
    work();
  } catch {
    // The engine allows it or not.
  }
}

// What is asked of the engine in its own language, as each member that is set from the wasm is an import and
// a crossing.

// The engine tells of a violation of a policy in a task of its own, which may come after the request has
// failed.
const TOLD_WITHIN_MS = 50;
const VIOLATION = "securitypolicyviolation";

// The status of a result. A reply has its HTTP status instead.
const DONE = 0;
const NETWORK = -1;
const TIMEOUT = -2;
const BLOCKED = -4;

const encoder = new TextEncoder();

// A list of ten thousand corridors has some five million bytes.
const LONGEST_REPLY = 2 ** 26;
// In the place of a longer one, as it can be nothing else than unreadable.
const UNREADABLE = new Uint8Array(1);

/**
 * Runs the asynchronous work and reports each result under the id of its request:
 * `told(id, status, body?, requestId?, type?, retryAfter)`.
 */
export class Engine {
  #told;
  // How to give up what is under way, and how to let go of what was granted, by number.
  #stops = new Map();
  #locks = new Map();

  constructor(told) {
    this.#told = told;
  }

  /** Cancels it: it has no result any more. */
  stop(id) {
    const stop = this.#stops.get(id);
    this.#stops.delete(id);
    stop?.();
  }

  /** Lets go of the lock that was granted under this number, if one was. */
  release(id) {
    const release = this.#locks.get(id);
    this.#locks.delete(id);
    release?.();
  }

  /** Gives up all that is under way, and lets go of all locks. */
  stopAll() {
    this.#stops.forEach((_, id) => this.stop(id));
    this.#locks.forEach((_, id) => this.release(id));
  }

  /** Waits so many milliseconds, or where `ms` is negative for ever, unless the signal ends the call. */
  wait(id, ms, signal) {
    const tell = this.#ask(id, ms, DONE, () => signal?.removeEventListener("abort", abort));
    const abort = () => tell(DONE);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) {
      queueMicrotask(abort);
    }
  }

  /** Sends a request once, and waits for the whole reply. */
  async send(id, url, method, bearer, accept, language, body, ms) {
    const controller = new AbortController();
    let isOver = false;
    let isBlocked = false;
    // The page's content security policy keeps a request back, which a failed fetch alone does not tell. The
    // whole address counts: that nothing was sent must be certain of this very request.
    const noteViolation = (event) => {
      if (event.isTrusted && event.disposition === "enforce" && event.effectiveDirective === "connect-src") {
        isBlocked ||= event.blockedURI === url;
      }
    };
    const tell = this.#ask(id, ms, TIMEOUT, () => {
      globalThis.document?.removeEventListener(VIOLATION, noteViolation);
      // To abort makes an exception, which takes as long as all the rest.
      if (!isOver) {
        controller.abort();
      }
    });
    globalThis.document?.addEventListener(VIOLATION, noteViolation);
    let reply;
    try {
      // The page may have put a function of its own in the place of `fetch`: it runs when the core is no
      // longer at work.
      await undefined;
      if (controller.signal.aborted) {
        return;
      }
      const response = await fetch(url, wishes(method, bearer, accept, language, body, controller.signal));
      const { headers, status } = response;
      const header = (name) => headers.get(name) ?? undefined;
      // As bytes, which cross as they are: a text would be made of them here, and bytes of it again.
      // Of a refusal the code counts, whatever has become of a letter of its message.
      let bytes = response.ok ? new Uint8Array(await response.arrayBuffer()) : encoder.encode(await response.text());
      // The module's memory never shrinks. What any type will do for need not enter it.
      if (bytes.length > LONGEST_REPLY && !(response.ok && accept === "*/*")) {
        bytes = UNREADABLE;
      }
      reply = [status, bytes, header("request-id"), header("content-type"), secondsUntil(header("retry-after"))];
    } catch {
      if (globalThis.document && !isBlocked) {
        await new Promise((resolve) => setTimeout(resolve, TOLD_WITHIN_MS));
      }
      reply = [isBlocked ? BLOCKED : NETWORK];
    }
    isOver = true;
    tell(...reply);
  }

  /** Waits so long for a text, or nothing, that a function of the page promises. */
  async ask(id, ms, promise) {
    const tell = this.#ask(id, ms, TIMEOUT);
    let answer;
    try {
      answer = [DONE, textOf(await promise)];
    } catch (error) {
      // What the page threw may hold secrets: pass on nothing but the code of an error of our own.
      answer = [NETWORK, ownCode(error)];
    }
    const [status, text] = answer;
    tell(status, text === undefined ? undefined : encoder.encode(text));
  }

  /**
   * Waits for a lock that one page of an origin holds at a time, so long, or where `ms` is negative for ever.
   * The lock is let go by `release`; so it is when the page goes away. Where there are no Web Locks (outside
   * a secure context, in an old browser) only those who ask for it within the page wait for each other.
   */
  lock(id, name, ms) {
    const controller = new AbortController();
    const tell = this.#ask(id, ms, TIMEOUT, () => controller.abort());
    const work = () =>
      new Promise((release) => {
        // What was given up in this very moment is not held.
        if (controller.signal.aborted) {
          release();
          return;
        }
        this.#locks.set(id, release);
        tell(DONE);
      });
    const request = async () => navigator.locks.request(name, { signal: controller.signal }, work);
    // What rejects once it was given up is nobody's error; what rejects otherwise is no lock.
    request().catch(() => inTurn(name, work));
  }

  // Begins what ends by itself after so many milliseconds. Gives how to tell of it, once at most: the same
  // number may be asked for something else when this was given up, and what settles late is no answer to
  // that.
  #ask(id, ms, late, end) {
    const timer = ms < 0 ? undefined : setTimeout(() => tell(late), ms);
    const stop = () => {
      clearTimeout(timer);
      end?.();
    };
    const tell = (status, body, requestId, type, retryAfter = -1) => {
      if (this.#stops.get(id) === stop) {
        this.stop(id);
        this.#told(id, status, body, requestId, type, retryAfter);
      }
    };
    this.#stops.set(id, stop);
    return tell;
  }
}

// The last to ask for a name in this page, where the engine has no locks.
const turns = new Map();

function inTurn(name, work) {
  const turn = Promise.resolve(turns.get(name))
    .then(work, work)
    .finally(() => turns.get(name) === turn && turns.delete(name));
  turns.set(name, turn);
}

function wishes(method, bearer, accept, language, body, signal) {
  const headers = { Authorization: `Bearer ${bearer}`, Accept: accept };
  if (language !== undefined) {
    headers["Accept-Language"] = language;
  }
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  return {
    method,
    headers,
    body,
    signal,
    // Prices and required fields change.
    cache: "no-store",
    // The token says it all.
    credentials: "omit",
    // A redirect would carry the token, or a second copy of a POST, elsewhere.
    redirect: "error",
    referrerPolicy: "no-referrer",
  };
}

// `Retry-After` is a number of seconds or a date; -1 where it is neither, as what engines take for a date may
// be: most odd forms are one that is long past.
function secondsUntil(retryAfter) {
  if (retryAfter === undefined) {
    return -1;
  }
  const seconds = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return seconds >= 0 ? Math.ceil(seconds) : -1;
}

function ownCode(error) {
  try {
    return error.name === "RemitError" ? textOf(error.code) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds since 1970 of a date of the service, which writes up to 7 decimals of a second, of which
 * engines need to know 3 only.
 */
export function timeOf(date) {
  return Date.parse(date.replace(/(\.\d{3})\d+/, "$1"));
}

const COLOR = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+|[a-z-]+\(.+\))$/i;

/**
 * Whether the engine takes the text for a CSS colour; whether it is written as one where none can tell, as on
 * a server.
 */
export function isColor(text) {
  return globalThis.CSS?.supports?.("color", text) ?? COLOR.test(text.trim());
}

// Nothing is converted.
function textOf(value) {
  return typeof value === "string" ? value : undefined;
}

// Requests, timers and locks, in JavaScript: from the wasm each property set would be an import and a
// boundary crossing.

// The event for a policy violation comes in a separate task, maybe after the request has failed.
const VIOLATION_WITHIN_MS = 50;
const VIOLATION = "securitypolicyviolation";

// The status of a result without a reply; a reply has its HTTP status.
const DONE = 0;
const NETWORK = -1;
const TIMEOUT = -2;
const BLOCKED = -4;
// The page's own `fetch` failed as no network does; or there is none, and nothing was sent.
const FAULTY = -5;
const MISSING = -6;

const encoder = new TextEncoder();

// A list of ten thousand corridors has some five million bytes.
const MAX_REPLY_BYTES = 2 ** 26;
// Replaces a longer one, which is unreadable anyway.
const UNREADABLE = new Uint8Array(1);

/**
 * Runs the asynchronous work and reports each result under the id of its request:
 * `report(id, status, body?, requestId?, type?, retryAfter, from?, cause?)`. `from` is the address that a
 * reply came from if it is another than the requested one: that of an earlier request, if a cache answered.
 */
export class Engine {
  #report;
  // Functions by id that cancel pending work, and that release granted locks.
  #stops = new Map();
  #locks = new Map();

  constructor(report) {
    this.#report = report;
  }

  /** Cancels the work of an id, which then has no result. */
  stop(id) {
    const stop = this.#stops.get(id);
    this.#stops.delete(id);
    stop?.();
  }

  /** Releases the lock that was granted under an id, if any. */
  release(id) {
    const release = this.#locks.get(id);
    this.#locks.delete(id);
    release?.();
  }

  /** Cancels all work and releases all locks. */
  stopAll() {
    this.#stops.forEach((_, id) => this.stop(id));
    this.#locks.forEach((_, id) => this.release(id));
  }

  /** Waits until the timeout or the signal's abort; a negative `ms` is no timeout. */
  wait(id, ms, signal) {
    const finish = this.#begin(id, ms, DONE, () => signal?.removeEventListener("abort", abort));
    const abort = () => finish(DONE);
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
    // A failed fetch alone does not show that the page's content security policy blocked it. Compare the
    // whole URL: it must be certain that this very request was not sent.
    const noteViolation = (event) => {
      if (event.isTrusted && event.disposition === "enforce" && event.effectiveDirective === "connect-src") {
        isBlocked ||= event.blockedURI === url;
      }
    };
    const finish = this.#begin(id, ms, TIMEOUT, () => {
      globalThis.document?.removeEventListener(VIOLATION, noteViolation);
      // An abort throws an exception, which takes as long as everything else.
      if (!isOver) {
        controller.abort();
      }
    });
    globalThis.document?.addEventListener(VIOLATION, noteViolation);
    let reply;
    try {
      // A page that replaced `fetch` must not run while the core does.
      await undefined;
      if (controller.signal.aborted) {
        return;
      }
      const init = { ...requestInit(method, bearer, accept, language, body), ...abortedBy(controller) };
      const response = await responseTo(url, init);
      const { headers, status } = response;
      const header = (name) => headers.get(name) ?? undefined;
      noteTime(header("date"));
      // Bytes cross the boundary as they are; text would be decoded here and encoded again. A refusal is
      // decoded leniently, as its code matters more than a letter of its message.
      let bytes = response.ok
        ? new Uint8Array(await response.arrayBuffer())
        : encoder.encode(await response.text());
      // The module's memory never shrinks. Bytes of any type do not enter it.
      if (bytes.length > MAX_REPLY_BYTES && !(response.ok && accept === "*/*")) {
        bytes = UNREADABLE;
      }
      reply = [
        status,
        bytes,
        header("request-id"),
        header("content-type"),
        secondsUntil(header("retry-after")),
        response.url === url ? undefined : textOf(response.url) || undefined,
      ];
    } catch (error) {
      const isFault = error instanceof FetchFault;
      if (globalThis.document && !isBlocked && !isFault) {
        await new Promise((resolve) => setTimeout(resolve, VIOLATION_WITHIN_MS));
      }
      const status = isFault ? (globalThis.fetch ? FAULTY : MISSING) : isBlocked ? BLOCKED : NETWORK;
      const cause = withoutSecrets((isFault && error.cause) || error, bearer, body);
      reply = [status, undefined, undefined, undefined, undefined, undefined, cause];
    }
    isOver = true;
    finish(...reply);
  }

  /** Whether a service worker may answer requests, maybe from its cache. */
  mayBeCached() {
    return Boolean(globalThis.navigator?.serviceWorker?.controller);
  }

  /** Waits for a text, or nothing, that a function of the page promises. */
  async ask(id, ms, promise) {
    const finish = this.#begin(id, ms, TIMEOUT);
    let answer;
    try {
      answer = [DONE, textOf(await promise)];
    } catch (error) {
      // What the page threw may contain secrets: pass on only the code of a `RemitError`.
      answer = [NETWORK, ownCode(error)];
    }
    const [status, text] = answer;
    finish(status, text === undefined ? undefined : encoder.encode(text));
  }

  /**
   * Acquires a lock that one page of an origin holds at a time, until `release` or until the page goes away;
   * a negative `ms` is no timeout. Without Web Locks (outside a secure context, in an old browser) only the
   * requests of this page exclude each other.
   */
  lock(id, name, ms) {
    const controller = new AbortController();
    const finish = this.#begin(id, ms, TIMEOUT, () => controller.abort());
    const work = () =>
      new Promise((release) => {
        // Cancelled at the moment of the grant.
        if (controller.signal.aborted) {
          release();
          return;
        }
        this.#locks.set(id, release);
        finish(DONE);
      });
    const request = async () => navigator.locks.request(name, { signal: controller.signal }, work);
    // After a cancellation `work` releases at once; any other rejection means that there are no Web Locks.
    request().catch(() => inTurn(name, work));
  }

  // Begins work with a timeout that reports `late`. Returns the function that reports its result, at most
  // once: after a cancellation the id may be reused, and a late result is not for that.
  #begin(id, ms, late, cleanUp) {
    const timer = ms < 0 ? undefined : setTimeout(() => finish(late), ms);
    const stop = () => {
      clearTimeout(timer);
      cleanUp?.();
    };
    const finish = (status, body, requestId, type, retryAfter = -1, from, cause) => {
      if (this.#stops.get(id) === stop) {
        this.stop(id);
        this.#report(id, status, body, requestId, type, retryAfter, from, cause);
      }
    };
    this.#stops.set(id, stop);
    return finish;
  }
}

// The last request for each name in this page, without Web Locks.
const turns = new Map();

function inTurn(name, work) {
  const turn = Promise.resolve(turns.get(name))
    .then(work, work)
    .finally(() => turns.get(name) === turn && turns.delete(name));
  turns.set(name, turn);
}

/** What the page's own `fetch` does, and no engine's. */
class FetchFault extends Error {}

async function responseTo(url, init) {
  let reply;
  try {
    reply = fetch(url, init);
  } catch (cause) {
    // It may have sent the request before.
    throw new FetchFault("fetch has thrown", { cause });
  }
  const response = await reply;
  const { arrayBuffer, text, headers, bodyUsed } = response ?? {};
  if (!arrayBuffer || !text || !headers?.get) {
    throw new FetchFault("fetch has not given a Response");
  }
  if (bodyUsed) {
    throw new FetchFault("the body of fetch's Response has been read before");
  }
  return response;
}

/**
 * Returns the option that lets a controller abort a fetch. None where it would be refused: a test DOM has its
 * own AbortController beside the engine's fetch.
 */
export function abortedBy({ signal }) {
  try {
    new Request("data:,", { signal });
    return { signal };
  } catch {
    return {};
  }
}

/** Returns what `fetch` threw, unless it repeats the token or what the customer entered. */
function withoutSecrets(thrown, bearer, body = "0") {
  const secrets = [bearer];
  JSON.parse(body, (_, value) => {
    if (value?.length > 3) {
      secrets.push(value);
    }
    return value;
  });
  try {
    const text = textIn(thrown, 4);
    if (!secrets.some((secret) => text.includes(secret))) {
      return thrown;
    }
  } catch {
    // What cannot be read may repeat them.
  }
  return undefined;
}

function textIn(value, depth) {
  return Object(value) !== value || depth === 0
    ? String(value)
    : Reflect.ownKeys(value)
        .map((name) => textIn(value[name], depth - 1))
        .join();
}

function requestInit(method, bearer, accept, language, body) {
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
    // Prices and required fields change.
    cache: "no-store",
    // The token is the only credential.
    credentials: "omit",
    // A redirect would carry the token, or a second copy of a POST, elsewhere.
    redirect: "error",
    referrerPolicy: "no-referrer",
  };
}

// Returns the seconds of a `Retry-After`, which is a number or a date; -1 for neither. Engines parse most odd
// forms as a date long past.
function secondsUntil(retryAfter) {
  if (retryAfter === undefined) {
    return -1;
  }
  const seconds = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter)
    : (timeOf(retryAfter) - Date.now()) / 1000;
  return seconds >= 0 ? Math.ceil(seconds) : -1;
}

function ownCode(error) {
  try {
    return error.name === "RemitError" ? textOf(error.code) : undefined;
  } catch {
    return undefined;
  }
}

// The service's time when `performance.now()` was 0, by its replies: a page may read their `Date` if they
// come from its own origin or expose it.
let serviceOrigin;

// A cached reply has an old `Date`, so the latest time counts. The header has whole seconds: rounded up, what
// ends is never shown longer than it lasts.
function noteTime(date) {
  const origin = Date.parse(date) + 1000 - performance.now();
  if (!Number.isNaN(origin)) {
    serviceOrigin = Math.max(serviceOrigin ?? origin, origin);
  }
}

/** Whether the service's replies have told its time; otherwise the device's, which may be wrong, counts. */
export function knowsTime() {
  return serviceOrigin !== undefined;
}

/**
 * Parses a date of the service to milliseconds since 1970 by the device's clock, however wrong that is. The
 * service writes up to 7 decimals of a second; engines need not parse more than 3.
 */
export function timeOf(date) {
  const ahead = knowsTime() ? Math.round(serviceOrigin + performance.now() - Date.now()) : 0;
  return Date.parse(date.replace(/(\.\d{3})\d+/, "$1")) - ahead;
}

const COLOR = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+|[a-z-]+\(.+\))$/i;

/** Whether the text is a CSS colour for the engine; without `CSS.supports`, as on a server, by its form. */
export function isColor(text) {
  return globalThis.CSS?.supports?.("color", text) ?? COLOR.test(text.trim());
}

// Returns a string, and converts nothing else to one.
function textOf(value) {
  return typeof value === "string" ? value : undefined;
}

// The headers that are read.
const HEADERS = ["content-type", "date", "request-id", "retry-after"];
// How much of what `fetch` threw is read: what is larger is not shown.
const MAX_VALUES = 400;
const MAX_TEXT = 20_000;
// How many consecutive characters of a secret reveal it, and how many of them are compared.
const REVEALING_LENGTH = 16;
const MAX_SECRET = 4000;
// A `Date` that is older than the last one by more than this comes from a cache.
const MAX_LATE_MS = 30_000;

/** Why there is no reply: what a network's fault has thrown, or a `fetch` that does not work as one. */
class FetchFailure {
  constructor(isFaulty, cause) {
    this.isFaulty = isFaulty;
    this.cause = cause;
  }
}

/** In place of a page's own class of the name `Request`, such as MooTools': holds what it is given. */
class HeldRequest {
  constructor(url, init) {
    Object.assign(this, init);
    this.url = url;
  }
}

const isOfEngine = (Request) => Request !== undefined && "cache" in Request.prototype;

/**
 * Lets `new Request` construct one that can be read, until the function that is returned is called. Throws
 * where the page has no requests, as in a test's page.
 */
export function lendRequest() {
  const { fetch, Headers, Request } = globalThis;
  if (!fetch || !Headers) throw new Error("no fetch");
  if (isOfEngine(Request)) return () => {};
  globalThis.Request = HeldRequest;
  return () => {
    globalThis.Request = Request;
  };
}

/** Returns the options of `fetch` for a request: monitors that wrap it read an address and plain headers. */
function optionsOf({ method, headers, signal }, body) {
  const options = {
    method,
    headers: {},
    body,
    signal,
    // Prices and required fields change.
    cache: "no-store",
    // The token is the only credential.
    credentials: "omit",
    // A redirect would carry the token, or a second copy of a POST, elsewhere.
    redirect: "error",
    referrerPolicy: "no-referrer",
  };
  headers.forEach((value, name) => {
    options.headers[name] = value;
  });
  return options;
}

/** A reply of `fetch`, whose members no code of the page computes. */
class FetchReply {
  #headers;

  constructor({ status, url, headers, bodyUsed, arrayBuffer }) {
    this.status = Number(status);
    if (!(this.status < 600 && arrayBuffer)) throw new Error("fetch has not given a Response");
    if (bodyUsed) throw new Error("the body of fetch's Response has been read before");
    this.url = typeof url === "string" ? url : "";
    this.#headers = new Map(HEADERS.map((name) => [name, headers.get(name)]));
  }

  header(name) {
    const value = this.#headers.get(name);
    return /string|number/.test(typeof value) ? String(value) : undefined;
  }

  // Decoded leniently: the code of a refusal matters more than a letter of its message.
  text() {
    return new TextDecoder().decode(this.body);
  }
}

/** A request and its reply. */
export class Exchange {
  /** When the last of the reply arrived, by `performance.now()`. */
  arrivedAt = -1;
  /** Resolves to a `FetchReply`, or rejects with a `FetchFailure`. */
  reply;

  constructor(request, body) {
    this.reply = this.#send(request, body);
  }

  /**
   * Calls `fetch` in a microtask: a page that replaced it must not run while the module does. Reads all of
   * the reply: the page may have replaced a member of `Response` too.
   */
  async #send(request, body) {
    const options = optionsOf(request, body);
    await undefined;
    try {
      return await this.#replyTo(request.url, options);
    } catch (failure) {
      // Here and not when it is asked for, as this may run code of the page.
      failure.cause = causeOf(failure.cause, options);
      throw failure;
    }
  }

  async #replyTo(url, options) {
    const start = Date.now() - performance.now();
    // It may have sent the request before it throws.
    const response = await received(checked(() => [fetch(url, options)]));
    const reply = checked(() => new FetchReply(response ?? {}));
    // Of `Response.error()` it is 0.
    if (reply.status < 200) throw new FetchFailure(false);
    rememberTime(reply.header("date"), sleptSince(start));
    const arrived = () => (this.arrivedAt = performance.now());
    arrived();
    const content = await received(checked(() => [readAll(response, arrived)]));
    reply.body = checked(() => bytesOf(content));
    return reply;
  }
}

/** Reads all bytes of a reply, and calls `onChunk` for each chunk of it that arrives. */
export function readAll(response, onChunk) {
  watchChunks(response, onChunk);
  return response.arrayBuffer();
}

/**
 * Watches a copy. Of a reply that is itself read in pieces, Chromium keeps no body half of the time: its developer
 * tools would show none, and a page's own tests would read none.
 */
async function watchChunks(response, onChunk) {
  try {
    const reader = response.clone().body.getReader();
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      onChunk(value);
    }
  } catch {
    // A page's own reply may have no stream; a stream that breaks off ends the reading of the reply, too.
  }
}

/** Returns what a function of the page's `fetch` or reply returns: one that throws is no engine's. */
function checked(work) {
  try {
    return work();
  } catch (cause) {
    throw new FetchFailure(true, cause);
  }
}

/** Awaits a promise of the network's. */
async function received([promise]) {
  try {
    return await promise;
  } catch (cause) {
    throw new FetchFailure(false, cause);
  }
}

/** Returns the bytes of a buffer or view, of any realm. Throws for what is none, as a `DataView` does. */
function bytesOf(content) {
  const { buffer = content, byteOffset, byteLength } = content;
  const view = new DataView(buffer, byteOffset, byteLength);
  return new Uint8Array(view.buffer, byteOffset, byteLength);
}

/**
 * Returns what may be shown of what `fetch` threw: itself, if it is plain data that could be read in full and
 * repeats neither the token nor what the customer entered; otherwise an error of the same name and message,
 * without those that repeat some of it.
 */
function causeOf(thrown, { headers, body = "0" }) {
  const secrets = [headers.authorization.replace("Bearer ", "")];
  JSON.parse(body, (_, value) => {
    if (/string|number/.test(typeof value) && String(value).length > 3) secrets.push(String(value));
    return value;
  });
  const isSafe = (read) => {
    try {
      const text = read();
      return !secrets.some((secret) => reveals(text, secret));
    } catch {
      // What cannot be read may repeat them.
      return false;
    }
  };
  if (isSafe(() => textsIn(thrown, []).join())) return thrown;
  const error = new Error(isSafe(() => thrown.message) ? thrown.message : "");
  const value = isSafe(() => thrown.name) ? thrown.name : "Error";
  return Object.defineProperty(error, "name", { __proto__: null, value });
}

/**
 * Collects the texts of a value and of its members, inherited ones too. Throws for what is too large, and for
 * what has functions, which may return more.
 */
function textsIn(value, texts) {
  if (typeof value === "function" || value?.length > MAX_TEXT || texts.length > MAX_VALUES) {
    throw new Error("not plain");
  }
  if (Object(value) !== value) texts.push(String(value));
  else {
    const plain = [Object.prototype, Array.prototype, null];
    for (let owner = value; !plain.includes(owner); owner = Object.getPrototypeOf(owner)) {
      for (const name of Reflect.ownKeys(owner)) {
        texts.push(String(name));
        const isOfClass = owner !== value && name === "constructor";
        if (!isOfClass && value[name] !== Error.prototype.toString) textsIn(value[name], texts);
      }
    }
  }
  return texts;
}

/** Whether a text has a secret or a revealing part of it, as `reveals` of the core finds them. */
function reveals(text, secret) {
  if (text.length > MAX_TEXT) return true;
  const [found, known] = [text, secret.slice(0, MAX_SECRET)].map((one) =>
    one
      .replace(/(%[\da-f]{2})+/gi, decodeURIComponent)
      .replaceAll("\\", "")
      .toLowerCase(),
  );
  for (let at = 0; at === 0 || at + REVEALING_LENGTH <= known.length; at += 1) {
    if (found.includes(known.slice(at, at + REVEALING_LENGTH))) return true;
  }
  return false;
}

/**
 * Whether a controller's signal can abort a request. It would be refused where a test's page has an
 * AbortController of its own beside the platform's fetch.
 */
export function canAbort(signal) {
  try {
    return !isOfEngine(Request) || Boolean(new Request("data:,", { signal }));
  } catch {
    return false;
  }
}

/** Whether a service worker may answer requests, maybe from its cache. */
export const mayBeCached = () => Boolean(globalThis.navigator?.serviceWorker?.controller);

// The service's time, by its replies: what it was when `performance.now()` was 0, and how far it was ahead of the
// device's. A page may read their `Date` if they come from its own origin or expose it.
let serviceOrigin;
let serviceAhead;

/**
 * Notes the `Date` of a reply that came within `sleptMs` of sleep. A cached reply has an old one, so the latest time
 * counts. The header has whole seconds: rounded up, what ends is never shown longer than it lasts.
 */
function rememberTime(date, sleptMs) {
  const origin = Date.parse(date) + 1000 + sleptMs - performance.now();
  // An old one does not know whether the device has slept since the last.
  if (Number.isNaN(origin) || origin < serviceOrigin - MAX_LATE_MS) return;
  serviceOrigin = Math.max(serviceOrigin ?? origin, origin);
  serviceAhead = serviceOrigin + performance.now() - Date.now();
}

// Some devices stop `performance.now()` while they sleep, but never `Date.now()`, which may be set. The later counts.
const serviceNow = () => Math.max(serviceOrigin + performance.now(), serviceAhead + Date.now());

/** How much further the device's clock has gone than the one that may stand still while it sleeps, since `start`. */
const sleptSince = (start) => Math.max(0, Date.now() - performance.now() - start);

/** Whether the service's replies have told its time; otherwise the device's, which may be wrong, counts. */
export function knowsTime() {
  return serviceOrigin !== undefined;
}

/**
 * Parses a date of the service to milliseconds since 1970 by the device's clock, however wrong that is. The
 * service writes up to 7 decimals of a second; browsers need not parse more than 3. A date without a zone is
 * UTC; browsers would read it as local time.
 */
export function timeOf(date) {
  const ahead = knowsTime() ? Math.round(serviceNow() - Date.now()) : 0;
  const exact = date.replace(/(\.\d{3})\d+/, "$1");
  return Date.parse(exact.replace(/^([\d-]+)[T ]([\d:.]+)$/i, "$1T$2Z")) - ahead;
}

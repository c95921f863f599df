import { rememberTime, sleptSince } from "./service-time.js";

// The headers that are read.
const HEADERS = ["content-length", "content-type", "date", "request-id", "retry-after"];
// How much of what `fetch` threw is read: what is larger is not shown.
const MAX_VALUES = 400;
const MAX_TEXT = 10_000;

/**
 * Why there is no reply: what a network's fault has thrown, or a `fetch` that does not work as one. Its texts are read
 * here, as this may run code of the page: `text` is undefined if there may be others.
 */
class FetchFailure {
  constructor(isFaulty, cause) {
    this.isFaulty = isFaulty;
    this.cause = cause;
    this.text = textOf(() => cause);
    this.name = textOf(() => cause.name);
    this.message = textOf(() => cause.message);
  }
}

/**
 * What gloo-net reads of a `Response`, without the code of a page that has replaced a member of it: what that threw
 * would end the module. Such code runs in microtasks, not while the module does.
 */
class PlainResponse {
  #response;
  /** When the last of it arrived, by `performance.now()`. */
  arrivedAt = performance.now();

  constructor(response) {
    const { status, url, headers, bodyUsed, arrayBuffer } = response;
    this.status = Number(status);
    this.ok = this.status >= 200 && this.status < 300;
    if (!(this.status < 600 && arrayBuffer)) throw new Error("fetch has not given a Response");
    if (bodyUsed) throw new Error("the body of fetch's Response has been read before");
    this.url = typeof url === "string" ? url : "";
    this.headers = new Map(HEADERS.map((name) => [name, plainText(headers.get(name))]));
    this.#response = response;
  }

  /** Reads all bytes of the body; `isWatched` notes in `arrivedAt` when a chunk of it arrives. */
  async bytes(isWatched) {
    await undefined;
    if (isWatched) watchChunks(this.#response, () => (this.arrivedAt = performance.now()));
    const content = await received(checked(() => [this.#response.arrayBuffer()]));
    return checked(() => bytesOf(content));
  }
}

const plainText = (value) => (/string|number/.test(typeof value) ? String(value) : undefined);

/**
 * Calls `fetch` in a microtask: a page that replaced it must not run while the module does. Resolves to a
 * `PlainResponse`, or rejects with a `FetchFailure`.
 */
export async function fetchOutside(url, init) {
  await undefined;
  const start = Date.now() - performance.now();
  // It may have sent the request before it throws.
  const response = await received(checked(() => [fetch(url, init)]));
  const plain = checked(() => new PlainResponse(response ?? {}));
  rememberTime(plain.headers.get("date"), sleptSince(start));
  return plain;
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

/** Returns the texts of a value and of its members; undefined for what may have others, or is too large. */
function textOf(read) {
  try {
    const text = textsIn(read(), []).join("\n");
    return text.length > MAX_TEXT ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Collects the texts of a value and of its members, inherited ones too. What has functions may return more. */
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

/**
 * Whether a controller's signal can abort a request. It would be refused where a test's page has an
 * AbortController of its own beside the platform's fetch.
 */
export function canAbort(signal) {
  const { Request } = globalThis;
  const isOfEngine = Request !== undefined && "cache" in Request.prototype;
  try {
    return !isOfEngine || Boolean(new Request("data:,", { signal }));
  } catch {
    return false;
  }
}

/** Whether a service worker may answer requests, maybe from its cache. */
export const mayBeCached = () => Boolean(globalThis.navigator?.serviceWorker?.controller);

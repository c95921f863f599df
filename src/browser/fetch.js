// The headers that are read.
const HEADERS = ["content-type", "date", "request-id", "retry-after"];
// A `Response` of these must have no body.
const WITHOUT_BODY = [204, 205, 304];

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
function optionsOf(request, body) {
  const options = { headers: {}, body };
  for (const name of ["method", "signal", "cache", "credentials", "redirect", "referrerPolicy"]) {
    options[name] = request[name];
  }
  request.headers.forEach((value, name) => {
    options.headers[name] = value;
  });
  return options;
}

/**
 * Calls `fetch` in a microtask: a page that replaced it must not run while the module does. Returns a
 * `Response` of this realm with readable members; copies one of another realm, and a stand-in. Rejects with a
 * `FetchFailure`.
 */
export async function fetchResponse(request, body) {
  const options = optionsOf(request, body);
  await undefined;
  let reply;
  try {
    reply = fetch(request.url, options);
  } catch (cause) {
    // It may have sent the request before.
    throw new FetchFailure(true, cause);
  }
  let response;
  try {
    response = await reply;
  } catch (cause) {
    throw new FetchFailure(false, cause);
  }
  const { headers, status } = readable(response);
  if (isOfThisRealm(response)) return response;
  try {
    const body = await response.arrayBuffer();
    const found = HEADERS.map((name) => [name, headers.get(name)]).filter(([, value]) => value);
    return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers: found });
  } catch (cause) {
    throw new FetchFailure(false, cause);
  }
}

/** Returns a reply whose body can be read. Throws a `FetchFailure` for what is none. */
function readable(reply) {
  let isUsed;
  try {
    const { arrayBuffer, text, headers, bodyUsed } = reply ?? {};
    if (!arrayBuffer || !text || !headers.get) throw new Error("fetch has not given a Response");
    isUsed = bodyUsed;
  } catch (cause) {
    // Of what is only made from `Response.prototype`, reading a member throws.
    throw new FetchFailure(true, cause);
  }
  if (isUsed) throw new FetchFailure(true, new Error("the body of fetch's Response has been read before"));
  return reply;
}

/** Whether it is a `Response` whose members can be read: those of a mere prototype throw. */
function isOfThisRealm(response) {
  try {
    return response instanceof Response && typeof response.url === "string" && typeof response.ok === "boolean";
  } catch {
    return false;
  }
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

/** Returns what `fetch` threw, unless it repeats the token or what the customer entered. */
export function withoutSecrets(thrown, bearer, body = "0") {
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

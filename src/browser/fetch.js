// The headers that are read.
const HEADERS = ["content-type", "date", "request-id", "retry-after"];
// A `Response` of these must have no body.
const WITHOUT_BODY = [204, 205, 304];

/** Why there is no reply: `kind` is `missing`, `faulty` or `network`, as fetch.rs names them. */
class FetchFailure {
  constructor(kind, cause) {
    this.kind = kind;
    this.cause = cause;
  }
}

/**
 * Calls `fetch` in a microtask: a page that replaced it must not run while the module does. Returns a
 * `Response` of this realm with readable members; copies one of another realm, and a stand-in. Rejects with a
 * `FetchFailure`.
 */
export async function fetchResponse(request) {
  await undefined;
  if (!globalThis.fetch) throw new FetchFailure("missing");
  let reply;
  try {
    reply = fetch(request);
  } catch (cause) {
    // It may have sent the request before.
    throw new FetchFailure("faulty", cause);
  }
  let response;
  try {
    response = await reply;
  } catch (cause) {
    throw new FetchFailure("network", cause);
  }
  const { headers, status } = readable(response);
  if (isOfThisRealm(response)) return response;
  try {
    const body = await response.arrayBuffer();
    const found = HEADERS.map((name) => [name, headers.get(name)]).filter(([, value]) => value);
    return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers: found });
  } catch (cause) {
    throw new FetchFailure("network", cause);
  }
}

/** Returns a reply whose body can be read. Throws a `FetchFailure` for what is none. */
function readable(reply) {
  let isUsed;
  try {
    const { arrayBuffer, text, headers, bodyUsed } = reply;
    if (!arrayBuffer || !text || !headers.get) throw new Error("fetch has not given a Response");
    isUsed = bodyUsed;
  } catch (cause) {
    // Of what is only made from `Response.prototype`, reading a member throws.
    throw new FetchFailure("faulty", cause);
  }
  if (isUsed) throw new FetchFailure("faulty", new Error("the body of fetch's Response has been read before"));
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
    return Boolean(new Request("data:,", { signal }));
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

// What is asked of the engine in its own language, as each member that is set from the wasm is an import and a crossing. In one file: the runner of
// the browser tests serves few at a time.

/** What fetch is given. */
export function newRequest(url, method, bearer, accept, language, body, signal) {
  const headers = { Authorization: `Bearer ${bearer}`, Accept: accept };
  if (language !== undefined) {
    headers["Accept-Language"] = language;
  }
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  return new Request(url, {
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
  });
}

/** The frame of a card form, empty and in no page yet. */
export function newIframe(document, title, height) {
  const iframe = document.createElement("iframe");
  // What the form needs, and no more: its scripts, its own origin to talk to its server, its form. Without the last, the standard has
  // no `submit` event either, which a form may be made of.
  const attributes = {
    title,
    sandbox: "allow-scripts allow-same-origin allow-forms",
    allow: "",
    referrerpolicy: "strict-origin",
  };
  for (const [name, value] of Object.entries(attributes)) {
    iframe.setAttribute(name, value);
  }
  // By properties, which a policy against inline styles allows.
  Object.assign(iframe.style, { display: "block", width: "100%", height: `${height}px`, border: "0" });
  return iframe;
}

/**
 * A lock that one page of an origin holds at a time. `release` lets go of it, or no longer waits for it; so it is when the page
 * goes away. Where there are no Web Locks (outside a secure context, in an old browser) it is granted at once.
 */
export class PageLock {
  constructor(name) {
    const controller = new AbortController();
    this.granted = new Promise((grant) => {
      const held = new Promise((release) => {
        this.release = () => {
          controller.abort();
          release();
        };
      });
      const locks = globalThis.navigator?.locks;
      if (!locks) {
        grant();
        return;
      }
      const work = () => {
        grant();
        return held;
      };
      // What rejects once it was given up is nobody's error; what rejects otherwise is no lock.
      locks.request(name, { signal: controller.signal }, work).catch(grant);
    });
  }
}

// A form checks the same patterns again and again, and to compile one takes longer than to try it.
const MOST_PATTERNS = 256;
const compiled = new Map();

/** Whether the text matches the service's pattern; undefined if the pattern does not compile. */
export function matches(pattern, text) {
  if (!compiled.has(pattern)) {
    if (compiled.size === MOST_PATTERNS) {
      compiled.clear();
    }
    compiled.set(pattern, compile(pattern));
  }
  return compiled.get(pattern)?.test(text);
}

function compile(pattern) {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

// The service, in the same process: it replaces fetch, records requests and gives the documented replies.

import { OPERATIONS } from "./operations.mjs";
import { REPLIES } from "./samples.mjs";

/** What re-entrant values ask for: not a request of the call that is judged. */
export const ASIDE_ID = "00000000-0000-4000-8000-00000000a51d";

const ROUTES = Object.values(OPERATIONS).map(({ method, path, reply }) => {
  return { method, pattern: new RegExp(`^${path.replace(/\{\d\}/g, "[^/]+")}$`), reply: REPLIES[reply] ?? "" };
});
ROUTES.push(
  { method: "POST", pattern: /^\/v1\/transfers$/, reply: REPLIES.transfer },
  { method: "GET", pattern: /^\/v1\/choices/, reply: REPLIES.choices },
);

export class Service {
  #requests = [];
  /** Returns `{ status?, body?, afterMs?, fails?, never? }`, which override the documented reply. */
  behave = () => ({});

  install(scope = globalThis) {
    scope.fetch = async (url, init) => this.#answer(url, init);
  }

  /** Returns the requests since the last call. */
  take() {
    return this.#requests.splice(0);
  }

  async #answer(url, { method, headers, body: text, signal }) {
    const at = url.indexOf("/", url.indexOf("//") + 2);
    const [path, query = ""] = url.slice(at).split("?");
    const sent = { method, origin: url.slice(0, at), path, query };
    sent.bearer = headers.authorization;
    if (text !== undefined) sent.body = text;
    if (!path.endsWith(ASIDE_ID)) this.#requests.push(sent);
    const { status = 200, body = documented(sent), afterMs = 0, fails, never } = this.behave(sent);
    await pause(afterMs, never, signal);
    if (fails) throw new TypeError("Failed to fetch");
    return reply(status, body, url);
  }
}

function pause(ms, never, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException("aborted", "AbortError"));
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    if (never) return;
    if (ms === 0) resolve();
    else setTimeout(resolve, ms);
  });
}

/** Returns the text of the documented reply. */
export function documented({ method, path }) {
  const { reply = "{}" } = ROUTES.find((route) => route.method === method && route.pattern.test(path)) ?? {};
  return typeof reply === "function" ? reply() : reply;
}

// A real Response reads its body in several turns, during which virtual time would pass.
function reply(status, body, url) {
  const type = body === REPLIES.receipt ? "application/pdf" : "application/json";
  const own = {
    status,
    url,
    bodyUsed: false,
    ok: status >= 200 && status < 300,
    headers: new Headers({ "content-type": type }),
    text: async () => body,
    arrayBuffer: async () => new TextEncoder().encode(body).buffer,
    blob: async () => new Blob([body]),
  };
  const described = Object.entries(own).map(([name, value]) => [name, { value }]);
  return Object.create(Response.prototype, Object.fromEntries(described));
}

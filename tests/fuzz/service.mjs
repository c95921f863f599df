// The service, in the same process: it replaces fetch, records the requests and answers by the interface.

import * as samples from "./samples.mjs";

/** What re-entering values ask for, so that it is not taken for a request of the call that is judged. */
export const ASIDE_ID = "00000000-0000-4000-8000-00000000a51d";

const RECORD = samples.REPLIES;
const ROUTES = [
  ["GET", /^\/v1\/corridors$/, RECORD.corridors],
  ["GET", /^\/v1\/quote(\/|$)/, RECORD.quote],
  ["GET", /^\/v1\/recipient-account-fields$/, RECORD.accountFields],
  ["GET", /^\/v1\/[a-z]+-fields$/, RECORD.fields],
  ["GET", /^\/v1\/choices/, RECORD.choices],
  ["DELETE", /./, ""],
  ["GET", /^\/v1\/sender-id$/, RECORD.sender],
  ["", /^\/v1\/senders/, RECORD.sender],
  ["GET", /^\/v1\/recipients\/[^/]+\/accounts$/, RECORD.accounts],
  ["", /^\/v1\/recipients\/[^/]+\/accounts/, RECORD.account],
  ["GET", /^\/v1\/recipients$/, RECORD.recipients],
  ["", /^\/v1\/recipients/, RECORD.recipient],
  ["", /^\/v1\/card-onboarding-sessions/, RECORD.cardSession],
  ["GET", /^\/v1\/nonce$/, RECORD.nonce],
  ["GET", /\/progress\//, RECORD.progress],
  ["GET", /\/statuses$/, RECORD.statuses],
  ["GET", /\/receipt$/, "%PDF"],
  ["POST", /\/customer-hold\//, ""],
  ["GET", /^\/v1\/transfers$/, RECORD.transfers],
  ["", /^\/v1\/transfers/, RECORD.transfer],
  ["GET", /^\/transferrequests/, RECORD.transferRequest],
];

export class Service {
  /** What was sent since `take`. */
  #requests = [];
  /** Returns `{ status?, body?, afterMs?, fails?, never? }`, laid over the documented answer. */
  behave = () => ({});

  install(scope = globalThis) {
    // The real request checks what it is made of; what was given can be read at once.
    scope.fetch = async (url, init) => this.#answer(new scope.Request(url, init), url, init);
  }

  /** The requests since the last time. */
  take() {
    return this.#requests.splice(0);
  }

  async #answer(request, url, init) {
    const at = url.indexOf("/", url.indexOf("//") + 2);
    const [path, query = ""] = url.slice(at).split("?");
    const sent = { method: request.method, origin: url.slice(0, at), path, query, body: init.body };
    sent.bearer = request.headers.get("authorization");
    sent.language = request.headers.get("accept-language");
    if (!path.endsWith(ASIDE_ID)) this.#requests.push(sent);
    const { status = 200, body = documented(sent), afterMs = 0, fails, never } = this.behave(sent);
    await this.#pause(afterMs, never, init.signal);
    if (fails) throw new TypeError("Failed to fetch");
    return reply(status, body);
  }

  #pause(ms, never, signal) {
    return new Promise((resolve, reject) => {
      const abort = () => reject(new DOMException("aborted", "AbortError"));
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort, { once: true });
      if (never) return;
      if (ms === 0) resolve();
      else setTimeout(resolve, ms);
    });
  }
}

/** The text of the documented answer. */
export function documented({ method, path }) {
  const [, , found] = ROUTES.find(([only, pattern]) => (only === "" || only === method) && pattern.test(path)) ?? [];
  return found === undefined ? "{}" : typeof found === "function" ? found(path) : found;
}

// A real one reads its body in turns of its own, which the clock would take for waiting.
function reply(status, body) {
  const bytes = () => new TextEncoder().encode(body).buffer;
  const own = {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers({ "content-type": body === "%PDF" ? "application/pdf" : "application/json" }),
    text: async () => body,
    arrayBuffer: async () => bytes(),
    blob: async () => new Blob([body]),
  };
  return Object.create(
    Response.prototype,
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])),
  );
}

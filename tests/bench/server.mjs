// The shop's pages, a stub of the service and one of the hosted card form, each at its own origin.

import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { fileAt, filesIn, pathOf, sendJson, startServer, TYPES } from "../local-server.mjs";
import { ID, OTHER_ID, QUOTE, SESSION } from "./page/samples.js";

const PAGE = join(import.meta.dirname, "page");
/** The service's replies to a cold page. */
const REPLIES = {
  "/v1/quote": QUOTE,
  "/v1/card-onboarding-sessions": SESSION,
  "/v1/nonce": { nonce: OTHER_ID },
  "/v1/sender-id": { senderId: ID },
  "/v1/transfer-fields": { fieldSets: [] },
  "/v1/transfers": { transferId: ID, confirmationNumber: "1", status: "Initiated" },
};
/** Without isolation a page's clock is too coarse. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, accept-language",
  "access-control-max-age": "600",
};

/** The cold pages: the app, the page's attributes, the moment of its end, and whether its head has links. */
export const COLD = {
  sdk: { app: "cold-sdk" },
  mini: { app: "cold-mini" },
  full: { app: "cold-full" },
  "sdk links": { app: "cold-sdk", links: true },
  "sdk waits": { app: "cold-sdk", data: "data-waits" },
  "sdk waits preloaded": { app: "cold-sdk", data: "data-waits data-preloads" },
  "mini waits": { app: "cold-mini", data: "data-waits" },
  "full waits": { app: "cold-full", data: "data-waits" },
  "sdk card": { app: "cold-sdk", moment: "card" },
  "sdk links card": { app: "cold-sdk", moment: "card", links: true },
  "mini card": { app: "cold-mini", moment: "card" },
  "sdk transfer": { app: "cold-sdk", moment: "transfer" },
  "sdk links transfer": { app: "cold-sdk", moment: "transfer", links: true },
  "mini transfer": { app: "cold-mini", moment: "transfer" },
  "sdk late": { app: "cold-sdk", moment: "late" },
  "eager late": { app: "cold-eager", moment: "late" },
};

export class Servers {
  #servers = [];
  #files = new Map();

  async start(appsFolder) {
    const files = [
      ...(await filesIn(PAGE, "/page/")),
      ["/page/chance.mjs", await fileAt(join(PAGE, "../../chaos/chance.mjs"))],
      ...(await filesIn(appsFolder, "/apps/")),
    ];
    for (const [path, { body, type }] of files) {
      const compressed = { gzip: gzipSync(body, { level: 9 }), br: brotliCompressSync(body) };
      this.#files.set(path, { type, identity: body, ...compressed });
    }
    this.apiUrl = await this.#start(answerAsService);
    this.cardUrl = await this.#start((request, response) => {
      const name = pathOf(request) === "/card.js" ? "card.js" : "card.html";
      const { type, identity } = this.#files.get(`/page/${name}`);
      const headers = { "content-type": type, "cross-origin-resource-policy": "cross-origin", ...ISOLATED };
      send(response, 200, headers, identity);
    });
    this.pageUrl = await this.#start((request, response) => this.#answer(request, response));
  }

  async stop() {
    for (const server of this.#servers) await server.stop();
  }

  async #start(answer) {
    this.#servers.push(await startServer(answer));
    return this.#servers.at(-1).url;
  }

  #answer(request, response) {
    const path = decodeURIComponent(pathOf(request));
    request.resume();
    if (path === "/config") return sendJson(response, { apiUrl: this.apiUrl, cardUrl: this.cardUrl });
    if (path === "/api/remit-token") return sendJson(response, { access_token: "token", expires_in: 3600 });
    const cold = path.startsWith("/cold/") ? COLD[path.slice("/cold/".length)] : undefined;
    const coldFile = cold && { identity: Buffer.from(this.#coldPage(cold)), type: TYPES[".html"] };
    const file = coldFile ?? this.#files.get(path === "/" ? "/page/index.html" : path);
    if (!file) return send(response, 404, {}, "");
    const accepted = request.headers["accept-encoding"] ?? "";
    const encoding = ["br", "gzip"].find((name) => file[name] && accepted.includes(name));
    const headers = {
      "content-type": file.type,
      "cache-control": "max-age=3600",
      "content-security-policy": this.#policy(),
      ...(encoding && { "content-encoding": encoding }),
      ...ISOLATED,
    };
    send(response, 200, headers, file[encoding ?? "identity"]);
  }

  /** As strict as a checkout's: no inline script, no `eval`. */
  #policy() {
    return [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      `connect-src 'self' ${this.apiUrl} ${this.cardUrl}`,
      `frame-src ${this.cardUrl}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ].join("; ");
  }

  #coldPage({ app, data = "", moment = "quote", links = false }) {
    const config = JSON.stringify({ apiUrl: this.apiUrl, cardUrl: this.cardUrl }).replaceAll('"', "&quot;");
    const wasm = 'rel="preload" as="fetch" crossorigin type="application/wasm"';
    const early = `<link rel="modulepreload" href="/apps/${app}/app.js">
      <link ${wasm} href="/apps/${app}/remitkit_first.wasm">`;
    return `<!doctype html><html lang="en" data-config="${config}" data-moment="${moment}" ${data}>
      <head><meta charset="utf-8"><title>Checkout</title>${links ? early : ""}
      <script type="module" src="/apps/${app}/app.js"></script></head><body></body></html>`;
  }
}

function send(response, status, headers, body) {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

function answerAsService(request, response) {
  request.resume();
  if (request.method === "OPTIONS") return send(response, 204, CORS, "");
  const reply = REPLIES[pathOf(request)];
  if (reply === undefined) return send(response, 404, CORS, "");
  const headers = { ...CORS, "content-type": "application/json", "cache-control": "no-store" };
  send(response, 200, headers, JSON.stringify(reply));
}

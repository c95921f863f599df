// The shop's pages, a stub of the service and one of the hosted card form, each an origin of its own.

import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ID, OTHER_ID, QUOTE, SESSION } from "./page/samples.js";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const HERE = import.meta.dirname;
const TOKEN = { access_token: "token", expires_in: 3600, token_type: "Bearer" };
/** What the service answers a cold page. */
const ANSWERS = {
  "/v1/quote": QUOTE,
  "/v1/card-onboarding-sessions": SESSION,
  "/v1/nonce": { nonce: OTHER_ID },
  "/v1/sender-id": { senderId: ID },
  "/v1/transfer-fields": { fieldSets: [] },
  "/v1/transfers": { transferId: ID, confirmationNumber: "1", status: "Initiated" },
};
/** Without these a page's clock is too coarse for what is measured. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, accept-language",
  "access-control-max-age": "600",
};

/** The cold pages: which app, what its page says of itself, how far it goes, what its head loads early. */
export const COLD = {
  sdk: { app: "cold-sdk" },
  mini: { app: "cold-mini" },
  full: { app: "cold-full" },
  "sdk links": { app: "cold-sdk", links: true },
  "sdk waits": { app: "cold-sdk", data: "data-waits" },
  "sdk waits preloaded": { app: "cold-sdk", data: "data-waits data-preloads", needs: "preload" },
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
    for (const name of await readdir(join(HERE, "page"))) await this.#add(`/page/${name}`, join(HERE, "page", name));
    await this.#add("/page/chance.mjs", join(HERE, "../chaos/chance.mjs"));
    for (const name of await readdir(appsFolder, { recursive: true })) {
      if (extname(name) in TYPES) await this.#add(`/apps/${name}`, join(appsFolder, name));
    }
    const card = { html: await readFile(join(HERE, "page/card.html")), js: await readFile(join(HERE, "page/card.js")) };
    this.apiUrl = await this.#listen(answerOfService);
    this.cardUrl = await this.#listen((request, response) => answerOfCardForm(card, request, response));
    this.pageUrl = await this.#listen((request, response) => this.#answer(request, response));
  }

  async stop() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #listen(answer) {
    const server = createServer(answer);
    await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
    this.#servers.push(server);
    return `http://127.0.0.1:${server.address().port}`;
  }

  async #add(path, file) {
    this.#set(path, await readFile(file), TYPES[extname(file)]);
  }

  #set(path, body, type) {
    this.#files.set(path, { type, identity: body, gzip: gzipSync(body, { level: 9 }), br: brotliCompressSync(body) });
  }

  #answer(request, response) {
    const path = decodeURIComponent(request.url.split("?", 1)[0]);
    if (path === "/config" || path === "/api/remit-token") {
      request.resume();
      const body = path === "/config" ? { apiUrl: this.apiUrl, cardUrl: this.cardUrl } : TOKEN;
      return send(response, 200, { "content-type": "application/json", "cache-control": "no-store" }, JSON.stringify(body));
    }
    const cold = path.startsWith("/cold/") ? COLD[path.slice("/cold/".length)] : undefined;
    if (cold) return this.#send(request, response, { identity: Buffer.from(this.#coldPage(cold)), type: TYPES[".html"] });
    const file = this.#files.get(path === "/" ? "/page/index.html" : path);
    if (!file) return send(response, 404, {}, "");
    return this.#send(request, response, file);
  }

  #send(request, response, file) {
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
    const early = links
      ? `<link rel="modulepreload" href="/apps/${app}/app.js"><link rel="preload" as="fetch" crossorigin type="application/wasm" href="/apps/${app}/remitkit_first.wasm">`
      : "";
    return `<!doctype html><html lang="en" data-config="${config}" data-moment="${moment}" ${data}><head><meta charset="utf-8"><title>Checkout</title>${early}<script type="module" src="/apps/${app}/app.js"></script></head><body></body></html>`;
  }
}

function send(response, status, headers, body) {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

function answerOfService(request, response) {
  request.resume();
  if (request.method === "OPTIONS") return send(response, 204, CORS, "");
  const answer = ANSWERS[request.url.split("?", 1)[0]];
  if (answer === undefined) return send(response, 404, CORS, "");
  send(response, 200, { ...CORS, "content-type": "application/json", "cache-control": "no-store" }, JSON.stringify(answer));
}

function answerOfCardForm({ html, js }, request, response) {
  const isScript = request.url.startsWith("/card.js");
  const headers = {
    "content-type": TYPES[isScript ? ".js" : ".html"],
    "cross-origin-resource-policy": "cross-origin",
    ...ISOLATED,
  };
  send(response, 200, headers, isScript ? js : html);
}

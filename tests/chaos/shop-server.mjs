import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fetchSenderToken } from "../sender-token.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
/** For how long one token serves all pages. */
const TOKEN_MS = 60_000;

/** Serves the page, the package and the shop's backend; it is up when the service is not. */
export class ShopServer {
  #server;
  #files;
  #token;

  constructor({ ledger, credentials, configure }) {
    // The path names what is asked for; the body is what the page sent along.
    const routes = {
      "/config": ({ basket }) => configure(basket),
      "/take": ({ basket }) => ({ intent: ledger.take(basket) }),
      "/open": ({ basket, quotes }) => ({ intents: ledger.open(basket), owners: ledger.owners(quotes) }),
      "/quote": ({ intent, quoteHistoryId }) => ledger.register(intent, quoteHistoryId),
      "/outcome": (outcome) => ledger.report(outcome),
      "/trouble": ({ text }) => ledger.troubles.push(text),
      "/token": () => this.#senderToken(credentials()),
    };
    this.#server = createServer((request, response) => {
      this.#answer(request, response, routes).catch(() => response.destroy());
    });
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  async start(packageFolder) {
    const here = import.meta.dirname;
    this.#files = new Map([
      ["/", await file(join(here, "page/index.html"))],
      ["/shop.js", await file(join(here, "page/shop.js"))],
      ["/chance.mjs", await file(join(here, "chance.mjs"))],
    ]);
    for (const name of await readdir(packageFolder, { recursive: true })) {
      if (extname(name) in TYPES) this.#files.set(`/remitkit/${name}`, await file(join(packageFolder, name)));
    }
    await new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response, routes) {
    const path = request.url.split("?", 1)[0];
    const asset = this.#files.get(path);
    if (asset) {
      response.writeHead(200, { "content-type": asset.type, "cache-control": "max-age=3600" });
      return response.end(asset.body);
    }
    if (request.method !== "POST" || !Object.hasOwn(routes, path)) return response.writeHead(404).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    let reply;
    try {
      reply = await routes[path](JSON.parse(Buffer.concat(chunks)));
    } catch {
      // The service is down, say.
      return response.writeHead(503).end();
    }
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(reply ?? {}));
  }

  async #senderToken(credentials) {
    if (!this.#token || Date.now() - this.#token.at > TOKEN_MS) {
      this.#token = { at: Date.now(), token: await fetchSenderToken(credentials) };
    }
    return this.#token.token;
  }
}

async function file(path) {
  return { body: await readFile(path), type: TYPES[extname(path)] };
}

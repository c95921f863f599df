import { randomUUID } from "node:crypto";
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
const SESSIONS = "/v1/card-onboarding-sessions";
const FAR_FUTURE = "2099-01-01T00:00:00Z";

/**
 * Serves the page under test with the package, and answers its SDK as the service. It reports every session
 * as succeeded: a success that should not have been believed then completes at once.
 */
export class PageServer {
  #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });
  #files = new Map();
  #sandbox;
  config = {};

  /** @param sandbox the credentials with which a token of the sandbox is had */
  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  async start(packageFolder) {
    const here = import.meta.dirname;
    for (const name of await readdir(join(here, "page"))) await this.#add(name, join(here, "page", name));
    await this.#add("say.js", join(here, "card/say.js"));
    await this.#add("chance.mjs", join(here, "../chaos/chance.mjs"));
    for (const name of await readdir(packageFolder, { recursive: true })) {
      if (extname(name) in TYPES) await this.#add(`remitkit/${name}`, join(packageFolder, name));
    }
    this.#files.set("/", this.#files.get("/index.html"));
    await new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #add(name, path) {
    this.#files.set(`/${name}`, { body: await readFile(path), type: TYPES[extname(name)] });
  }

  async #answer(request, response) {
    const path = request.url.split("?", 1)[0];
    const file = this.#files.get(path);
    if (file) {
      response.writeHead(200, { "content-type": file.type, "cache-control": "max-age=3600" });
      return response.end(file.body);
    }
    request.resume();
    const reply = await this.#reply(path);
    response.writeHead(reply ? 200 : 404, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(reply ?? {}));
  }

  async #reply(path) {
    if (path === "/config") return this.config;
    if (path === "/token") return fetchSenderToken(this.#sandbox);
    if (path === SESSIONS) return { id: randomUUID(), status: "INCOMPLETE", expirationDate: FAR_FUTURE, cardId: null };
    if (!path.startsWith(`${SESSIONS}/`)) return undefined;
    const id = path.slice(SESSIONS.length + 1);
    return { id, status: "SUCCEEDED", expirationDate: FAR_FUTURE, cardId: `card-${id}` };
  }
}

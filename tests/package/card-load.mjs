// A shop with a card form whose server can fail in several ways.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { buildWithVite, serveFolder } from "./chromium.mjs";
import { serveAll, shop } from "./packed.mjs";

/** The engines, each with its program where this machine has it. */
export const ENGINES = Object.entries({
  chromium: process.env.REMITKIT_CHROMIUM,
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
});

const MAIN = `
import { createRemitKit } from "remitkit";

const events = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  // WebKit requests the icon by itself, at any moment.
  if (!blockedURI.endsWith("/favicon.ico")) events.push("VIOLATION " + effectiveDirective + " " + blockedURI);
});
addEventListener("unhandledrejection", (event) => events.push("UNHANDLED " + event.reason));
const query = new URLSearchParams(location.search);
const options = { baseUrl: query.get("service"), cardUrl: query.get("card"), token: "t" };
const kits = new Map();
globalThis.events = events;
globalThis.mount = (locale, formOptions) => {
  const kit = kits.get(locale) ?? createRemitKit({ ...options, locale });
  kits.set(locale, kit);
  document.querySelector("#card").replaceChildren();
  events.length = 0;
  globalThis.form?.destroy();
  kit.then((remit) => remit.cardForm({ container: "#card", ...formOptions })).then(
    (form) => {
      globalThis.form = form;
      form.on("READY", () => events.push("READY"));
      form.on("LOAD_FAILED", ({ reason, directive }) => {
        events.push("LOAD_FAILED " + [reason, directive].filter(Boolean).join(" "));
      });
      form.on("CARD_VALIDATION_START", () => events.push("START"));
      form.completed.catch(({ code }) => events.push(code));
    },
    (error) => events.push(error.code),
  );
};
globalThis.isThere = true;
`;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/main.js"></script>
<h1>Pay</h1><input aria-label="Name"><div id="card"></div><p id="below">Below</p></html>`;

const FORM = `<!doctype html><title>Card</title><button>Verify</button><script>
document.querySelector("button").onclick = () => parent.postMessage("CARD_VALIDATION_START", "*");
onmessage = () => document.querySelector("button").click();
</script>`;

/** A server that can stop, and start again at its address. */
class StoppableServer {
  #answer;
  #server;
  #port = 0;

  constructor(answer) {
    this.#answer = answer;
  }

  async start() {
    this.#server = createServer(this.#answer).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = this.#server.address().port;
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Starts the servers of a page, its service and its card form. */
export async function cardShop() {
  const folder = await shop({ "main.js": MAIN, "index.html": PAGE });
  const dist = await buildWithVite(folder, { build: { target: "esnext", modulePreload: false } });
  const packed = join(folder, "node_modules/remitkit");
  const { createRemitKit } = await import(pathToFileURL(join(packed, "index.js")).href);
  const wasm = await readFile(join(packed, "remitkit_core_bg.wasm"));

  const index = await readFile(join(dist, "index.html"));
  const policies = [];
  const page = ({ url }, reply) => {
    const policy = policies[new URL(url, "http://shop.example").searchParams.get("policy")];
    reply.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(index);
  };
  const pageUrl = await serveFolder(dist, { "/": page });

  let sessions = 0;
  const baseUrl = await serveAll("application/json", ({ method }) => {
    sessions += method === "POST" ? 1 : 0;
    const id = `3f2504e0-4f89-41d3-9a0c-${String(sessions).padStart(12, "0")}`;
    const expirationDate = "2999-01-01T00:00:00Z";
    return JSON.stringify({ id, status: "INCOMPLETE", expirationDate, cardId: null });
  });

  let delayMs = 0;
  const answer = async (_, reply) => {
    await sleep(delayMs);
    reply.writeHead(200, { "content-type": "text/html" }).end(FORM);
  };
  const card = new StoppableServer(answer);
  const cardUrl = await card.start();
  after(() => card.stop());

  return {
    card,
    cardUrl,
    /** Delays the form's server from now on. */
    delay: (ms) => (delayMs = ms),
    /** Returns the address of a page whose policy is `contentSecurityPolicy()`, changed by `change`. */
    async pageUrl(cardUrl, change = (policy) => policy) {
      const remit = await createRemitKit({ baseUrl, cardUrl, token: "t", wasm });
      const directives = Object.entries(change(remit.contentSecurityPolicy()));
      const listed = directives.map(([name, sources]) => `${name} ${sources.join(" ")}`);
      const strict = ["require-trusted-types-for 'script'", "trusted-types 'none'"];
      const policy = policies.push(["default-src 'none'", ...listed, ...strict].join("; ")) - 1;
      return `${pageUrl}/?${new URLSearchParams({ policy, service: baseUrl, card: cardUrl })}`;
    },
  };
}

// A shop with a card form whose server can be away in several ways, in each engine that is there.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "vite";
import { selfSigned } from "../forge/certificate.mjs";
import { KIT, printed, shop } from "./packed.mjs";

/** The engines that this machine has, each with its program. */
export const ENGINES = Object.entries({
  chromium: process.env.REMITKIT_CHROMIUM,
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
});

const MAIN = `
import { createRemitKit } from "remitkit";

const told = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  // WebKit's own request, which comes at any moment.
  if (!blockedURI.endsWith("/favicon.ico")) told.push("VIOLATION " + effectiveDirective + " " + blockedURI);
});
addEventListener("unhandledrejection", (event) => told.push("UNHANDLED " + event.reason));
const query = new URLSearchParams(location.search);
const options = { baseUrl: query.get("service"), cardUrl: query.get("card"), token: "t" };
const kits = new Map();
globalThis.told = told;
globalThis.mount = (locale, formOptions) => {
  const kit = kits.get(locale) ?? createRemitKit({ ...options, locale });
  kits.set(locale, kit);
  document.querySelector("#card").replaceChildren();
  told.length = 0;
  globalThis.form?.destroy();
  const begun = performance.now();
  kit.then((remit) => remit.cardForm({ container: "#card", ...formOptions })).then(
    (form) => {
      globalThis.form = form;
      form.on("READY", () => told.push("READY"));
      form.on("LOAD_FAILED", ({ reason, directive }) => {
        globalThis.failedAfter = performance.now() - begun;
        told.push("LOAD_FAILED " + [reason, directive].filter(Boolean).join(" "));
      });
      form.on("CARD_VALIDATION_START", () => told.push("START"));
      form.completed.catch(({ code }) => told.push(code));
    },
    (error) => told.push(error.code),
  );
};
globalThis.isThere = true;
`;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><script type="module" src="/main.js"></script>
<h1>Pay</h1><input aria-label="Name"><div id="card"></div><p id="below">Below</p></html>`;

const FORM = `<!doctype html><title>Card</title><button>Verify</button><script>
document.querySelector("button").onclick = () => parent.postMessage("CARD_VALIDATION_START", "*");
onmessage = () => document.querySelector("button").click();
</script>`;

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

/** Something that listens, and can stop to. */
class Listener {
  #answer;
  #tls;
  #server;
  port = 0;

  constructor(answer, tls) {
    this.#answer = answer;
    this.#tls = tls;
  }

  async start() {
    this.#server = this.#tls ? createTlsServer(this.#tls, this.#answer) : createServer(this.#answer);
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = this.#server.address().port;
    return this;
  }

  async stop() {
    const server = this.#server;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The servers of a page, its service and its card form, and the built page. */
export async function cardShop() {
  const folder = await shop({ "main.js": MAIN, "index.html": PAGE });
  const logLevel = "error";
  await build({ root: folder, configFile: false, logLevel, build: { target: "esnext", modulePreload: false } });
  const dist = join(folder, "dist");
  const policies = new Map();
  const page = await new Listener(async ({ url }, reply) => {
    const { pathname, searchParams } = new URL(url, "http://shop.example");
    const name = pathname === "/" ? "/index.html" : pathname;
    try {
      const file = await readFile(join(dist, name));
      if (name === "/index.html") {
        reply.setHeader("content-security-policy", policies.get(searchParams.get("policy")));
      }
      reply.setHeader("content-type", TYPES[extname(name)]).end(file);
    } catch {
      reply.writeHead(404).end();
    }
  }).start();
  let sessions = 0;
  const service = await new Listener((request, reply) => {
    sessions += request.method === "POST" ? 1 : 0;
    const id = `3f2504e0-4f89-41d3-9a0c-${String(sessions).padStart(12, "0")}`;
    const head = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": "application/json" };
    reply.writeHead(200, head);
    reply.end(JSON.stringify({ id, status: "INCOMPLETE", expirationDate: "2999-01-01T00:00:00Z", cardId: null }));
  }).start();
  let delayMs = 0;
  const answer = async (_, reply) => {
    await sleep(delayMs);
    reply.writeHead(200, { "content-type": "text/html" }).end(FORM);
  };
  const card = await new Listener(answer).start();
  const untrusted = await new Listener(answer, selfSigned("localhost")).start();
  const serviceUrl = `http://127.0.0.1:${service.port}`;
  const cardUrl = `http://127.0.0.1:${card.port}`;

  return {
    card,
    cardUrl,
    untrustedUrl: `https://localhost:${untrusted.port}`,
    /** How long the form's server takes from now on. */
    delay(ms) {
      delayMs = ms;
    },
    /** The address of a page whose policy is what `contentSecurityPolicy()` asks for, changed by `change`. */
    async pageUrl(cardUrl, change = (policy) => policy) {
      const options = JSON.stringify({ baseUrl: serviceUrl, cardUrl });
      const asked = await printed(folder, `${KIT} console.log(JSON.stringify((await kit(${options})).contentSecurityPolicy()));`);
      const directives = Object.entries(change(asked)).map(([name, sources]) => `${name} ${sources.join(" ")}`);
      const name = String(policies.size);
      policies.set(
        name,
        ["default-src 'none'", ...directives, "require-trusted-types-for 'script'", "trusted-types 'none'"].join("; "),
      );
      const query = new URLSearchParams({ policy: name, service: serviceUrl, card: cardUrl });
      return `http://127.0.0.1:${page.port}/?${query}`;
    },
    async stop() {
      await Promise.all([page, service, untrusted].map((listener) => listener.stop()));
      await card.stop().catch(() => {});
    },
  };
}

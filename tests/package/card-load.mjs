// A shop with a card form whose server can be away in several ways, in each engine that is there.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { selfSigned } from "../forge/certificate.mjs";
import { built, served } from "./chromium.mjs";
import { KIT, listening, printed, shop } from "./packed.mjs";

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

/** A server that can stop, and start again where it was. */
class Stopping {
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

/** The servers of a page, its service and its card form, and the built page. */
export async function cardShop() {
  const folder = await shop({ "main.js": MAIN, "index.html": PAGE });
  const dist = await built(folder, { build: { target: "esnext", modulePreload: false } });
  const index = await readFile(join(dist, "index.html"));
  const policies = new Map();
  const page = ({ url }, reply) => {
    const policy = policies.get(new URL(url, "http://shop.example").searchParams.get("policy"));
    reply.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(index);
  };
  const pageUrl = await served(dist, { "/": page });
  let sessions = 0;
  const serviceUrl = await listening(
    createServer((request, reply) => {
      sessions += request.method === "POST" ? 1 : 0;
      const id = `3f2504e0-4f89-41d3-9a0c-${String(sessions).padStart(12, "0")}`;
      const head = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": "application/json" };
      reply.writeHead(200, head);
      reply.end(JSON.stringify({ id, status: "INCOMPLETE", expirationDate: "2999-01-01T00:00:00Z", cardId: null }));
    }),
  );
  let delayMs = 0;
  const answer = async (_, reply) => {
    await sleep(delayMs);
    reply.writeHead(200, { "content-type": "text/html" }).end(FORM);
  };
  const card = new Stopping(answer);
  const cardUrl = await card.start();
  after(() => card.stop());
  const untrusted = await listening(createTlsServer(selfSigned("localhost"), answer));

  return {
    card,
    cardUrl,
    untrustedUrl: untrusted.replace("http://127.0.0.1", "https://localhost"),
    /** How long the form's server takes from now on. */
    delay(ms) {
      delayMs = ms;
    },
    /** The address of a page whose policy is what `contentSecurityPolicy()` asks for, changed by `change`. */
    async pageUrl(cardUrl, change = (policy) => policy) {
      const options = JSON.stringify({ baseUrl: serviceUrl, cardUrl });
      const asked = await printed(folder, `${KIT} console.log(JSON.stringify((await kit(${options})).contentSecurityPolicy()));`);
      const directives = Object.entries(change(asked)).map(([name, sources]) => `${name} ${sources.join(" ")}`);
      const policy = String(policies.size);
      policies.set(policy, ["default-src 'none'", ...directives, "require-trusted-types-for 'script'", "trusted-types 'none'"].join("; "));
      return `${pageUrl}/?${new URLSearchParams({ policy, service: serviceUrl, card: cardUrl })}`;
    },
  };
}

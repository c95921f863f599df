// The shop's backend: serves the built shop and hands its page sender tokens. The client credentials stay
// here. A real shop would issue tokens for the customer who is signed in; the demo has a single customer.

import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createTokenIssuer, isRemitError } from "remitkit/server";
import { ConfigurationError, readConfig } from "./config.mjs";
import { securityHeaders } from "./headers.mjs";
import { LIMITS } from "./limits.mjs";
import { readSite } from "./static.mjs";

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Creates the backend's server. `log` gets one line per problem. */
export function createBackend(config, site, log = console.error) {
  const security = securityHeaders(config);
  const { baseUrl, cardUrl, clientId, clientSecret, senderId } = config;
  const onError = (error) => log(`shop: ${isRemitError(error) ? error.message : "an unexpected error"}`);
  const issuer = createTokenIssuer({ baseUrl, clientId, clientSecret, onError });
  const handleToken = issuer.handler({ senderId: () => senderId });

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(security)) response.setHeader(name, value);
    answer(request, response).catch(() => {
      log("shop: an unexpected error");
      sendJson(response, 500, { error: "unavailable" });
    });
  });
  // Requests have no body that could take long.
  server.requestTimeout = 15_000;
  server.headersTimeout = 10_000;
  return server;

  async function answer(request, response) {
    const path = request.url.split("?", 1)[0];
    // Prevents DNS rebinding: another site's name may resolve to this machine.
    const isLocal = LOOPBACK_HOST.test(request.headers.host ?? "");
    if (!isLocal) return sendJson(response, 421, { error: "unknown_host" });
    if (path === "/api/remit-token") return handleToken(request, response);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendJson(response, 405, { error: "method_not_allowed" });
    }
    if (path === "/api/config") return sendJson(response, 200, { baseUrl, cardUrl, limits: LIMITS });
    const file = site.get(path);
    if (!file) return sendJson(response, 404, { error: "not_found" });
    const { type, body, cache } = file;
    const headers = { "content-type": type, "content-length": body.length, "cache-control": cache };
    response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : body);
  }
}

function sendJson(response, status, body) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

async function main() {
  const config = readConfig(process.env);
  const site = await readSite(fileURLToPath(new URL("../dist", import.meta.url)));
  const server = createBackend(config, site);
  server.on("error", (error) => {
    console.error(`shop: cannot listen on port ${config.port} (${error.code})`);
    process.exit(1);
  });
  server.listen(config.port, "127.0.0.1", () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(`The shop's backend cannot start:\n${error.message}`);
    process.exit(2);
  });
}

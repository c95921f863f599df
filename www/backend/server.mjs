// The shop's backend: serves the built shop and hands its page sender tokens. The client credentials stay
// here. A real shop would issue tokens for the customer who is signed in; the demo has a single customer.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTokenIssuer, isRemitError } from "remitkit/server";
import sirv from "sirv";
import { ConfigurationError, readConfig } from "./config.mjs";
import { securityHeaders } from "./headers.mjs";
import { LIMITS } from "./limits.mjs";

export const BUILT = fileURLToPath(new URL("../dist", import.meta.url));
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Creates the backend's server, for the shop that is built in `folder`. `log` gets one line per problem. */
export function createBackend(config, folder = BUILT, log = console.error) {
  if (!existsSync(join(folder, "index.html"))) {
    throw new ConfigurationError("the shop is not built: run `npm run build` in www first");
  }
  // By default it keeps the list of files, and ends the process over one that a later build has removed.
  const serveFile = sirv(folder, { dev: true, etag: true, setHeaders: setCaching });
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
    serveFile(request, response, () => sendJson(response, 404, { error: "not_found" }));
  }
}

function setCaching(response, path) {
  // Names below assets contain a hash of the content.
  const isHashed = /^(\/docs)?\/assets\//.test(path);
  response.setHeader("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
}

function sendJson(response, status, body) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { port, ...config } = readConfig(process.env);
    const server = createBackend(config);
    server.on("error", (error) => {
      console.error(`shop: cannot listen on port ${port} (${error.code})`);
      process.exit(1);
    });
    server.listen(port, "127.0.0.1", () => {
      console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(`The shop's backend cannot start:\n${error.message}`);
    process.exit(2);
  }
}

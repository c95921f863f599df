// The shop's backend: serves the built shop, and hands its page a sender-level token. The client credentials
// stay here. A real shop would do this for the customer who is signed in; the demo has one customer.

import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createTokenIssuer, isRemitError } from "remitkit/server";
import { ConfigurationError, readConfig } from "./config.mjs";
import { LIMITS } from "./limits.mjs";
import { securityHeaders } from "./headers.mjs";
import { readSite } from "./static.mjs";

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The backend as a server that does not listen yet. `log` gets one line per thing that went wrong. */
export function createBackend(config, site, log = console.error) {
  const security = securityHeaders(config);
  const { baseUrl, cardUrl, clientId, clientSecret, senderId } = config;
  const issuer = createTokenIssuer({
    baseUrl,
    clientId,
    clientSecret,
    onError: (error) => log(`shop: ${isRemitError(error) ? error.message : "an unexpected error"}`),
  });
  const handleToken = issuer.handler({ senderId: () => senderId });

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(security)) response.setHeader(name, value);
    answer(request, response).catch(() => {
      log("shop: an unexpected error");
      sendJson(response, 500, { error: "unavailable" });
    });
  });
  // Nothing is read from a request's body, so nobody has a reason to send one slowly.
  server.requestTimeout = 15_000;
  server.headersTimeout = 10_000;
  return server;

  async function answer(request, response) {
    const path = request.url.split("?", 1)[0];
    // A page of another site must not reach the backend under a name that only resolves to this machine.
    if (!LOOPBACK_HOST.test(request.headers.host ?? "")) return sendJson(response, 421, { error: "unknown_host" });
    if (path === "/api/remit-token") return handleToken(request, response);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendJson(response, 405, { error: "method_not_allowed" });
    }
    if (path === "/api/config") return sendJson(response, 200, { baseUrl, cardUrl, limits: LIMITS });
    const file = site.get(path);
    if (!file) return sendJson(response, 404, { error: "not_found" });
    response.writeHead(200, { "content-type": file.type, "content-length": file.body.length, "cache-control": file.cache });
    response.end(request.method === "HEAD" ? undefined : file.body);
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
  const stop = () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  if (config.stopWithStdin) process.stdin.on("end", stop).on("error", stop).resume();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(`The shop's backend cannot start:\n${error.message}`);
    process.exit(2);
  });
}

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileAt, filesIn, pathOf, sendFile, sendJson, startServer } from "../local-server.mjs";

/** Below the system's ephemeral ports, even with a digit appended; browsers block none of them. */
const PORTS = [2_100, 3_200];

/**
 * Serves a card form that posts what it is told to, at its own origin and at two that contain that origin. A
 * browser resolves all of their hosts to this machine.
 */
export async function startCardForms(chance) {
  const script = await readFile(join(import.meta.dirname, "page/say.js"));
  const page = `<!doctype html><html lang="en"><title>Card</title><body><script>${script}</script>`;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  const listen = async (port) => {
    const server = createServer((_, response) => response.writeHead(200, headers).end(page));
    await once(server.listen(port, "127.0.0.1"), "listening");
    return server;
  };
  for (;;) {
    const port = chance.between(...PORTS);
    const longer = port * 10 + chance.between(0, 9);
    const servers = [];
    try {
      for (const one of [port, longer]) servers.push(await listen(one));
      return {
        origins: {
          card: `http://card.localhost:${port}`,
          longerPort: `http://card.localhost:${longer}`,
          longerHost: `http://my-card.localhost:${port}`,
        },
        stop: () => servers.forEach((server) => server.close().closeAllConnections()),
      };
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
      servers.forEach((server) => server.close());
    }
  }
}

const SESSIONS = "/v1/card-onboarding-sessions";

/**
 * Serves the page under test with the package, and is the service of its SDK. It reports every session as
 * succeeded: a success that is accepted wrongly then completes at once.
 */
export async function startPage({ config, packageFolder }) {
  const here = import.meta.dirname;
  const files = new Map([
    ...(await filesIn(join(here, "page"))),
    ["/", await fileAt(join(here, "page/index.html"))],
    ["/chance.mjs", await fileAt(join(here, "../chaos/chance.mjs"))],
    ...(await filesIn(packageFolder, "/remitkit/")),
  ]);
  const session = (id, status, cardId) => ({ id, status, expirationDate: "2099-01-01T00:00:00Z", cardId });
  return startServer((request, response) => {
    const path = pathOf(request);
    if (files.has(path)) return sendFile(response, files.get(path));
    request.resume();
    if (path === "/config") return sendJson(response, config);
    if (path === SESSIONS) return sendJson(response, session(randomUUID(), "INCOMPLETE", null));
    if (!path.startsWith(`${SESSIONS}/`)) return sendJson(response, {}, 404);
    const id = path.slice(SESSIONS.length + 1);
    return sendJson(response, session(id, "SUCCEEDED", `card-${id}`));
  });
}

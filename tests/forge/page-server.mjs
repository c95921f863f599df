import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileAt, filesIn, pathOf, sendFile, sendJson, startServer } from "../local-server.mjs";
import { fetchSenderToken } from "../sender-token.mjs";

const SESSIONS = "/v1/card-onboarding-sessions";
const FAR_FUTURE = "2099-01-01T00:00:00Z";

/**
 * Serves the page under test with the package, and answers its SDK as the service. It reports every session
 * as succeeded: a success that should not have been believed then completes at once. With the credentials of
 * `sandbox` a token of it is had.
 */
export async function startPages({ config, sandbox, packageFolder }) {
  const here = import.meta.dirname;
  const files = new Map([
    ...(await filesIn(join(here, "page"))),
    ["/", await fileAt(join(here, "page/index.html"))],
    ["/say.js", await fileAt(join(here, "card/say.js"))],
    ["/chance.mjs", await fileAt(join(here, "../chaos/chance.mjs"))],
    ...(await filesIn(packageFolder, "/remitkit/")),
  ]);
  const reply = (path) => {
    if (path === "/config") return config;
    if (path === "/token") return fetchSenderToken(sandbox);
    if (path === SESSIONS) return { id: randomUUID(), status: "INCOMPLETE", expirationDate: FAR_FUTURE, cardId: null };
    if (!path.startsWith(`${SESSIONS}/`)) return undefined;
    const id = path.slice(SESSIONS.length + 1);
    return { id, status: "SUCCEEDED", expirationDate: FAR_FUTURE, cardId: `card-${id}` };
  };
  return startServer(async (request, response) => {
    const path = pathOf(request);
    if (files.has(path)) return sendFile(response, files.get(path));
    request.resume();
    const found = await reply(path);
    return sendJson(response, found ?? {}, found ? 200 : 404);
  });
}

import { join } from "node:path";
import { fileAt, filesIn, pathOf, sendFile, sendJson, startServer } from "../local-server.mjs";
import { fetchSenderToken } from "../sender-token.mjs";

/** How long one token serves all pages. */
const TOKEN_MS = 60_000;

/** Serves the page, the package and the shop's backend, even while the service is down. */
export async function startShop({ ledger, credentials, configure, packageFolder }) {
  const files = new Map([
    ["/", await fileAt(join(import.meta.dirname, "page/index.html"))],
    ["/shop.js", await fileAt(join(import.meta.dirname, "page/shop.js"))],
    ["/chance.mjs", await fileAt(join(import.meta.dirname, "chance.mjs"))],
    ...(await filesIn(packageFolder, "/remitkit/")),
  ]);
  let kept;
  const senderToken = async () => {
    const isStale = !kept || Date.now() - kept.at > TOKEN_MS;
    if (isStale) kept = { at: Date.now(), token: await fetchSenderToken(credentials) };
    return kept.token;
  };
  const routes = {
    "/config": ({ basket }) => configure(basket),
    "/take": ({ basket }) => ({ intent: ledger.take(basket) }),
    "/open": ({ basket, quotes }) => ({ intents: ledger.open(basket), owners: ledger.owners(quotes) }),
    "/quote": ({ intent, quoteHistoryId }) => ledger.register(intent, quoteHistoryId),
    "/outcome": (outcome) => ledger.report(outcome),
    "/trouble": ({ text }) => ledger.troubles.push(text),
    "/token": senderToken,
  };
  return startServer(async (request, response) => {
    const path = pathOf(request);
    if (files.has(path)) return sendFile(response, files.get(path));
    if (request.method !== "POST" || !Object.hasOwn(routes, path)) return response.writeHead(404).end();
    const body = JSON.parse(Buffer.concat(await request.toArray()));
    try {
      return sendJson(response, (await routes[path](body)) ?? {});
    } catch {
      // The service may be down.
      return response.writeHead(503).end();
    }
  });
}

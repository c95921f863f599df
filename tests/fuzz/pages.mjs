// Serves the page with the package, and the card form at another origin.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const HERE = import.meta.dirname;

/** Gives the addresses, and how to stop. */
export async function servePages(packageFolder) {
  const folders = { package: packageFolder, fuzz: HERE, chaos: join(HERE, "../chaos") };
  const shop = await listen((path) => {
    if (path === "/") return join(HERE, "page/index.html");
    const [, first, ...rest] = path.split("/");
    return folders[first] && join(folders[first], normalize(`/${rest.join("/")}`));
  });
  const card = await listen(() => join(HERE, "page/card.html"));
  return {
    url: shop.url,
    cardUrl: card.url,
    close: () => [shop, card].forEach(({ server }) => server.close()),
  };
}

async function listen(find) {
  const server = createServer(async (request, reply) => {
    try {
      const file = find(request.url.split("?")[0]);
      const body = await readFile(file);
      reply.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain", "cache-control": "no-store" }).end(body);
    } catch {
      reply.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

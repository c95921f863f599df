// Serves the page with the package, and the card form at another origin.

import { join } from "node:path";
import { fileAt, filesIn, pathOf, sendFile, startServer } from "../local-server.mjs";

/** Gives the addresses, and how to stop. */
export async function servePages(packageFolder) {
  const here = import.meta.dirname;
  const files = new Map([
    ["/", await fileAt(join(here, "page/index.html"))],
    ...(await filesIn(here, "/fuzz/")),
    ["/chaos/chance.mjs", await fileAt(join(here, "../chaos/chance.mjs"))],
    ...(await filesIn(packageFolder, "/package/")),
  ]);
  const shop = await startServer((request, response) => {
    const file = files.get(pathOf(request));
    return file ? sendFile(response, file, "no-store") : response.writeHead(404).end();
  });
  const form = await fileAt(join(here, "page/card.html"));
  const card = await startServer((_, response) => sendFile(response, form, "no-store"));
  return { url: shop.url, cardUrl: card.url, stop: () => Promise.all([shop.stop(), card.stop()]) };
}

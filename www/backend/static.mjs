import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { ConfigurationError } from "./config.mjs";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Reads the built shop into a map from request path to file. Only these files are served, so no path leads
 * out of the directory.
 */
export async function readSite(directory) {
  let entries;
  try {
    entries = await readdir(directory, { recursive: true, withFileTypes: true });
  } catch {
    throw new ConfigurationError("the shop is not built: run `npm run build` in www first");
  }
  const site = new Map();
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const path = file.slice(directory.length).replaceAll("\\", "/");
    // Names below assets contain a hash of the content.
    const cache = /^(\/docs)?\/assets\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
    const served = { body: await readFile(file), type, cache };
    site.set(path, served);
    if (entry.name === "index.html") site.set(path.slice(0, -entry.name.length), served);
  }
  if (!site.has("/")) throw new ConfigurationError("the built shop has no index.html: build it again");
  return site;
}

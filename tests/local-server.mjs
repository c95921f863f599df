// A local server for the pages of tests.

import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

export const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Reads a file to be served. */
export async function fileAt(path) {
  return { body: await readFile(path), type: TYPES[extname(path)] };
}

/** Reads the files of a folder that a page can load; returns them with their paths on the server. */
export async function filesIn(folder, prefix = "/") {
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES);
  return Promise.all(names.map(async (name) => [prefix + name, await fileAt(join(folder, name))]));
}

/** Starts a server on any port. Where `answer` fails, the reply breaks off. */
export async function startServer(answer) {
  const server = createServer((request, response) => {
    (async () => answer(request, response))().catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a port that nothing listens on, for programs that need one named. */
export async function freePort() {
  const server = await startServer(() => {});
  await server.stop();
  return Number(new URL(server.url).port);
}

/** Returns the path of a request. */
export const pathOf = ({ url }) => url.split("?", 1)[0];

/** Replies with a file, cacheable by default. */
export function sendFile(response, { body, type }, caching = "max-age=3600") {
  response.writeHead(200, { "content-type": type, "cache-control": caching }).end(body);
}

/** Replies with uncacheable JSON. */
export function sendJson(response, value, status = 200) {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(value));
}

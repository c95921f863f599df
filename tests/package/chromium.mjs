// Pages that are served from here, opened in Chromium, and tell what they came to.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after } from "node:test";
import { build, createServer as createVite } from "vite";
import { CHROMIUM_FLAGS } from "../chromium-flags.mjs";
import { listening, run } from "./packed.mjs";

const CHROMIUM = process.env.REMITKIT_CHROMIUM ?? "chromium";
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

const isThere = await run(CHROMIUM, ["--version"]).then(
  () => true,
  ({ code }) => code !== "ENOENT",
);
/** What a test that needs a page is declared with. The limit is for a page that never tells anything. */
export const IN_PAGE = { skip: !isThere && "there is no Chromium here", timeout: 240_000 };

/** A page with a script, which is a module. */
export const pageOf = (script, body = "") =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">${body}<script type="module">${script}</script></html>`;

/** Serves a folder, and before it what is `own`: texts and handlers by path. */
export function served(root, own = {}, headers = {}) {
  return listening(
    createServer(async (request, reply) => {
      const { pathname } = new URL(request.url, "http://page");
      const file = join(root, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      const mine = own[pathname] ?? (await readFile(file).catch(() => undefined));
      if (typeof mine === "function") return mine(request, reply);
      reply.writeHead(mine === undefined ? 404 : 200, { "content-type": TYPES[extname(pathname)] ?? "text/html", ...headers });
      reply.end(mine);
    }),
  );
}

/** What a page posts to `/told` as JSON, and what hears it. */
function teller() {
  let tell;
  const answer = new Promise((resolve) => (tell = resolve));
  const hear = async (request, reply) => {
    tell(JSON.parse(Buffer.concat(await request.toArray())));
    reply.end();
  };
  return { answer, hear };
}

/** Chromium as Playwright drives it, until the tests are over; undefined where there is none. */
export async function driven() {
  if (!isThere) return undefined;
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  after(() => browser.close());
  return browser;
}

/** Opens the page that `served` serves, and gives what it then posts to `/told` as JSON. */
export async function told(root, own = {}, { headers, program } = {}) {
  const { answer, hear } = teller();
  return opened(`${await served(root, { ...own, "/told": hear }, headers)}/`, answer, program);
}

/** The same of a shop in Vite's development server, without any configuration. */
export async function toldInDevelopment(root) {
  const { answer, hear } = teller();
  const hearing = { name: "told", configureServer: ({ middlewares }) => void middlewares.use("/told", hear) };
  const server = await createVite({ root, configFile: false, logLevel: "silent", server: { host: "127.0.0.1" }, plugins: [hearing] });
  try {
    await server.listen();
    return await opened(server.resolvedUrls.local[0], answer);
  } finally {
    await server.close();
  }
}

/** Opens a page until a promise settles; gives its value. */
async function opened(address, done, program = CHROMIUM) {
  const profile = await mkdtemp(join(tmpdir(), "remitkit-profile-"));
  const flags = ["--headless", ...CHROMIUM_FLAGS, `--user-data-dir=${profile}`, "--remote-debugging-port=0", address];
  const browser = spawn(program, flags, { stdio: "ignore" });
  const closed = new Promise((resolve) => browser.on("error", resolve).on("close", resolve));
  const ended = closed.then((reason) => Promise.reject(new Error(`Chromium has ended: ${reason}`)));
  try {
    return await Promise.race([done, ended]);
  } finally {
    ended.catch(() => {});
    browser.kill();
    await closed;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Builds a shop with Vite as it is; gives the folder of what it has built. */
export async function built(root, options = {}) {
  await build({ root, configFile: false, logLevel: "error", build: { target: "esnext" }, ...options });
  return join(root, "dist");
}

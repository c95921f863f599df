// The packed tarball, where a shop would have installed it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

export const run = promisify(execFile);

export const ROOT = join(import.meta.dirname, "../..");

const MANIFEST = '{ "private": true, "type": "module", "dependencies": { "remitkit": "*" } }';

/** Returns the tarball under test: `REMITKIT_TARBALL`, or else the newest made by `cargo xtask pack`. */
export async function tarball() {
  if (process.env.REMITKIT_TARBALL) return process.env.REMITKIT_TARBALL;
  const folder = join(ROOT, "target/package");
  const names = await readdir(folder).catch(() => []);
  const packed = names.filter((name) => /^remitkit-.*\.tgz$/.test(name)).map((name) => join(folder, name));
  const ages = await Promise.all(packed.map(async (path) => [(await stat(path)).mtimeMs, path]));
  const [newest] = ages.sort(([a], [b]) => b - a);
  if (!newest) throw new Error("There is no tarball: run `cargo xtask pack`, or set REMITKIT_TARBALL.");
  return newest[1];
}

/**
 * Creates a shop's folder with these files and removes it after the tests. Its path begins with `prefix`:
 * beside the tests, if it needs what they have installed.
 */
export async function emptyShop(files = {}, prefix = join(tmpdir(), "remitkit-shop-")) {
  const folder = await mkdtemp(prefix);
  after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ "package.json": MANIFEST, ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/**
 * Creates an `emptyShop` and unpacks the package where npm installs it: npm takes a second of processor time.
 * Tests of the installation itself use `npmInstall`.
 */
export async function shop(files, prefix) {
  const folder = await emptyShop(files, prefix);
  const installed = join(folder, "node_modules/remitkit");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", await tarball(), "-C", installed, "--strip-components=1"]);
  return folder;
}

export function npmInstall(folder, ...tarballs) {
  return run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], { cwd: folder });
}

/** Runs a module in a folder with Node; returns the JSON it prints. */
export async function runModule(folder, code, ...flags) {
  const args = [...flags, "--input-type=module", "--eval", code];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout);
}

/** Returns the error of a promise or function, which must fail. */
export async function errorOf(work) {
  let value;
  try {
    value = await (typeof work === "function" ? work() : work);
  } catch (error) {
    return error;
  }
  throw new Error(`an error was expected, not ${JSON.stringify(value)}`);
}

/** Asserts for rows of `[argument, option]` that `call(argument)` fails with this code for that option. */
export async function assertRefused(call, rows, code = "InvalidRequest") {
  for (const [row, [argument, option]] of rows.entries()) {
    const error = await errorOf(async () => call(argument));
    assert.deepEqual([error.name, error.code, error.option], ["RemitError", code, option], `row ${row}`);
  }
}

/** Lets a server listen on any port until the tests are over; returns its address. */
export async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  // Node does not run each hook that a running test adds.
  server.unref();
  after(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves a folder, and before it what is in `own`: texts and handlers by path; returns the address. */
export function serveFolder(root, own = {}, headers = {}) {
  return listening(
    createServer(async (request, reply) => {
      const { pathname } = new URL(request.url, "http://page");
      const file = join(root, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      const content = own[pathname] ?? (await readFile(file).catch(() => undefined));
      if (typeof content === "function") return content(request, reply);
      const type = TYPES[extname(pathname)] ?? "text/html";
      reply.writeHead(content === undefined ? 404 : 200, { "content-type": type, ...headers }).end(content);
    }),
  );
}

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** Serves every request with what `answer` returns, open to every origin; returns the address. */
export const serveAll = (type, answer) =>
  listening(
    createServer((request, reply) => {
      reply.writeHead(200, { ...CORS, "content-type": type }).end(answer(request));
    }),
  );

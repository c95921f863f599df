// The packed tarball, where a shop would have installed it.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

export const run = promisify(execFile);

export const ROOT = join(import.meta.dirname, "../..");

const MANIFEST = '{ "private": true, "type": "module", "dependencies": { "remitkit": "*" } }';

/** The tarball under test: `REMITKIT_TARBALL`, or else the newest that `cargo xtask pack` has made. */
export async function tarball() {
  if (process.env.REMITKIT_TARBALL) {
    return process.env.REMITKIT_TARBALL;
  }
  const folder = join(ROOT, "target/package");
  const names = await readdir(folder).catch(() => []);
  const packed = names.filter((name) => /^remitkit-.*\.tgz$/.test(name)).map((name) => join(folder, name));
  const ages = await Promise.all(packed.map(async (path) => [(await stat(path)).mtimeMs, path]));
  const [newest] = ages.sort(([a], [b]) => b - a);
  if (newest === undefined) {
    throw new Error("There is no tarball: run `cargo xtask pack`, or set REMITKIT_TARBALL.");
  }
  return newest[1];
}

/**
 * Creates a shop's folder with these files; it is removed after the tests. Its path begins with `prefix`:
 * beside the tests, if it needs what they have installed.
 */
export async function emptyShop(files = {}, prefix = join(tmpdir(), "remitkit-shop-")) {
  const folder = await mkdtemp(prefix);
  after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), MANIFEST);
  for (const [name, text] of Object.entries(files)) {
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

/** What a module prints as JSON when Node runs it in a folder. */
export async function printed(folder, code, ...flags) {
  const { stdout } = await run(process.execPath, [...flags, "--input-type=module", "--eval", code], {
    cwd: folder,
  });
  return JSON.parse(stdout);
}

/** The error that a promise or a function ends in; fails if it does not. */
export async function errorOf(work) {
  let value;
  try {
    value = await (typeof work === "function" ? work() : work);
  } catch (error) {
    return error;
  }
  throw new Error(`an error was expected, not ${JSON.stringify(value)}`);
}

/** Lets a server listen on any port until the tests are over; gives its address. */
export async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => {
    server.close();
    server.closeAllConnections?.();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** What a script of `printed` begins with: `kit` opens one, with other options where it needs them. */
export const KIT = `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const kit = async (options) => createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
      ...options,
    });
`;

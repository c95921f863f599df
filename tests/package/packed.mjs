// The packed tarball, where a shop would have installed it.

import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import { CHROMIUM_FLAGS } from "../chromium-flags.mjs";

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

const CHROMIUM = process.env.REMITKIT_CHROMIUM ?? "chromium";
const FLAGS = ["--headless", ...CHROMIUM_FLAGS];

/** Opens a page until `done` settles and returns its value; undefined if there is no Chromium. */
export async function opened(address, done, program = CHROMIUM) {
  const profile = await mkdtemp(join(tmpdir(), "remitkit-profile-"));
  const flags = [...FLAGS, `--user-data-dir=${profile}`, "--remote-debugging-port=0", address];
  const browser = spawn(program, flags, { stdio: "ignore" });
  const closed = new Promise((resolve) => browser.on("error", resolve).on("close", resolve));
  try {
    return await Promise.race([
      done,
      closed.then((reason) => {
        if (reason?.code !== "ENOENT") {
          throw new Error(`Chromium has ended: ${reason}`);
        }
      }),
    ]);
  } finally {
    browser.kill();
    await closed;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The text of a page after its scripts have written it, or undefined where there is no Chromium. */
export async function shown(address) {
  const flags = [...FLAGS, "--virtual-time-budget=20000", "--dump-dom", address];
  const browser = spawn(CHROMIUM, flags, { stdio: ["ignore", "pipe", "ignore"] });
  let html = "";
  browser.stdout.on("data", (chunk) => (html += chunk));
  const code = await new Promise((resolve) => browser.on("error", resolve).on("close", resolve));
  if (code?.code === "ENOENT") {
    return undefined;
  }
  return /<output[^>]*>([^<]*)<\/output>/.exec(html)?.[1] ?? `no output in: ${html}`;
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

/** Lets timers of a script of `printed` run twenty times as fast, and so what the package waits for. */
export const FAST = `
    const later = setTimeout;
    globalThis.setTimeout = (work, ms, ...args) => later(work, ms / 20, ...args);
`;

/** What a script of `printed` prepares a transfer with, as its source; all ids are one. */
export const TRANSFER = JSON.stringify({
  quoteHistoryId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  recipientId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  recipientAccountId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  amount: 1000,
  quoteBy: "SEND_AMOUNT",
  srcCurrencyIso3Code: "USD",
  dstCurrencyIso3Code: "MXN",
  dstCountryIso3Code: "MEX",
  transferMethod: "BANK_ACCOUNT",
  fields: [],
});

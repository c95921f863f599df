// Pages that are served from here and opened in Chromium, and what they report.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { build } from "vite";
import { CHROMIUM_FLAGS, START_MS } from "../chromium-flags.mjs";
import { run, serveAll, serveFolder } from "./packed.mjs";

export { serveFolder } from "./packed.mjs";

const CHROMIUM = process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium";

const isThere = await run(CHROMIUM, ["--version"]).then(
  () => true,
  ({ code }) => code !== "ENOENT",
);
/** The options of tests that need a page. The timeout is for a page that never reports. */
export const IN_PAGE = { skip: !isThere && "there is no Chromium here", timeout: 240_000 };

const HEAD = '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">';

/** A page with a module script, and one whose script is `/main.js`. */
export const pageOf = (script, body = "") => `${HEAD}${body}<script type="module">${script}</script></html>`;
export const page = (body = "") => `${HEAD}${body}<script type="module" src="/main.js"></script></html>`;

/** The script with which a page reports. */
export const REPORT = `
const report = (value) => fetch("/report", { method: "POST", body: JSON.stringify(value) });
`;

/** Launches Chromium under Playwright until the tests are over; undefined where there is none. */
export async function launchBrowser() {
  if (!isThere) return undefined;
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS, timeout: START_MS });
  after(() => browser.close());
  return browser;
}

/** Opens a page that `serveFolder` serves; returns what it reports. */
export async function reportOf(root, own = {}, { headers, program = CHROMIUM } = {}) {
  let resolve;
  const report = new Promise((settle) => (resolve = settle));
  const receive = async (request, reply) => {
    resolve(JSON.parse(Buffer.concat(await request.toArray())));
    reply.end();
  };
  const address = `${await serveFolder(root, { ...own, "/report": receive }, headers)}/`;
  const profile = await mkdtemp(join(tmpdir(), "remitkit-profile-"));
  const flags = ["--headless", ...CHROMIUM_FLAGS, `--user-data-dir=${profile}`, "--remote-debugging-port=0"];
  const browser = spawn(program, [...flags, address], { stdio: "ignore" });
  const closed = new Promise((resolve) => browser.on("error", resolve).on("close", resolve));
  const ended = closed.then((reason) => Promise.reject(new Error(`Chromium has ended: ${reason}`)));
  try {
    return await Promise.race([report, ended]);
  } finally {
    ended.catch(() => {});
    browser.kill();
    await closed;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Builds a shop with Vite, unconfigured; returns the folder of the result. */
export async function buildWithVite(root, options = {}) {
  await build({ root, configFile: false, logLevel: "error", build: { target: "esnext" }, ...options });
  return join(root, "dist");
}

/** A service that creates sessions, each of which has a card when it is read. */
export async function cardService() {
  const service = { sessions: 0 };
  service.origin = await serveAll("application/json", ({ method, url }) => {
    if (method === "POST") service.sessions += 1;
    const [, read] = /sessions\/[-0-9a-f]*?(\d+)$/.exec(url) ?? [];
    return JSON.stringify({
      id: `3f2504e0-4f89-41d3-9a0c-${String(read ?? service.sessions).padStart(12, "0")}`,
      status: read ? "SUCCEEDED" : "INCOMPLETE",
      expirationDate: new Date(Date.now() + 1_800_000).toISOString(),
      cardId: read ? `card-${Number(read)}` : null,
    });
  });
  return service;
}

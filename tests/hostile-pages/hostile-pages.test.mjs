// Quote, card form, transfer, reload, pending and discard with the packed package, in pages whose libraries
// change built-ins, wrap objects, patch fetch, freeze the engine or cache replies.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Service } from "../chaos/service.mjs";
import { startEngine } from "../forge/engines.mjs";
import { serveFolder } from "../package/packed.mjs";
import { fileSandbox, installed } from "../package/testing.mjs";
import { missingFile, PAGES, workerThat } from "./pages.mjs";

const ENGINES = Object.entries({
  chromium: process.env.REMITKIT_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX_DRIVER,
});
const LIMIT_MS = 60_000;
const PLAYED = ["CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS"];

const { fakeCardFrame, folder, startSandbox } = await installed();
const sandbox = await fileSandbox(startSandbox);
const frame = await fakeCardFrame({ sandbox });
after(() => frame.stop());
const service = await Service.open(sandbox);
const route = await service.makeRecipient();
const scenario = await readFile(join(import.meta.dirname, "scenario.js"));

/** Serves a page, with the package as it is packed. */
async function serve({ files = [], script = "", headers = {} }) {
  const scripts = await Promise.all(files.map((file) => readFile(file)));
  const tags = files.map((_, at) => `<script src="/library-${at}.js"></script>`).join("");
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
    <link rel="icon" href="data:,">${tags}<script>${script}</script>
    <script type="module" src="/scenario.js"></script><div id="card"></div></html>`;
  const own = Object.fromEntries(scripts.map((text, at) => [`/library-${at}.js`, text]));
  const pages = { "/": html, "/scenario.js": scenario, "/worker.js": workerThat("{}") };
  const types = ({ url }, reply) => {
    const { pathname } = new URL(url, "http://page");
    const type = pathname === "/" ? "text/html" : "text/javascript";
    reply.writeHead(200, { "content-type": type, ...headers }).end({ ...pages, ...own }[pathname]);
  };
  const served = Object.fromEntries(Object.keys({ ...pages, ...own }).map((path) => [path, types]));
  return `${await serveFolder(join(folder, "node_modules"), served, headers)}/`;
}

for (const [engine, program] of ENGINES) {
  describe(`in ${engine}`, { skip: program ? false : `${engine} is not there`, timeout: 600_000 }, () => {
    let browser;
    before(async () => {
      browser = await startEngine(engine, program);
    });
    after(() => browser?.stop());

    async function until(condition) {
      for (const end = Date.now() + LIMIT_MS; Date.now() < end; await sleep(50)) {
        const found = await browser.evaluate(condition).catch(() => undefined);
        if (found) return found;
      }
      throw new Error(`never: ${condition}`);
    }

    async function open(url) {
      await browser.open(url);
      await until("() => Boolean(globalThis.scenario)");
    }

    async function run(name, argument) {
      await browser.evaluate("(name, argument) => scenario.begin(name, argument)", name, argument);
      const { value, error } = await until("() => scenario.ended && { ...scenario.ended }");
      assert.equal(error, undefined, `${name}: ${error}`);
      return value;
    }

    for (const [name, page] of Object.entries(PAGES)) {
      const file = missingFile(page);
      const skip = page.isUnreadableIn === engine ? "its values cannot be read" : file && `there is no ${file}`;
      test(`a checkout works in a page: ${name}`, { skip }, async () => {
        frame.play(PLAYED);
        const before = (await sandbox.transfers()).length;
        const url = await serve(page);
        await open(url);
        const { access_token: token } = await sandbox.token();
        const { baseUrl } = sandbox;
        const options = { baseUrl, cardUrl: frame.cardUrl, token, journal: "session" };
        assert.ok((await run("open", { options, route })) > 0);
        assert.deepEqual(await run("collect"), [true, [{ id: "firstName", value: "Ana" }]]);
        if (page.hasNoCardForm !== engine) {
          assert.deepEqual(await run("takeCard"), [["READY", ...PLAYED], "string", 0]);
        }
        const [transferId, state] = await run("pay", { amount: 12550 });
        assert.equal(state, "CREATED");
        const made = (await sandbox.transfers()).slice(before);
        assert.deepEqual(made.map(({ transferId }) => transferId), [transferId]);
        const [quoteHistoryId] = await run("leave", { amount: 4200 });
        await open(url);
        await run("open", { options, route });
        assert.deepEqual(await run("pending"), [[quoteHistoryId, "PREPARED", 4200]]);
        assert.deepEqual(await run("discard"), []);
        assert.equal((await sandbox.transfers()).length, before + 1);
      });
    }
  });
}

// The samples of the READMEs and of docs/ do what the documents say, against the sandbox.
// For each document `samples/` has what a shop brings along, what its customer does and what
// must result; the samples are inserted there.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { driven, IN_PAGE, served } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { documents, Imports, samplesOf } from "./samples.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const OF_PAGES = ["project", "readme", "react", "element", "recipes"];
const OF_NODE = ["server", "testing", "sandbox-package"];
const PAGE = '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><div id="card"></div><div id="root"></div>';

const { connectSandbox, fillCardForm, folder, load, startSandbox } = await installed();
// Whose `test` is the one of samples/testing.mjs.
const playwright = join(folder, "node_modules/@playwright/test");
await mkdir(playwright, { recursive: true });
await writeFile(join(playwright, "package.json"), '{ "type": "module", "exports": "./index.js" }');
await writeFile(join(playwright, "index.js"), "export const test = undefined;");
for (const name of ["react", "react-dom", "scheduler", "keyv", "@keyv/redis", "hono", "express", "playwright-core"]) {
  await link(folder, name);
}
const sandbox = await fileSandbox(startSandbox, { frameAncestors: ["http://127.0.0.1:*"] });
const { createTokenIssuer } = await load("server.js");
const { baseUrl, cardUrl, clientId, clientSecret, senderId } = sandbox;
const handleToken = createTokenIssuer({ baseUrl, clientId, clientSecret }).handler({ senderId: () => senderId });
const all = await documents(join(folder, "node_modules/remitkit"));
const browser = await driven();

test("every document with samples is run", async () => {
  const shown = await Promise.all(Object.entries(all).map(async ([name, path]) => [name, await samplesOf(path)]));
  const found = shown.filter(([, samples]) => samples.length > 0).map(([name]) => name);
  assert.deepEqual(found.sort(), [...OF_PAGES, ...OF_NODE].sort());
});

for (const name of OF_PAGES) {
  test(`the samples of ${name} do in a page what they say`, IN_PAGE, async (t) => {
    await sandbox.reset();
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    await customerOf(page);
    await page.goto(await shopWith(name));
    await page.evaluate(
      async ([file, given]) => {
        const { default: run } = await import(file);
        await run(given);
      },
      [`/${name}.js`, JSON.parse(JSON.stringify(sandbox))],
    );
    assert.deepEqual(troubles, []);
  });
}

for (const name of OF_NODE) {
  test(`the samples of ${name} do in Node what they say`, { timeout: 240_000 }, async (t) => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, await filled(name, ".mjs"));
    const { default: run } = await import(pathToFileURL(file).href);
    await run(t, { browser, connectSandbox, folder, sandbox });
  });
}

/** The document's file of samples/, with each sample in the place that names its heading. */
async function filled(name, extension) {
  const samples = await samplesOf(all[name], ["js", "jsx", "html", "css"]);
  const imports = new Imports();
  const place = await readFile(join(import.meta.dirname, "samples", name + extension), "utf8");
  const body = imports.takeFrom(place, "export default ").replace(/^ *\/\/ sample: (.*)$/gm, (_, heading) => {
    const sample = samples.shift();
    assert.equal(heading, sample?.heading, `the next sample of ${name} stands under another heading, or there is none`);
    if (sample.language === "html" || sample.language === "css") {
      return `const ${sample.language} = ${JSON.stringify(sample.code)};`;
    }
    return claimed(imports.takeFrom(sample.code, "exported.default = "))
      .replaceAll("https://api.remittance.example", baseUrl)
      .replaceAll("https://cards.remittance.example", cardUrl);
  });
  assert.deepEqual(samples.map(({ heading }) => heading), [], `samples of ${name} that nothing runs`);
  return `${imports}${body}`;
}

/** What a sample says in a comment about a value is held to it. */
const claimed = (code) => code.replace(/^(\w.*\)); \/\/ (-?\d+|"[^"]*")$/gm, "equal($1, $2);");

/** A shop whose page has the document's samples; gives its address. */
async function shopWith(name) {
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, `src/${name}.jsx`), await filled(name, ".jsx"));
  await writeFile(join(folder, "src/check.js"), await readFile(join(import.meta.dirname, "samples/check.js")));
  const outDir = join(folder, `dist-${name}`);
  await build({
    root: folder,
    logLevel: "error",
    resolve: {
      alias: [{ find: /^remitkit\/(.*\.wasm)$/, replacement: join(folder, "node_modules/remitkit/$1?url") }],
    },
    build: {
      outDir,
      target: "esnext",
      minify: false,
      lib: { entry: join(folder, `src/${name}.jsx`), formats: ["es"], fileName: () => `${name}.js` },
      rollupOptions: { preserveEntrySignatures: "strict" },
    },
    define: { "process.env.NODE_ENV": '"development"' },
  });
  return served(outDir, { "/": PAGE, "/api/remit-token": handleToken });
}

/** What the page can let its customer do: everything that Playwright's page can, and enter a card. */
async function customerOf(page) {
  const dialogs = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.accept();
  });
  const own = {
    dialogs: () => dialogs,
    entersCard: (card) => fillCardForm(page, { card }),
    losesForms: () => page.route("**/v2/add-card/**", (route) => route.abort()).then(() => undefined),
    findsForms: () => page.unroute("**/v2/add-card/**"),
    navigations: () => page.frames().map((frame) => frame.url()),
  };
  await page.exposeFunction("customerDoes", async (name, ...args) => {
    const done = name in own ? await own[name](...args) : await page[name](...args);
    return JSON.stringify(done) === undefined ? undefined : done;
  });
}

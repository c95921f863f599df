// The samples of the READMEs and of docs/ compile, and do what the documents say, against the sandbox.
// `samples/` has a file for each document, into which the samples are inserted: what a shop brings along,
// what its customer does and what must result.

import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import typescript from "typescript-5";
import { build } from "vite";
import { IN_PAGE, launchBrowser, page as pageText, serveFolder } from "./chromium.mjs";
import { compile, link, RESOLUTIONS } from "./compiler.mjs";
import { ROOT } from "./packed.mjs";
import { documents, Imports, samplesOf } from "./samples.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const IN_PAGES = ["project", "readme", "react", "element", "fields", "recipes"];
const IN_NODE = ["server", "testing", "sandbox-package"];
const PAGE = pageText('<div id="card"></div><div id="root"></div>');

const { fillCardForm, folder, load, startSandbox } = await installed();
// Its `test` is that of samples/testing.mjs.
const playwright = join(folder, "node_modules/@playwright/test");
await mkdir(playwright, { recursive: true });
await writeFile(join(playwright, "package.json"), '{ "type": "module", "exports": "./index.js" }');
await writeFile(join(playwright, "index.js"), "export const test = undefined;");
const LINKS = ["react", "react-dom", "scheduler", "keyv", "@keyv/redis", "hono", "express"];
const TYPES = ["@types/express", "@types/node", "undici-types", "@types/react", "@types/react-dom", "csstype"];
for (const name of [...LINKS, ...TYPES, "playwright-core"]) await link(folder, name);
const WASM = 'declare module "remitkit/*.wasm" { const address: string; export default address; }';
await writeFile(join(folder, "shop.d.ts"), WASM);
const sandbox = await fileSandbox(startSandbox, { frameAncestors: ["http://127.0.0.1:*"] });
const { createTokenIssuer } = await load("server.js");
const { baseUrl, cardUrl, clientId, clientSecret, senderId } = sandbox;
const issuer = createTokenIssuer({ baseUrl, clientId, clientSecret });
const handleToken = issuer.handler({ senderId: () => senderId });
const packed = join(folder, "node_modules/remitkit");
const all = await documents(packed);
const browser = await launchBrowser();

const [BEGIN, END] = ["// A sample:", "// Its end."];

/** Returns the document's file of `samples/` with each sample in the place that names its heading. */
async function filled(name, extension) {
  const samples = await samplesOf(all[name], ["js", "jsx", "ts", "html", "css"]);
  const imports = new Imports();
  const place = await readFile(join(import.meta.dirname, "samples", name + extension), "utf8");
  const body = imports.takeFrom(place, "export default ").replace(/^ *\/\/ sample: (.*)$/gm, (_, heading) => {
    const { language, code, ...sample } = samples.shift() ?? {};
    assert.equal(heading, sample.heading, `the heading of the next sample of ${name}`);
    if (language === "html" || language === "css") return `const ${language} = ${JSON.stringify(code)};`;
    const own = checked(imports.takeFrom(code, "exported.default = "))
      .replaceAll("https://api.remittance.example", baseUrl)
      .replaceAll("https://cards.remittance.example", cardUrl);
    return [BEGIN, own, END].join("\n");
  });
  assert.deepEqual(samples.map(({ heading }) => heading), [], `samples of ${name} without a place`);
  return `${imports}${body}`;
}

/** Turns a sample's comment on a value into an assertion. */
const checked = (code) => code.replace(/^(\w.*\)); \/\/ (-?\d+|"[^"]*")$/gm, "equal($1, $2);");

const SETTINGS = {
  ...RESOLUTIONS[0],
  types: ["node"],
  lib: ["es2023", "dom", "dom.iterable"],
  jsx: "react-jsx",
  // Samples are JavaScript, which has no types of parameters.
  noImplicitAny: false,
  // A page knows which elements it has.
  strictNullChecks: false,
  noUncheckedIndexedAccess: false,
  exactOptionalPropertyTypes: false,
  skipLibCheck: true,
};

/** Asserts that TypeScript accepts a file's samples and imports. The rest of it is the tests' own. */
async function assertCompiles(name, text) {
  await writeFile(join(folder, `${name}.tsx`), text);
  const reported = await compile(folder, "typescript-5", SETTINGS, "shop.d.ts", `${name}.tsx`);
  const lines = text.split("\n");
  const isOfSample = (problem) => {
    const [, line] = /^\S+\.tsx\((\d+),/.exec(problem) ?? [];
    const last = lines.slice(0, line).findLast((text) => [BEGIN, END].includes(text));
    return line === undefined || last === BEGIN || lines[line - 1].startsWith("import ");
  };
  const problems = reported.match(/^\S.*\n(?: .*\n)*/gm) ?? [];
  assert.deepEqual(problems.filter(isOfSample), []);
}

/** Serves a shop whose page has the document's samples; returns its address. */
async function shopWith(name) {
  await copyFile(join(import.meta.dirname, "samples/check.js"), join(folder, "check.js"));
  await assertCompiles(name, await filled(name, ".tsx"));
  const outDir = join(folder, `dist-${name}`);
  const replacement = join(folder, "node_modules/remitkit/$1?url");
  await build({
    root: folder,
    logLevel: "error",
    resolve: { alias: [{ find: /^remitkit\/(.*\.wasm)$/, replacement }] },
    build: {
      outDir,
      target: "esnext",
      minify: false,
      lib: { entry: join(folder, `${name}.tsx`), formats: ["es"], fileName: () => `${name}.js` },
      rollupOptions: { preserveEntrySignatures: "strict" },
    },
    define: { "process.env.NODE_ENV": '"development"' },
  });
  return serveFolder(outDir, { "/": PAGE, "/main.js": "", "/api/remit-token": handleToken });
}

/** Exposes to the page what its customer can do: what Playwright's page can, and enter a card. */
async function exposeCustomer(page) {
  const dialogs = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.accept();
  });
  const FORMS = "**/v2/add-card/**";
  const own = {
    dialogs: () => dialogs,
    entersCard: (card) => fillCardForm(page, { card }),
    losesForms: () => page.route(FORMS, (route) => route.abort()).then(() => undefined),
    findsForms: () => page.unroute(FORMS),
    navigations: () => page.frames().map((frame) => frame.url()),
  };
  await page.exposeFunction("customerDoes", async (name, ...args) => {
    const done = name in own ? await own[name](...args) : await page[name](...args);
    return JSON.stringify(done) === undefined ? undefined : done;
  });
}

test("the JSON in the READMEs is JSON", async () => {
  for (const name of ["README.md", "sandbox/README.md"]) {
    for (const { code } of await samplesOf(join(ROOT, name), ["json"])) JSON.parse(code);
  }
});

test("a recipient's form takes a new shop 16 lines of its page, in React 18", async () => {
  const samples = await samplesOf(all.fields, ["html", "js", "jsx"]);
  const [html, script, react] = samples.map(({ code }) => code.split("\n").filter((line) => line.trim() !== ""));
  assert.deepEqual(samples.slice(0, 3).map(({ language }) => language), ["html", "js", "jsx"]);
  assert.ok(html.length + script.length <= 16, `${html.length} and ${script.length} lines`);
  assert.ok(react.length <= 18, `${react.length} lines`);
});

test("the documents' relative links resolve", async () => {
  const texts = ["llms.txt", "SECURITY.md", "CHANGELOG.md"].map((name) => join(packed, name));
  for (const path of [...Object.values(all).filter((path) => path.startsWith(packed)), ...texts]) {
    for (const [, target] of (await readFile(path, "utf8")).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await assert.doesNotReject(readFile(join(path, "..", target)), `${target} in ${path}`);
    }
  }
});

test("every document with samples is run", async () => {
  const found = [];
  for (const [name, path] of Object.entries(all)) if ((await samplesOf(path)).length > 0) found.push(name);
  assert.deepEqual(found.sort(), [...IN_PAGES, ...IN_NODE].sort());
});

for (const name of IN_PAGES) {
  test(`the samples of ${name} compile, and do in a page what they say`, IN_PAGE, async (t) => {
    await sandbox.reset();
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await exposeCustomer(page);
    await page.goto(await shopWith(name));
    const run = async ([file, addresses]) => (await import(file)).default(addresses);
    await page.evaluate(run, [`/${name}.js`, sandbox.toJSON()]);
    assert.deepEqual(errors, []);
  });
}

for (const name of IN_NODE) {
  test(`the samples of ${name} compile, and do in Node what they say`, { timeout: 240_000 }, async (t) => {
    const file = join(folder, `${name}.mjs`);
    const text = await filled(name, ".mjs");
    await assertCompiles(name, text);
    const compilerOptions = { target: "es2022", module: "esnext" };
    await writeFile(file, typescript.transpileModule(text, { compilerOptions }).outputText);
    const { default: run } = await import(pathToFileURL(file).href);
    await run(t, sandbox);
  });
}

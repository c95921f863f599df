// What a checkout page downloads, and whose bytes these are. Prints tables; the figures go to `--figures`.

import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brokenOf, grouped, problemsOf, PROMISES, shrunkOf, verdictOf } from "./budget.mjs";
import { bundle, bytesOf, sumOf } from "./bundle.mjs";
import { functionsOf, ownersOf } from "./module.mjs";

const BUDGET = join(import.meta.dirname, "budget.json");
const TOLD_FUNCTIONS = 40;

/** Where a bundler finds the package's files, seen from the page. */
const PLACE = "node_modules/remitkit/";
/** Both halves of a page as namespaces: two `export *` would drop what both export. */
const BASE = 'export * as kit from "remitkit";\n';
/** A page that imports `remitkit/react` has React already. */
const PAGE = { external: ["react"] };
const NODE = { platform: "node" };
/** What only some shops use. In a page, `server` is no more than an error that says so. */
const ENTRIES = { react: PAGE, element: PAGE, inline: PAGE, testing: NODE, server: NODE };
const SPANISH = "messages-es";

/** What a page with `createRemitKit` alone has fetched by then: parts of the module, and scripts. */
const CARD_FORM = { parts: ["card"], scripts: ["card-form"] };
const TRANSFER = { parts: ["transfer"], scripts: ["transfer-attempt"] };
const MOMENTS = {
  firstQuote: { parts: [], scripts: [] },
  cardForm: CARD_FORM,
  firstTransfer: TRANSFER,
  everything: { parts: [...CARD_FORM.parts, ...TRANSFER.parts], scripts: [...CARD_FORM.scripts, "load-error-notice", ...TRANSFER.scripts] },
};

/** What others come to who do a part of the same. What a provider's frame loads is in nobody's figure. */
const ZOD_MINI = { alias: { zod: "zod/mini" } };
const PEERS = [
  ["Adyen Card", "@adyen/adyen-web", "adyen-card"],
  ["Adyen CustomCard", "@adyen/adyen-web", "adyen-custom-card"],
  ["Braintree hosted fields, client", "braintree-web", "braintree-hosted-fields"],
  ["zoid", "@krakenjs/zoid", "zoid"],
  ["Penpal", "penpal", "penpal"],
  ["openapi-fetch, zod/mini, 14 operations", "openapi-fetch", "openapi-fetch", ZOD_MINI],
  ["openapi-fetch, zod, 14 operations", "openapi-fetch", "openapi-fetch"],
];

const text = { type: "string" };
const flag = { type: "boolean" };
const { values: given } = parseArgs({ options: { package: text, linked: text, folder: text, figures: text, peers: flag, functions: flag, record: flag } });

const page = join(given.folder, "page");
await rm(page, { recursive: true, force: true });
await mkdir(join(page, "node_modules"), { recursive: true });
await symlink(given.package, join(page, "node_modules/remitkit"));

const figures = await weighPackage();
const weighed = { wasm: figures.wasm.brotli, javascript: figures.js.brotli };
for (const [name, { brotli }] of Object.entries({ ...figures.moments, ...figures.added })) weighed[name] = brotli;
tell("What a page downloads at once", bytesTable({ "the module's first file": figures.wasm, "JavaScript of all of `remitkit`": figures.js }));
tell("What one with `createRemitKit` alone has downloaded by then, with its parts of the module", bytesTable(figures.moments));
tell("What these add to a page, where a shop uses them; the first load has nothing of them", bytesTable(figures.added));

const functions = functionsOf(await readFile(given.linked));
const owners = ownersOf(functions);
const biggest = functions.slice(0, TOLD_FUNCTIONS);
figures.contributors.wasm = owners;
figures.contributors.functions = biggest;
tell("Whose code the module is, as it is linked, before wasm-opt makes it smaller", table(["bytes", "functions", "raw"], owners.map(({ name, functions, raw }) => [name, functions, raw])));
tell("Whose bytes the JavaScript is, minified", table(["bytes", "raw"], Object.entries(figures.contributors.js)));
if (given.functions) tell(`The ${TOLD_FUNCTIONS} biggest functions, as they are linked`, biggest.map(({ name, raw }) => `${grouped(raw).padStart(10)}  ${name}`).join("\n"));
if (given.peers) {
  figures.peers = await weighPeers();
  const rows = Object.fromEntries(figures.peers.map(({ name, version, ...bytes }) => [`${name} (${version})`, bytes]));
  tell("What others come to, bundled with the same flags; what runs in a provider's frame is in no figure", bytesTable(rows));
}

let budget = JSON.parse(await readFile(BUDGET, "utf8"));
const broken = given.record ? brokenOf(budget, weighed) : [];
if (given.record && broken.length === 0) {
  budget = weighed;
  await writeFile(BUDGET, JSON.stringify(budget, null, 2) + "\n");
}
for (const line of shrunkOf(budget, weighed)) console.error(line);
figures.budget = budget;
figures.promises = Object.fromEntries(Object.entries(PROMISES).map(([moment, { most, aim }]) => [moment, [most, aim]]));
const problems = [...broken, ...problemsOf(budget, weighed)];
const line = `size: bytes of brotli by moment: ${Object.keys(PROMISES).map((moment) => verdictOf(moment, weighed[moment])).join(", ")}`;
await writeFile(given.figures, JSON.stringify({ figures, problems, line, weighed: Object.keys(weighed).length }));

/** Throws where the first load carries what it must not. */
async function weighPackage() {
  const module = async (part) => bytesOf(await readFile(join(given.package, `remitkit_${part}.wasm`)));
  const first = await bundle('export * from "remitkit";\n', page, PAGE);
  const create = await bundle('export { createRemitKit } from "remitkit";\n', page, PAGE);
  for (const [what, made] of [["remitkit", first], ["createRemitKit alone", create]]) {
    const carried = partsIn(made);
    if (carried.length > 0) throw new Error(`a page that imports ${what} also carries ${carried.join(", ")}`);
    mustBeOneScript(what, made);
  }
  const wasm = await module("first");
  const moments = {};
  for (const [name, { parts, scripts }] of Object.entries(MOMENTS)) {
    const loaded = create.bytes(scripts.map((script) => `${PLACE}${script}.js`));
    moments[name] = sumOf([wasm, loaded, ...await Promise.all(parts.map(module))]);
  }
  const bases = new Map();
  for (const options of [PAGE, NODE]) bases.set(options, (await bundle(BASE, page, options)).bytes());
  const added = {};
  for (const [name, options] of Object.entries(ENTRIES)) {
    const both = await bundle(`${BASE}export * as further from "remitkit/${name}";\n`, page, options);
    // Else the search in the first load would be for a name that nothing has any more.
    if (!partsIn(both).includes(name)) throw new Error(`no file of remitkit/${name} is named after it, so it cannot be found elsewhere`);
    // React's provider imports the rest of the package itself, when the page is there.
    if (name === "element") mustBeOneScript("remitkit/element", both);
    const [base, all] = [bases.get(options), both.bytes()];
    added[name] = Object.fromEntries(Object.entries(all).map(([form, bytes]) => [form, Math.max(0, bytes - base[form])]));
  }
  added[SPANISH] = first.bytesOfScript(`${PLACE}${SPANISH}.js`);
  const files = Object.entries(first.files()).sort(([, one], [, other]) => other - one).map(([file, bytes]) => [file.replace(PLACE, ""), bytes]);
  return { wasm, js: first.bytes(), moments, added, contributors: { wasm: [], functions: [], js: Object.fromEntries(files) } };
}

function mustBeOneScript(what, made) {
  if (made.scriptsAtOnce() > 1) throw new Error(`a page that imports ${what} waits for a second script before it asks for the module`);
}

/** Returns the parts that only some shops use of which a bundle has files. */
function partsIn(made) {
  const files = Object.keys(made.files()).map((file) => file.replace(PLACE, ""));
  return [...Object.keys(ENTRIES), SPANISH].filter((part) => files.some((file) => file.startsWith(part) && "./-".includes(file[part.length])));
}

async function weighPeers() {
  const peers = [];
  for (const [name, module, file, options] of PEERS) {
    const source = await readFile(join(import.meta.dirname, "peers", `${file}.js`), "utf8");
    const made = await bundle(source, join(import.meta.dirname, "peers"), options);
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "node_modules", module, "package.json"), "utf8"));
    peers.push({ name, package: module, version, ...made.bytes() });
  }
  return peers;
}

function bytesTable(rows) {
  return table(["bytes", "raw", "gzip 9", "brotli 11"], Object.entries(rows).map(([name, { raw, gzip, brotli }]) => [name, raw, gzip, brotli]));
}

function table(head, rows) {
  const width = Math.max(...[head, ...rows].map(([name]) => name.length));
  const line = ([name, ...columns]) => name.padEnd(width) + columns.map((column) => `  ${column.padStart(10)}`).join("");
  return [head, ...rows.map(([name, ...numbers]) => [name, ...numbers.map(grouped)])].map(line).join("\n");
}

function tell(title, content) {
  console.log(`\n${title}\n${content}`);
}

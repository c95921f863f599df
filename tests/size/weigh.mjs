// Weighs what a checkout page downloads, by owner. Prints tables and writes the figures to `--figures`.

import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brokenOf, grouped, problemsOf, PROMISES, shrunkOf, verdictOf } from "./budget.mjs";
import { bundle, bytesOf, sumOf } from "./bundle.mjs";
import { functionsOf, ownersOf } from "./module.mjs";

const BUDGET = join(import.meta.dirname, "budget.json");
const MOST_FUNCTIONS = 40;

/** Where a bundler finds the package's files, seen from the page. */
const PLACE = "node_modules/remitkit/";
/** Both halves of a page as namespaces: two `export *` would drop what both export. */
const BASE = 'export * as kit from "remitkit";\n';
/** A page that imports `remitkit/react` has React already. */
const PAGE = { external: ["react"] };
const NODE = { platform: "node" };
/** The entry points of only some shops. In a page, `server` is no more than an error that says so. */
const ENTRIES = { react: PAGE, element: PAGE, fields: PAGE, inline: PAGE, testing: NODE, server: NODE };
const SPANISH = "messages-es";
const SPANISH_SCRIPT = `errors/${SPANISH}`;
/** Further files that no page has loaded at first. */
const NOT_AT_FIRST = ["custom-element", "quote/quote-session", SPANISH_SCRIPT];
/** The elements of `remitkit/fields`, each alone. */
const ELEMENTS = { "remit-fields": "defineRemitFields", "remit-amount": "defineRemitAmount" };
/** The amount beside the fields. */
const AMOUNT_WITH_FIELDS = "remit-amount-with-fields";
/** Their scripts that load later: another language, the first problem, own details, choices, a price. */
const LATER = {
  "fields-es": "fields/es",
  "fields-corrections": "fields/form/corrections",
  "fields-autofill": "fields/controls/autofill",
  "amount-problem": "fields/amount/amount-problem",
  "amount-choice": "fields/amount/amount-choice",
  "amount-price": "fields/amount/amount-price",
};

/** What a page with `createRemitKit` alone has loaded at a moment: parts of the module, and scripts. */
const CARD_SCRIPTS = ["card/card-form"];
const TRANSFER_SCRIPTS = ["transfer/push-to-card-run"];
const ALL_SCRIPTS = [...CARD_SCRIPTS, "card/load-error-notice", ...TRANSFER_SCRIPTS];
const MOMENTS = {
  firstQuote: { parts: [], scripts: [] },
  cardForm: { parts: ["card"], scripts: CARD_SCRIPTS },
  firstTransfer: { parts: ["transfer"], scripts: TRANSFER_SCRIPTS },
  everything: { parts: ["card", "transfer"], scripts: ALL_SCRIPTS },
};

/** Libraries that do a part of the same, without what a provider's frame loads. */
const FULL_ZOD = { alias: { "zod/mini": "zod" } };
const PEERS = [
  ["Adyen Card", "@adyen/adyen-web", "adyen-card"],
  ["Adyen CustomCard", "@adyen/adyen-web", "adyen-custom-card"],
  ["Braintree hosted fields, client", "braintree-web", "braintree-hosted-fields"],
  ["zoid", "@krakenjs/zoid", "zoid"],
  ["Penpal", "penpal", "penpal"],
  ["openapi-fetch, zod/mini, all operations", "openapi-fetch", "hand-built"],
  ["openapi-fetch, zod, all operations", "openapi-fetch", "hand-built", FULL_ZOD],
];

const text = { type: "string" };
const flag = { type: "boolean" };
const paths = { package: text, linked: text, folder: text, figures: text };
const { values: given } = parseArgs({ options: { ...paths, peers: flag, functions: flag, record: flag } });

const page = join(given.folder, "page");
await rm(page, { recursive: true, force: true });
await mkdir(join(page, "node_modules"), { recursive: true });
await symlink(given.package, join(page, "node_modules/remitkit"));

const figures = await weighPackage();
const { wasm, js, moments, added, contributors } = figures;
const weighed = { wasm: wasm.brotli, javascript: js.brotli };
for (const [name, { brotli }] of Object.entries({ ...moments, ...added })) weighed[name] = brotli;
const atOnce = { "the module's first file": wasm, "JavaScript of all of `remitkit`": js };
print("What a page downloads at once", bytesTable(atOnce));
print("What a page with `createRemitKit` alone has downloaded by a moment", bytesTable(moments));
print("What a page downloads more with each of these, none of which is in the first load", bytesTable(added));

const functions = functionsOf(await readFile(given.linked));
const owners = ownersOf(functions);
const biggest = functions.slice(0, MOST_FUNCTIONS);
contributors.wasm = owners;
contributors.functions = biggest;
const ownerRows = owners.map(({ name, functions, raw }) => [name, functions, raw]);
print("The module by owner, as linked, before wasm-opt", table(["bytes", "functions", "raw"], ownerRows));
print("The JavaScript by file, minified", table(["bytes", "raw"], Object.entries(contributors.js)));
if (given.functions) {
  const lines = biggest.map(({ name, raw }) => `${grouped(raw).padStart(10)}  ${name}`);
  print(`The ${MOST_FUNCTIONS} biggest functions, as linked`, lines.join("\n"));
}
if (given.peers) {
  figures.peers = await weighPeers();
  const rows = figures.peers.map(({ name, version, ...bytes }) => [`${name} (${version})`, bytes]);
  const others = bytesTable(Object.fromEntries(rows));
  print("Others, bundled with the same flags, without a provider's frame", others);
}

let budget = JSON.parse(await readFile(BUDGET, "utf8"));
const broken = given.record ? brokenOf(budget, weighed) : [];
if (given.record && broken.length === 0) {
  budget = weighed;
  await writeFile(BUDGET, JSON.stringify(budget, null, 2) + "\n");
}
for (const line of shrunkOf(budget, weighed)) console.error(line);
figures.budget = budget;
const promises = Object.entries(PROMISES).map(([moment, { most, aim }]) => [moment, [most, aim]]);
figures.promises = Object.fromEntries(promises);
const problems = [...broken, ...problemsOf(budget, weighed)];
const verdicts = Object.keys(PROMISES).map((moment) => verdictOf(moment, weighed[moment]));
const line = `size: bytes of brotli by moment: ${verdicts.join(", ")}`;
const result = { figures, problems, line, weighed: Object.keys(weighed).length };
await writeFile(given.figures, JSON.stringify(result));

/** Weighs the package. Throws where the first load carries what it must not. */
async function weighPackage() {
  const module = async (part) => bytesOf(await readFile(join(given.package, `remitkit_${part}.wasm`)));
  const first = await bundle('export * from "remitkit";\n', page, PAGE);
  const create = await bundle('export { createRemitKit } from "remitkit";\n', page, PAGE);
  for (const [what, made] of [["remitkit", first], ["createRemitKit alone", create]]) {
    const carried = partsIn(made);
    if (carried.length > 0) throw new Error(`a page that imports ${what} also carries ${carried.join(", ")}`);
    assertOneScript(what, made);
  }
  const wasm = await module("first");
  const moments = {};
  for (const [name, { parts, scripts }] of Object.entries(MOMENTS)) {
    const loaded = create.bytes(scripts.map((script) => `${PLACE}${script}.js`));
    moments[name] = sumOf([wasm, loaded, ...(await Promise.all(parts.map(module)))]);
  }
  const bases = new Map();
  for (const options of [PAGE, NODE]) bases.set(options, (await bundle(BASE, page, options)).bytes());
  const added = {};
  for (const [name, options] of Object.entries(ENTRIES)) {
    const both = await bundle(`${BASE}export * as further from "remitkit/${name}";\n`, page, options);
    // Otherwise `partsIn` would not find it in a first load either.
    if (!partsIn(both).includes(name)) throw new Error(`no file of remitkit/${name} is named after it`);
    // React's provider imports the rest of the package itself, when the page is there.
    if (name === "element") assertOneScript("remitkit/element", both);
    const [base, all] = [bases.get(options), both.bytes()];
    const more = Object.entries(all).map(([form, bytes]) => [form, Math.max(0, bytes - base[form])]);
    added[name] = Object.fromEntries(more);
  }
  for (const [name, define] of Object.entries(ELEMENTS)) {
    const both = await bundle(`${BASE}export { ${define} } from "remitkit/fields";\n`, page, PAGE);
    const [base, all] = [bases.get(PAGE), both.bytes()];
    added[name] = Object.fromEntries(Object.entries(all).map(([form, bytes]) => [form, bytes - base[form]]));
  }
  const named = Object.values(ELEMENTS);
  const [one, both] = await Promise.all([named.slice(0, 1), named].map((names) => {
    return bundle(`${BASE}export { ${names} } from "remitkit/fields";\n`, page, PAGE);
  }));
  const [fields, all] = [one.bytes(), both.bytes()];
  added[AMOUNT_WITH_FIELDS] = Object.fromEntries(Object.keys(all).map((form) => [form, all[form] - fields[form]]));
  for (const [name, script] of Object.entries(LATER)) {
    added[name] = both.bytesOfScript(`${PLACE}${script}.js`);
  }
  added[SPANISH] = first.bytesOfScript(`${PLACE}${SPANISH_SCRIPT}.js`);
  const files = Object.entries(first.files()).sort(([, one], [, other]) => other - one);
  const js = Object.fromEntries(files.map(([file, bytes]) => [file.replace(PLACE, ""), bytes]));
  const contributors = { wasm: [], functions: [], js };
  return { wasm, js: first.bytes(), moments, added, contributors };
}

function assertOneScript(what, made) {
  if (made.scriptsAtOnce() === 1) return;
  throw new Error(`a page that imports ${what} waits for a second script before it requests the module`);
}

/** Returns the optional entry points, and further files that load later, of which a bundle has some. */
function partsIn(made) {
  const files = Object.keys(made.files()).map((file) => file.replace(PLACE, ""));
  const isOf = (part) => (file) => file.startsWith(part) && "./-".includes(file[part.length]);
  return [...Object.keys(ENTRIES), ...NOT_AT_FIRST].filter((part) => files.some(isOf(part)));
}

async function weighPeers() {
  const here = import.meta.dirname;
  // The benchmark's client finds them here, too.
  const nodePaths = [join(here, "node_modules")];
  const peers = [];
  for (const [name, module, file, options] of PEERS) {
    const source = await readFile(join(here, "peers", `${file}.js`), "utf8");
    const made = await bundle(source, join(here, "peers"), { nodePaths, ...options });
    const manifest = await readFile(join(here, "node_modules", module, "package.json"), "utf8");
    peers.push({ name, package: module, version: JSON.parse(manifest).version, ...made.bytes() });
  }
  return peers;
}

function bytesTable(rows) {
  const lines = Object.entries(rows).map(([name, { raw, gzip, brotli }]) => [name, raw, gzip, brotli]);
  return table(["bytes", "raw", "gzip 9", "brotli 11"], lines);
}

function table(head, rows) {
  const width = Math.max(...[head, ...rows].map(([name]) => name.length));
  const line = ([name, ...columns]) =>
    name.padEnd(width) + columns.map((column) => `  ${column.padStart(10)}`).join("");
  return [head, ...rows.map(([name, ...numbers]) => [name, ...numbers.map(grouped)])].map(line).join("\n");
}

function print(title, content) {
  console.log(`\n${title}\n${content}`);
}

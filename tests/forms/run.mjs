// Proves that what customers see of the forms is what is sent: a random customer, and others who do what they do to a
// page, in each engine, with the elements and with React's components. The last line on stdout has the figures; the exit
// code is 0 if nothing was found.

import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ENGINES, startEngine } from "../forge/engines.mjs";
import { fileAt, filesIn, pathOf, sendFile, sendJson, startServer } from "../local-server.mjs";
import { FIELD_SETS } from "./fields.mjs";
import { without } from "./safeguards.mjs";

const PROGRESS_MS = 10_000;
const LIMITS_MS = { start: 120_000, step: 1_000 };
const HERE = import.meta.dirname;
const PACKAGE_TESTS = join(HERE, "../package");
const PAGE = `<!doctype html><html lang="en"><title>Forms</title><link rel="icon" href="data:,"><form novalidate>
<div id="place"></div><button>Next</button></form><script type="module" src="/forms/main.js"></script></html>`;

const text = { type: "string" };
const options = Object.fromEntries(["steps", "seed", "without", "package", "folder", ...ENGINES].map((name) => [name, text]));
options.missing = { ...text, multiple: true, default: [] };
const { values: args } = parseArgs({ options });
const [steps, seed] = [Number(args.steps), Number(args.seed)];

await mkdir(args.folder, { recursive: true });
const packed = join(args.folder, "package");
await cp(args.package, packed, { recursive: true });
if (args.without) await without(args.without, packed);
const files = new Map([
  ...(await filesIn(packed)),
  ...(await filesIn(join(HERE, "page"), "/forms/")),
  ["/chaos/chance.mjs", await fileAt(join(HERE, "../chaos/chance.mjs"))],
  ["/react-shop.js", { body: await bundleReact(), type: "text/javascript" }],
]);
let sleptMs = 0;
const server = await startServer((request, response) => {
  const path = pathOf(request);
  if (path === "/") sleptMs = 0;
  if (path === "/sleep") sleptMs += Number(new URL(request.url, server.url).searchParams.get("ms"));
  response.setHeader("date", new Date(Date.now() + sleptMs).toUTCString());
  if (path === "/sleep") return response.writeHead(204).end();
  if (path === "/") return response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end(PAGE);
  if (path === "/v1/transfer-fields") return sendJson(response, { fieldSets: FIELD_SETS });
  const file = files.get(path);
  return file ? sendFile(response, file, "no-store") : response.writeHead(404).end();
});

const engines = {};
try {
  for (const engine of ENGINES.filter((name) => args[name])) {
    engines[engine] = await runIn(engine, args[engine]);
  }
} finally {
  await server.stop();
}
const findings = Object.entries(engines).flatMap(([engine, found]) => found.findings.map((one) => ({ engine, ...one })));
const done = Object.values(engines).reduce((sum, one) => sum + one.steps, 0);
const figures = { seed, without: args.without, steps: done, engines: Object.keys(engines), missing: args.missing };
figures.findings = findings.length;
if (args.without) Object.assign(figures, { noticed: findings.length > 0, foundAfter: findings[0]?.step });
const clean = findings.length === 0;
await writeFile(join(args.folder, "findings.json"), JSON.stringify(findings, null, 2));
await writeFile(join(args.folder, "figures.json"), JSON.stringify({ clean, broken: !clean, ...figures }, null, 2));
const parts = Object.entries(engines).map(([engine, { steps, counts, findings }]) => {
  return `${engine} ${steps} steps, ${counts.submitted ?? 0} submissions, findings ${findings.length}`;
});
const missing = args.missing.map((engine) => `${engine} is not there`);
console.log(`forms: ${[...parts, ...missing, ...(args.without ? [`without ${args.without}`] : []), `seed ${seed}`].join("; ")}`);
process.exitCode = clean ? 0 : 1;

/** Half of the steps with the elements, half with React's components. */
async function runIn(engine, program) {
  const driver = await startEngine(engine, program);
  const found = { steps: 0, counts: {}, findings: [] };
  try {
    for (const react of [false, true]) {
      await driver.open(server.url);
      await until(() => driver.evaluate("() => Boolean(globalThis.forms)"));
      await driver.evaluate("(options) => void forms.start(options)", { seed, steps: Math.ceil(steps / 2), react });
      const report = await reportOf(engine, driver);
      found.steps += report.steps;
      found.findings.push(...report.findings.map((one) => ({ react, ...one })));
      for (const [name, count] of Object.entries(report.counts)) found.counts[name] = (found.counts[name] ?? 0) + count;
      if (args.without && found.findings.length > 0) break;
    }
  } finally {
    await driver.stop();
  }
  return found;
}

async function reportOf(engine, driver) {
  const end = Date.now() + LIMITS_MS.start + LIMITS_MS.step * steps;
  let told = 0;
  for (let shown = Date.now(); ; await sleep(200)) {
    const report = await driver.evaluate("() => forms.report()");
    for (const finding of report.findings.slice(told)) console.error(`  ${engine}: ${JSON.stringify(finding)}`);
    told = report.findings.length;
    if (report.isDone || (args.without && report.findings.length > 0)) return report;
    if (Date.now() > end) throw new Error(`${engine} was not done in time`);
    if (Date.now() - shown < PROGRESS_MS) continue;
    shown = Date.now();
    console.error(`  ${engine}: ${report.steps} of ${Math.ceil(steps / 2)} steps, findings ${report.findings.length}`);
  }
}

async function until(condition) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    if (await condition().catch(() => false)) return;
  }
  throw new Error("the page did not load");
}

async function bundleReact() {
  const root = join(args.folder, "shop");
  await mkdir(join(root, "node_modules"), { recursive: true });
  await symlink(packed, join(root, "node_modules/remitkit"));
  for (const name of ["react", "react-dom", "scheduler"]) {
    await symlink(join(PACKAGE_TESTS, "node_modules", name), join(root, "node_modules", name));
  }
  await cp(join(HERE, "react-shop.js"), join(root, "react-shop.js"));
  const vite = createRequire(join(PACKAGE_TESTS, "package.json")).resolve("vite");
  const { build } = await import(pathToFileURL(vite));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { preserveSymlinks: true },
    define: { "process.env.NODE_ENV": '"development"' },
    build: {
      target: "esnext",
      lib: { entry: "react-shop.js", formats: ["es"], fileName: () => "react-shop.js" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return readFile(join(root, "dist/react-shop.js"));
}

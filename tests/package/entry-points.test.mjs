// Each entry point alone: imported where it cannot work, and called with what nobody would pass on purpose.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Chance } from "../chaos/chance.mjs";
import { hostile } from "../fuzz/values.mjs";
import { link } from "./compiler.mjs";
import { printed, shop, shown } from "./packed.mjs";

const folder = await shop();
await link(folder, "react");
const installed = join(folder, "node_modules/remitkit");
const { exports } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
const scripts = Object.keys(exports).filter((entry) => exports[entry].default?.endsWith(".js"));
const nameOf = (entry) => entry.replace(/^\./, "remitkit");

const SURROUNDINGS = {
  Node: "",
  "a page without WebAssembly": "delete globalThis.WebAssembly;",
};

test("the package has exactly these entry points", () => {
  assert.deepEqual(scripts.sort(), [".", "./element", "./inline", "./react", "./remitkit.min.js", "./server", "./testing"]);
});

for (const [place, prepare] of Object.entries(SURROUNDINGS)) {
  test(`each can be imported in ${place}`, async () => {
    const code = scripts.map((entry) => `found[${JSON.stringify(entry)}] = Object.keys(await import(${JSON.stringify(nameOf(entry))})).length;`);
    const found = await printed(folder, `${prepare} const found = {}; ${code.join("\n")} console.log(JSON.stringify(found));`);
    for (const entry of scripts) assert.ok(found[entry] > 0, entry);
  });
}

test("all but the server's entry can be imported in a worker", async () => {
  const entries = JSON.stringify(scripts.filter((entry) => entry !== "./server").map(nameOf));
  const worker = `
    import { parentPort } from "node:worker_threads";
    for (const entry of ${entries}) await import(entry);
    parentPort.postMessage("all");`;
  const result = await printed(
    folder,
    `
    import { writeFileSync } from "node:fs";
    import { Worker } from "node:worker_threads";
    writeFileSync("every.mjs", ${JSON.stringify(worker)});
    new Worker("./every.mjs", { execArgv: [] }).on("message", (said) => console.log(JSON.stringify(said)));`,
  );
  assert.equal(result, "all");
});

test("without WebAssembly, or off a page, calls that need them say so", async () => {
  const result = await printed(
    folder,
    `
    delete globalThis.WebAssembly;
    const given = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
    const failures = [];
    for (const name of ["remitkit", "remitkit/inline"]) {
      const { createRemitKit } = await import(name);
      failures.push(await createRemitKit(given).then(() => "none", ({ kind, message }) => kind + ": " + message));
    }
    const { defineRemitCardForm } = await import("remitkit/element");
    defineRemitCardForm();
    console.log(JSON.stringify(failures));`,
  );
  for (const failure of result) assert.match(failure, /^configuration: .*WebAssembly/);
});

/** What takes options and is called by itself; the rest takes a request, a page, a process or a component. */
const CALLED = {
  "./server": ["createTokenIssuer", "createWebhookReceiver"],
  "./testing": ["fakeRemitKit", "fakeCardForm", "fakeFieldForm", "fakeTransferAttempt"],
  "./element": ["defineRemitCardForm"],
};
const COUNT = 1_000;
const seed = Number(process.env.REMITKIT_SEED ?? Math.trunc(Math.random() * 2 ** 32));

for (const [entry, names] of Object.entries(CALLED)) {
  const module = await import(pathToFileURL(join(installed, exports[entry].default)).href);
  const { isRemitError } = await import(pathToFileURL(join(installed, "index.js")).href);
  for (const name of names) {
    test(`${name} of ${nameOf(entry)} survives ${COUNT} hostile values (seed ${seed})`, async () => {
      const world = {
        foreign: JSON.parse,
        foreignDate: () => new Date(0),
        foreignError: () => Object.assign(new TypeError("x"), { kind: "internal" }),
        element: () => ({ nodeType: 1 }),
        reenter: () => {},
      };
      for (let at = 0; at < COUNT; at += 1) {
        const chance = new Chance(seed, `${name}/${at}`);
        const args = Array.from({ length: chance.between(0, 3) }, () => hostile(chance, world));
        let error;
        try {
          await module[name](...args);
        } catch (thrown) {
          error = thrown;
        }
        const isSaid = error === undefined || isRemitError(error);
        assert.ok(isSaid, `input ${at}: ${isSaid ? "" : (error?.stack ?? String(error))}`);
      }
    });
  }
}

const PAGE = `<!doctype html><html lang="en"><title>Shop</title><output></output>
<script type="importmap">{ "imports": { "react": "data:text/javascript,${encodeURIComponent(
  ["createContext", "createElement", "useCallback", "useContext", "useEffect", "useImperativeHandle", "useMemo", "useReducer", "useRef", "useState", "useSyncExternalStore", "useLayoutEffect", "useInsertionEffect", "useId", "forwardRef", "memo", "Fragment", "isValidElement"]
    .map((name) => `export const ${name} = () => ({});`)
    .join(""),
)}" } }</script>
<script>delete globalThis.WebAssembly;</script>
<script type="module">
const said = [typeof WebAssembly];
for (const name of ["index", "inline", "element", "react", "testing", "server"]) {
  said.push(await import("/remitkit/" + name + ".js").then(() => name, (error) => name + " refuses: " + error.code));
}
const { createRemitKit } = await import("/remitkit/index.js");
const given = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
said.push(await createRemitKit(given).then(() => "no error", (error) => error.kind));
document.querySelector("output").textContent = said.join();
</script></html>`;

test("a page without WebAssembly can import all but the server's entry", async (t) => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://page");
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    const file = await readFile(join(installed, pathname.replace("/remitkit/", ""))).catch(() => undefined);
    response.writeHead(file ? 200 : 404, { "content-type": "text/javascript" }).end(file);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const text = await shown(`http://127.0.0.1:${server.address().port}/`);
    if (text === undefined) t.diagnostic("there is no Chromium here to run the page in");
    else assert.equal(text, "undefined,index,inline,element,react,testing,server refuses: InvalidConfiguration,configuration");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

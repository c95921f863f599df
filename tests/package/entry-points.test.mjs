// Each entry point alone: imported where it cannot work, and called with what nobody would pass on purpose.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Chance } from "../chaos/chance.mjs";
import { hostile } from "../fuzz/values.mjs";
import { IN_PAGE, pageOf, told } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { EXPORTS } from "./exports.mjs";
import { printed, shop } from "./packed.mjs";

const bare = await shop();
const folder = await shop();
await link(folder, "react");
const installed = join(folder, "node_modules/remitkit");
const { exports } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
const nameOf = (entry) => entry.replace(/^\./, "remitkit");

test("the package has exactly these entry points", () => {
  const scripts = Object.keys(exports).filter((entry) => exports[entry].default?.endsWith(".js"));
  assert.deepEqual(scripts.sort(), Object.keys(EXPORTS));
});

/** `found`: what each of these exports, in a script. */
const importing = (entries) =>
  `const found = {}; for (const entry of ${JSON.stringify(entries)}) found[entry] = Object.keys(await import(entry.replace(/^\\./, "remitkit"))).sort();`;

for (const [place, prepare] of Object.entries({ Node: "", "a page without WebAssembly": "delete globalThis.WebAssembly;" })) {
  test(`each exports its names and no others in ${place}`, async () => {
    assert.deepEqual(await printed(folder, `${prepare}${importing(Object.keys(EXPORTS))}console.log(JSON.stringify(found));`), EXPORTS);
  });
}

test("each exports the same names in a worker", async () => {
  const worker = `import { parentPort } from "node:worker_threads"; ${importing(Object.keys(EXPORTS))} parentPort.postMessage(found);`;
  await writeFile(join(folder, "every.mjs"), worker);
  const code = `
    import { Worker } from "node:worker_threads";
    new Worker("./every.mjs", { execArgv: [] }).on("message", (found) => console.log(JSON.stringify(found)));`;
  assert.deepEqual(await printed(folder, code), EXPORTS);
});

// React itself looks for a window and a document.
for (const [entries, watched] of [
  [[".", "./inline"], "WebAssembly document window fetch navigator sessionStorage localStorage"],
  [["./element", "./react"], "WebAssembly HTMLElement"],
]) {
  test(`importing ${entries.map(nameOf).join(" and ")} leaves the environment unchanged`, async () => {
    const code = `
      const touched = [];
      for (const name of ${JSON.stringify(watched.split(" "))}) {
        Object.defineProperty(globalThis, name, { configurable: true, get() { touched.push(name); } });
      }
      const before = Reflect.ownKeys(globalThis).length;
      ${importing(entries)}
      console.log(JSON.stringify({ touched, added: Reflect.ownKeys(globalThis).length - before }));`;
    assert.deepEqual(await printed(folder, code), { touched: [], added: 0 });
  });
}

test("the server's entry and the package share RemitError", async () => {
  const code = 'const all = [await import("remitkit"), await import("remitkit/server")]; console.log(all[0].RemitError === all[1].RemitError);';
  assert.equal(await printed(folder, code), true);
});

test("without React the element loads, and remitkit/react names the gap", async () => {
  const code = `const error = await import("remitkit/react").catch((error) => error);
    ${importing(["./element"])}
    console.log(JSON.stringify([error.code, /react/.test(error.message), found]));`;
  assert.deepEqual(await printed(bare, code), ["ERR_MODULE_NOT_FOUND", true, { "./element": EXPORTS["./element"] }]);
});

test("the types declare exactly what React's and the element's parts export", async () => {
  for (const name of ["react", "element"]) {
    const types = await readFile(join(installed, `${name}.d.ts`), "utf8");
    const declared = [...types.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(declared.sort(), EXPORTS[`./${name}`]);
  }
});

test("React's part starts with the 'use client' directive", async () => {
  const code = await readFile(join(installed, "react.js"), "utf8");
  assert.match(code, /^"use client";\n/);
  assert.ok(!/export \*/.test(code));
});

test("without WebAssembly, or off a page, calls that need them say so", async () => {
  const code = `
    delete globalThis.WebAssembly;
    const given = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
    const failures = [];
    for (const name of ["remitkit", "remitkit/inline"]) {
      const { createRemitKit } = await import(name);
      failures.push(await createRemitKit(given).then(() => "none", ({ kind, message }) => kind + ": " + message));
    }
    const { defineRemitCardForm } = await import("remitkit/element");
    defineRemitCardForm();
    console.log(JSON.stringify(failures));`;
  for (const failure of await printed(folder, code)) assert.match(failure, /^configuration: .*WebAssembly/);
});

/** What takes options and is called by itself; the rest takes a request, a page, a process or a component. */
const CALLED = {
  "./server": ["createTokenIssuer", "createWebhookReceiver"],
  "./testing": ["fakeRemitKit", "fakeCardForm", "fakeFieldForm", "fakeTransferAttempt"],
  "./element": ["defineRemitCardForm"],
};
const COUNT = 1_000;
const seed = Number(process.env.REMITKIT_SEED ?? Math.trunc(Math.random() * 2 ** 32));
const { isRemitError } = await import(pathToFileURL(join(installed, "index.js")).href);

for (const [entry, names] of Object.entries(CALLED)) {
  const module = await import(pathToFileURL(join(installed, exports[entry].default)).href);
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
        const call = async () => void (await module[name](...args));
        const error = await call().catch((thrown) => ({ thrown }));
        if (error === undefined) continue;
        const isOurs = isRemitError(error.thrown);
        assert.ok(isOurs, `input ${at}: ${isOurs ? "" : (error.thrown?.stack ?? String(error.thrown))}`);
      }
    });
  }
}

const REACT = "createContext createElement useCallback useContext useEffect useImperativeHandle useMemo useReducer useRef useState useSyncExternalStore useLayoutEffect useInsertionEffect useId forwardRef memo Fragment isValidElement"
  .split(" ")
  .map((name) => `export const ${name} = () => ({});`);

test("a page without WebAssembly can import all but the server's entry", IN_PAGE, async () => {
  const page = pageOf(
    `const said = [typeof WebAssembly];
    for (const name of ["index", "inline", "element", "react", "testing", "server"]) {
      said.push(await import("/" + name + ".js").then(() => name, (error) => name + " refuses: " + error.code));
    }
    const { createRemitKit } = await import("/index.js");
    const given = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
    said.push(await createRemitKit(given).then(() => "no error", (error) => error.kind));
    fetch("/told", { method: "POST", body: JSON.stringify(said) });`,
    `<script type="importmap">{ "imports": { "react": "/own-react.js" } }</script><script>delete globalThis.WebAssembly;</script>`,
  );
  const said = await told(installed, { "/": page, "/own-react.js": REACT.join("") });
  assert.deepEqual(said, ["undefined", "index", "inline", "element", "react", "testing", "server refuses: InvalidConfiguration", "configuration"]);
});

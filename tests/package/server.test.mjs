// `remitkit/server` of the packed tarball: where it loads, and where it must not.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build, createServer as createVite, preview } from "vite";
import { opened, printed, run, shop, shown } from "./packed.mjs";

const EXPORTS = [
  "RemitError",
  "createTokenIssuer",
  "createWebhookReceiver",
  "isRemitError",
  "parseTransferWebhook",
];
const REFUSED = "InvalidConfiguration configuration";
const NO_CHROMIUM = "there is no Chromium here to run the page in";

const PAGE =
  '<!doctype html><title>Shop</title><output></output><script type="module" src="/main.js"></script>';
// Tells what the import ends in, as code and kind.
const told = (specifier) => `
const output = document.querySelector("output");
import(${specifier}).then(
  () => (output.textContent = "loaded"),
  (error) => (output.textContent = error.code ? error.code + " " + error.kind : String(error)),
);`;

const folder = await shop({ "index.html": PAGE, "main.js": told('"remitkit/server"') });

test("Node imports it from ESM, CommonJS and workers, sharing RemitError", async () => {
  const names =
    'import("remitkit/server").then((loaded) => console.log(JSON.stringify(Object.keys(loaded).sort())));';
  assert.deepEqual(await printed(folder, names), EXPORTS);
  assert.equal(
    await printed(
      folder,
      'const all = [await import("remitkit"), await import("remitkit/server")]; console.log(all[0].RemitError === all[1].RemitError);',
    ),
    true,
  );
  // From 20.19 on Node can require modules; a top-level await anywhere in it would forbid that.
  await writeFile(
    join(folder, "shop.cjs"),
    'console.log(JSON.stringify(Object.keys(require("remitkit/server")).sort()));',
  );
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
    const { stdout } = await run(process.execPath, ["--no-warnings", "shop.cjs"], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), EXPORTS);
  }
  const worker = `
    import { Worker } from "node:worker_threads";
    const code = 'import("remitkit/server").then((m) => require("node:worker_threads").parentPort.postMessage(Object.keys(m).sort()))';
    new Worker(code, { eval: true, execArgv: [] }).on("message", (names) => console.log(JSON.stringify(names)));`;
  assert.deepEqual(await printed(folder, worker), EXPORTS);
});

test("Node with a DOM imports it; a DOM without Node does not", async () => {
  const load = `
    const result = await import("remitkit/server").then((loaded) => Object.keys(loaded).length, (error) => error.code);
    console.log(JSON.stringify(result));`;
  const dom = "globalThis.window = globalThis; globalThis.document = {};";
  assert.equal(await printed(folder, dom + load), EXPORTS.length);
  const noNode =
    "const { log } = console; const { process: node } = globalThis; globalThis.process = undefined;";
  const quiet = load.replace("console.log", "log");
  assert.equal(await printed(folder, dom + noNode + quiet), "InvalidConfiguration");
  assert.equal(
    await printed(folder, `globalThis.importScripts = () => {};${noNode}${quiet}`),
    "InvalidConfiguration",
  );
  const shim = "globalThis.process = { browser: true, versions: {}, env: {} };";
  assert.equal(await printed(folder, dom + noNode + shim + quiet), "InvalidConfiguration");
  const electron = "Object.defineProperty(process, 'type', { value: 'renderer' });";
  assert.equal(await printed(folder, dom + electron + load), "InvalidConfiguration");
});

test("the browser condition leads to a refusal that exports every name", async () => {
  const refused = `
    const error = await import("remitkit/server").catch((error) => error);
    console.log(JSON.stringify({ ...error.toJSON() }));`;
  const error = await printed(folder, refused, "--conditions=browser");
  assert.deepEqual([error.code, error.kind], REFUSED.split(" "));
  assert.match(error.message, /on your server/);
  const module = await readFile(join(folder, "node_modules/remitkit/server/browser.js"), "utf8");
  for (const name of EXPORTS) {
    assert.match(module, new RegExp(`\\b${name}\\b`));
  }
});

const config = {
  root: folder,
  configFile: false,
  logLevel: "silent",
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
};

test("a page built by Vite is refused, and carries none of the server code", async (t) => {
  await build(config);
  const server = await preview(config);
  try {
    const text = await shown(server.resolvedUrls.local[0]);
    text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, REFUSED);
  } finally {
    await server.close();
  }
  const assets = (await readdir(join(folder, "dist/assets"))).filter((name) => name.endsWith(".js"));
  assert.ok(assets.length > 0);
  for (const name of assets) {
    assert.doesNotMatch(
      await readFile(join(folder, "dist/assets", name), "utf8"),
      /oauth\/token|scrypt/,
      name,
    );
  }
});

test("a page in Vite's development server is refused", async (t) => {
  const server = await createVite(config);
  await server.listen();
  try {
    const text = await shown(server.resolvedUrls.local[0]);
    text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, REFUSED);
  } finally {
    await server.close();
  }
});

test("loading the file itself in a page or worker gives the same refusal", async (t) => {
  const outcome = (specifier) =>
    `import("${specifier}").then(() => "loaded", (error) => error.code + " " + error.kind).then((body) => fetch("/told", { method: "POST", body }));`;
  const own = {
    "/page": PAGE,
    "/main.js": outcome("/server.js"),
    "/worker": PAGE.replace("/main.js", "/start.js"),
    "/start.js": 'new Worker("/worker.js", { type: "module" });',
    "/worker.js": outcome("/server.js"),
  };
  let tell;
  const listener = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = normalize(request.url);
    if (path === "/told") tell(body);
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    const text =
      own[path] ?? (await readFile(join(folder, "node_modules/remitkit", path)).catch(() => undefined));
    response.writeHead(text === undefined ? 404 : 200, { "content-type": type }).end(text);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  after(() => listener.close());
  for (const path of ["/page", "/worker"]) {
    const told = new Promise((resolve) => (tell = resolve));
    const text = await opened(`http://127.0.0.1:${listener.address().port}${path}`, told);
    text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, REFUSED, path);
  }
});

test("fetch's own option for bypassing the cache gets a page a new token", async (t) => {
  const { createTokenIssuer } = await import(
    pathToFileURL(join(folder, "node_modules/remitkit/server.js")).href
  );
  let fetched = 0;
  const endpoint = createServer((request, response) => {
    request.resume();
    fetched += 1;
    response.end(JSON.stringify({ access_token: `t${fetched}`, expires_in: 3600, token_type: "Bearer" }));
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const baseUrl = `http://127.0.0.1:${endpoint.address().port}`;
  const issuer = createTokenIssuer({ baseUrl, clientId: "c", clientSecret: "secret" });
  const handleToken = issuer.handler({ senderId: () => "3f2f9a8e-6d1c-4c58-9d5e-2a1f0b7c9d10" });
  const page = `<!doctype html><script type="module">
    const ask = async (cache) => (await (await fetch("/token", { method: "POST", cache })).json()).access_token;
    const tokens = [await ask("default"), await ask("default")];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    tokens.push(await ask("reload"), await ask("default"));
    await fetch("/told", { method: "POST", body: tokens.join() });
  </script>`;
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const shopServer = createServer(async (request, response) => {
    if (request.url === "/token") return handleToken(request, response);
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url === "/told") tell(body);
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  }).listen(0, "127.0.0.1");
  await once(shopServer, "listening");
  after(() =>
    [endpoint, shopServer].forEach((listener) => (listener.close(), listener.closeAllConnections())),
  );
  const text = await opened(`http://127.0.0.1:${shopServer.address().port}/`, told);
  text === undefined ? t.diagnostic(NO_CHROMIUM) : assert.equal(text, "t1,t1,t2,t2");
});

// `remitkit/server` in the server runtimes that npm offers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, chmod } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { app, matchIn, run } from "../frontends/app.mjs";
import { assertOutlivesCancelling, assertServes, BACKEND, tokenService } from "./backend.mjs";

const HERE = import.meta.dirname;

const WORKER = `import { serve } from "./backend.js";
export default { fetch: (request, env) => serve(request, env.BASE_URL) };`;
// In front of it, a worker that cancels a request as Cloudflare does when a customer leaves.
const DOOR = `export default {
  async fetch(request, env) {
    const cancel = new AbortController();
    const ms = request.headers.get("x-cancel");
    if (ms !== null) setTimeout(() => cancel.abort(), Number(ms));
    const cancelled = () => new Response(null, { status: 499 });
    return env.SHOP.fetch(request, { signal: cancel.signal }).catch(cancelled);
  },
};`;
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "door", worker = .door),
    (name = "shop", worker = .worker),
    (name = "net", network = (allow = ["private", "local"])),
  ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "door") ],
);
const door :Workerd.Worker = (
  modules = [ (name = "door.js", esModule = embed "door.js") ],
  compatibilityDate = "2024-11-11",
  bindings = [ (name = "SHOP", service = "shop") ],
);
const worker :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "dist/worker.js") ],
  compatibilityDate = "2024-11-11",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [ (name = "BASE_URL", fromEnvironment = "BASE_URL") ],
  globalOutbound = "net",
);`;
const NODE = `import { createServer } from "node:http";
import { Readable } from "node:stream";
import { serve } from "./backend.js";
const server = createServer(async (request, response) => {
  const { method, headers, url } = request;
  const body = method === "POST" ? Readable.toWeb(request) : undefined;
  const given = new Request("http://" + headers.host + url, { method, headers, body, duplex: "half" });
  const answer = await serve(given, process.env.BASE_URL);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
});
server.listen(0, "127.0.0.1", () => console.log("port:" + server.address().port + ";"));`;
const DENO = `import { serve } from "./backend.js";
const onListen = ({ port }) => console.log("port:" + port + ";");
const handle = (request) => serve(request, Deno.env.get("BASE_URL"));
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, handle);`;
const BUN = `import { serve } from "./backend.js";
const handle = (request) => serve(request, process.env.BASE_URL);
const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handle });
console.log("port:" + port + ";");`;

// A Worker may not compile wasm; in the other runtimes the kit runs too.
const KIT = `import { createRemitKit, isRemitError } from "remitkit/inline";
const addresses = { baseUrl: "http://127.0.0.1:9", cardUrl: "https://card.remitkit.example" };
const remit = await createRemitKit({ ...addresses, token: "t", journal: "memory", timeoutMs: 200 });
const error = await remit.nonce().catch((error) => error);
console.log(remit.contentSecurityPolicy()["frame-src"][0], isRemitError(error), error.kind);
process.exit();`;

const FILES = {
  "kit.js": KIT,
  "backend.js": BACKEND,
  "worker.js": WORKER,
  "door.js": DOOR,
  "config.capnp": CONFIG,
  "node.js": NODE,
  "deno.js": DENO,
  "bun.js": BUN,
};
const folder = await app(FILES, HERE);
const service = await tokenService();

const installed = (path) => join(HERE, "node_modules", path);
const DENO_FLAGS = ["--allow-all", "--no-lock", "--node-modules-dir=manual"];
const RUNTIMES = {
  workerd: [installed("@cloudflare/workerd-linux-64/bin/workerd"), "serve", "config.capnp", "--control-fd=1"],
  Deno: [installed("@deno/linux-x64-glibc/deno"), "run", ...DENO_FLAGS, "deno.js"],
  Bun: [installed("@oven/bun-linux-x64/bin/bun"), "run", "bun.js"],
  "Node 20": [process.execPath, "node.js"],
  "Node 22": [installed("node-22/bin/node"), "node.js"],
  "Node 24": [installed("node-24/bin/node"), "node.js"],
};

for (const [name, [program, ...args]] of Object.entries(RUNTIMES)) {
  const isThere = await access(program).then(() => true, () => false);
  const options = { skip: isThere ? false : `there is no ${name} for this machine` };
  // npm makes only those files executable that a package declares as programs.
  if (isThere && program !== process.execPath) await chmod(program, 0o755);
  const isWorker = name === "workerd";

  if (!isWorker) {
    test(`${name}: a kit`, options, async () => {
      const { stdout } = await run(program, args.with(-1, "kit.js"), { cwd: folder });
      assert.equal(stdout.trim(), "https://card.remitkit.example true unavailable");
    });
  }

  test(`${name}: the token handler and the webhook`, options, async () => {
    if (isWorker) {
      // As wrangler does.
      const conditions = ["workerd", "worker", "browser"];
      const files = { absWorkingDir: folder, entryPoints: ["worker.js"], outdir: "dist" };
      await build({ ...files, bundle: true, format: "esm", conditions, external: ["node:*"] });
    }
    service.asked = 0;
    const env = { ...process.env, BASE_URL: service.address };
    const server = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    try {
      const address = `http://127.0.0.1:${await matchIn(server, /port"?:\s*(\d+)/)}`;
      await assertServes(address, service);
      if (isWorker) await assertOutlivesCancelling(address);
    } finally {
      // SIGTERM would wait for a request that hangs.
      server.kill("SIGKILL");
    }
  });
}

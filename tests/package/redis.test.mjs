// Two backends in processes of their own share tokens through a Redis that hangs, is killed and restarts.

import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createClient } from "@keyv/redis";
import { SECRET, sleep, tokenEndpoint } from "./facade/server.mjs";
import { shop } from "./packed.mjs";

const REDIS = process.env.REMITKIT_REDIS || "redis-server";
const sender = (number) => `3f2f9a8e-6d1c-4c58-9d5e-${String(number).padStart(12, "0")}`;

const folder = await mkdtemp(join(tmpdir(), "remitkit-redis-"));
const socket = join(folder, "redis.sock");
const children = [];
after(async () => {
  children.forEach((child) => child.kill("SIGKILL"));
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "close")));
  await rm(folder, { recursive: true, force: true });
});

/** Starts a Redis on a socket, so that no port has to be free; undefined where there is none. */
async function startRedis() {
  const flags = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn(REDIS, flags, { stdio: ["ignore", "pipe", "inherit"] });
  let log = "";
  const isReady = new Promise((resolve, reject) => {
    child.on("error", (error) => (error.code === "ENOENT" ? resolve(false) : reject(error)));
    child.on("close", (code) => reject(new Error(`Redis has ended with ${code}: ${log}`)));
    child.stdout.on("data", (chunk) => {
      log += chunk;
      if (/ready to accept connections/i.test(log)) resolve(true);
    });
  });
  if (!(await isReady)) return undefined;
  children.push(child);
  return child;
}

/** Starts a backend, whose output is `printed`. */
async function startBackend(options) {
  const program = join(import.meta.dirname, "redis/backend.mjs");
  const child = fork(program, [JSON.stringify(options)], { silent: true });
  children.push(child);
  const backend = { printed: "", child };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (backend.printed += chunk));
  /** Asks for a sender's token; returns it and the milliseconds it took. */
  backend.token = async (number, more) => {
    child.send({ senderId: sender(number), ...more });
    const [{ error, ...answer }] = await once(child, "message");
    assert.equal(error, undefined, backend.printed);
    return answer;
  };
  await once(child, "message");
  return backend;
}

test("two processes share tokens through Redis and survive its outage", async (t) => {
  let redis = await startRedis();
  if (redis === undefined) return t.skip(`there is no ${REDIS} here (Debian: apt-get install redis-server)`);
  const { baseUrl, asked } = await tokenEndpoint();
  const module = pathToFileURL(join(await shop(), "node_modules/remitkit/server.js")).href;
  const backend = { module, socket, baseUrl, secret: SECRET };
  const [a, b] = await Promise.all([startBackend(backend), startBackend(backend)]);
  const tokenOf = async (backend, ...request) => (await backend.token(...request)).token;

  await t.test("a token fetched by one process is available to the other", async () => {
    assert.deepEqual([await tokenOf(a, 1), await tokenOf(b, 1), asked.length], ["t1", "t1", 1]);
    assert.deepEqual([await tokenOf(b, 1, { renew: true }), await tokenOf(a, 1)], ["t2", "t2"]);
  });

  await t.test("Redis expires a token", async () => {
    const client = createClient({ socket: { path: socket } });
    await client.connect();
    try {
      const ttls = await Promise.all((await client.keys("*")).map((key) => client.pTTL(key)));
      assert.equal(ttls.length, 1);
      // A version is kept past the renewal of the token it replaced, for as long as clocks may differ.
      assert.ok(ttls[0] > 3_100_000 && ttls[0] <= 3_240_000 + 60_000, String(ttls));
    } finally {
      await client.disconnect();
    }
  });

  await t.test("a hanging Redis delays one call by half a second, not the next", async () => {
    redis.kill("SIGSTOP");
    try {
      const known = await a.token(1);
      assert.equal(known.token, "t2");
      assert.ok(known.took > 400, String(known.took));
      const next = await a.token(3);
      // Relative, as both take longer on a busy machine.
      assert.ok(next.took < known.took - 250, `${next.took} after ${known.took}`);
    } finally {
      redis.kill("SIGCONT");
    }
  });

  await t.test("killing Redis stops neither tokens nor processes", async () => {
    redis.kill("SIGKILL");
    await once(redis, "close");
    const before = asked.length;
    for (let i = 0; i < 20; i++) {
      const known = await b.token(1);
      const other = await b.token(4);
      assert.equal(known.token, "t2");
      assert.ok(Math.max(known.took, other.took) < 2000, `${known.took} ${other.took}`);
    }
    assert.deepEqual([asked.length, b.child.exitCode], [before + 1, null]);
  });

  await t.test("a restarted Redis is used again", async () => {
    redis = await startRedis();
    const until = performance.now() + 30_000;
    for (let number = 100; ; number++) {
      if ((await tokenOf(a, number)) === (await tokenOf(b, number))) break;
      assert.ok(performance.now() < until, "they do not share again");
      await sleep(500);
    }
  });

  await t.test("the processes' output mentions the cache and no secret", () => {
    const printed = a.printed + b.printed;
    assert.match(printed, /remitkit\/server: ServiceUnavailable: cache\.\w+ /);
    assert.doesNotMatch(printed, /nobody-may-see|\bt\d+\b/);
  });
});

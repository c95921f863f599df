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
import { sleep, tokenEndpoint } from "./facade/server.mjs";
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

/** Starts a backend: `send` runs a command in it, `printed` is its output. */
async function startBackend(options) {
  const program = join(import.meta.dirname, "redis/backend.mjs");
  const child = fork(program, [JSON.stringify(options)], { silent: true });
  children.push(child);
  const backend = { printed: "", child };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (backend.printed += chunk));
  const pending = new Map();
  child.on("message", ({ id, ...reply }) => pending.get(id)?.resolve(reply));
  child.on("close", (code) => {
    const error = new Error(`the backend has ended with ${code}: ${backend.printed}`);
    pending.forEach(({ reject }) => reject(error));
  });
  backend.send = (command, more) => {
    const id = pending.size;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      child.send({ id, command, ...more });
    });
  };
  await once(child, "message");
  return backend;
}

test("two processes share tokens through Redis and survive its outage", async (t) => {
  let redis = await startRedis();
  if (redis === undefined) return t.skip(`there is no ${REDIS} here (Debian: apt-get install redis-server)`);
  const { baseUrl, asked } = await tokenEndpoint();
  const module = pathToFileURL(join(await shop(), "node_modules/remitkit/server.js")).href;
  const secrets = { secret: "s3cret-nobody-may-see", apiKey: "whk_nobody-may-see" };
  const [a, b] = await Promise.all([1, 2].map(() => startBackend({ module, socket, baseUrl, ...secrets })));
  const token = async (backend, number, more) => {
    const { answer, took } = await backend.send("token", { senderId: sender(number), ...more });
    assert.ok(Array.isArray(answer), JSON.stringify(answer));
    return { tokens: answer, took };
  };
  const tokens = async (...args) => (await token(...args)).tokens;

  await t.test("a token fetched by one process is available to the other", async () => {
    assert.deepEqual([await tokens(a, 1), await tokens(b, 1), asked.length], [["t1"], ["t1"], 1]);
    assert.deepEqual([await tokens(b, 1, { renew: true }), await tokens(a, 1)], [["t2"], ["t2"]]);
  });

  await t.test("1,000 concurrent calls fetch at most once per process, then agree", async () => {
    const before = asked.length;
    await Promise.all([tokens(a, 2, { times: 500 }), tokens(b, 2, { times: 500 })]);
    const fetched = asked.length - before;
    assert.ok(fetched === 1 || fetched === 2, String(fetched));
    for (const backend of [a, b]) await tokens(backend, 2);
    assert.deepEqual(await tokens(a, 2), await tokens(b, 2));
    assert.equal(asked.length, before + fetched);
  });

  await t.test("Redis holds no readable token, secret or client, and expires them", async () => {
    const client = createClient({ socket: { path: socket } });
    await client.connect();
    try {
      const keys = await client.keys("*");
      assert.equal(keys.length, 2);
      for (const key of keys) {
        const kept = `${key} ${await client.get(key)}`;
        assert.doesNotMatch(kept, /\bt\d\b|shop|nobody-may-see|127\.0\.0\.1/);
        assert.match(kept, /v1\./);
        const ttl = await client.pTTL(key);
        // A version is kept past the renewal of the token it replaced, for as long as clocks may differ.
        assert.ok(ttl > 3_100_000 && ttl <= 3_240_000 + 60_000, String(ttl));
      }
    } finally {
      await client.disconnect();
    }
  });

  await t.test("a webhook handled by one process is a duplicate to the other", async () => {
    const event = { TransferId: "t", Status: "Complete", StatusChangedDate: "2026-11-21T10:11:12Z" };
    const failed = { ...event, Status: "Failed" };
    const send = async (backend, event) => (await backend.send("webhook", { event })).answer;
    assert.deepEqual([await send(a, event), await send(b, event)], [[200, 1], [200, 0]]);
    assert.deepEqual(await send(b, failed), [200, 1]);
  });

  await t.test("a hanging Redis delays one call by half a second, not the next", async () => {
    redis.kill("SIGSTOP");
    try {
      const known = await token(a, 1);
      assert.deepEqual(known.tokens, ["t2"]);
      assert.ok(known.took > 400, String(known.took));
      const next = await token(a, 3);
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
      const known = await token(b, 1);
      const other = await token(b, 4);
      assert.deepEqual(known.tokens, ["t2"]);
      assert.ok(Math.max(known.took, other.took) < 2000, `${known.took} ${other.took}`);
    }
    assert.deepEqual([asked.length, b.child.exitCode], [before + 1, null]);
  });

  await t.test("a restarted Redis is used again", async () => {
    redis = await startRedis();
    const until = performance.now() + 30_000;
    for (let number = 100; ; number++) {
      const [one, other] = [await tokens(a, number), await tokens(b, number)];
      if (one[0] === other[0]) break;
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

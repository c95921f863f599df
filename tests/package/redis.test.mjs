// Two backends in processes of their own share tokens through a Redis that hangs, is killed and comes back.

import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createClient } from "@keyv/redis";
import { tokenEndpoint } from "./facade/server.mjs";
import { shop } from "./packed.mjs";

const REDIS = process.env.REMITKIT_REDIS || "redis-server";
const SECRET = "s3cret-nobody-may-see";
const API_KEY = "whk_nobody-may-see";
const sender = (number) => `3f2f9a8e-6d1c-4c58-9d5e-${String(number).padStart(12, "0")}`;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const folder = await mkdtemp(join(tmpdir(), "remitkit-redis-"));
const socket = join(folder, "redis.sock");
const started = [];
after(async () => {
  started.forEach((child) => child.kill("SIGKILL"));
  await Promise.all(started.map((child) => child.exitCode ?? child.signalCode ?? once(child, "close")));
  await rm(folder, { recursive: true, force: true });
});

/** A Redis on a socket of its own, so that no port has to be free; undefined where there is none. */
async function startRedis() {
  const flags = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn(REDIS, flags, { stdio: ["ignore", "pipe", "inherit"] });
  let log = "";
  const ready = new Promise((resolve, reject) => {
    child.on("error", (error) => (error.code === "ENOENT" ? resolve(false) : reject(error)));
    child.on("close", (code) => reject(new Error(`Redis has ended with ${code}: ${log}`)));
    child.stdout.on("data", (chunk) => {
      log += chunk;
      if (/ready to accept connections/i.test(log)) resolve(true);
    });
  });
  if (!(await ready)) {
    return undefined;
  }
  started.push(child);
  return child;
}

async function startBackend(options) {
  const child = fork(join(import.meta.dirname, "redis/backend.mjs"), [JSON.stringify(options)], {
    silent: true,
  });
  started.push(child);
  const backend = { printed: "", child };
  child.stdout.on("data", (chunk) => (backend.printed += chunk));
  child.stderr.on("data", (chunk) => (backend.printed += chunk));
  const answers = new Map();
  child.on("message", ({ id, answer, took }) => answers.get(id)?.({ answer, took }));
  backend.send = (command, more) => {
    const id = answers.size + 1;
    return new Promise((resolve, reject) => {
      answers.set(id, resolve);
      child.once("close", (code) =>
        reject(new Error(`the backend has ended with ${code}: ${backend.printed}`)),
      );
      child.send({ id, command, ...more });
    });
  };
  child.setMaxListeners(0);
  await once(child, "message");
  return backend;
}

test("two processes share tokens through Redis and survive its outage", async (t) => {
  let redis = await startRedis();
  if (redis === undefined) {
    return t.skip(
      `there is no ${REDIS} here, so nothing was shown about Redis (Debian: apt-get install redis-server)`,
    );
  }
  const endpoint = await tokenEndpoint();
  const module = pathToFileURL(join(await shop(), "node_modules/remitkit/server.js")).href;
  const options = { module, socket, baseUrl: endpoint.baseUrl, secret: SECRET, apiKey: API_KEY };
  const [a, b] = await Promise.all([startBackend(options), startBackend(options)]);
  const token = async (backend, number, times) => {
    const { answer, took } = await backend.send("token", { senderId: sender(number), times });
    assert.ok(Array.isArray(answer), JSON.stringify(answer));
    return { tokens: answer, took };
  };

  await t.test("a token fetched by one process is available to the other", async () => {
    assert.deepEqual((await token(a, 1)).tokens, ["t1"]);
    assert.deepEqual((await token(b, 1)).tokens, ["t1"]);
    assert.equal(endpoint.asked.length, 1);
    assert.deepEqual((await b.send("renew", { senderId: sender(1) })).answer, ["t2"]);
    assert.deepEqual((await token(a, 1)).tokens, ["t2"]);
  });

  await t.test("1,000 concurrent calls fetch at most once per process, then agree", async () => {
    const before = endpoint.asked.length;
    await Promise.all([token(a, 2, 500), token(b, 2, 500)]);
    const fetched = endpoint.asked.length - before;
    assert.ok(fetched === 1 || fetched === 2, String(fetched));
    const agreed = [];
    for (const backend of [a, b, a, b]) agreed.push(...(await token(backend, 2)).tokens);
    assert.equal(new Set(agreed.slice(2)).size, 1, String(agreed));
    assert.equal(endpoint.asked.length, before + fetched);
    t.diagnostic(`1,000 calls in two processes fetched ${fetched} times`);
  });

  await t.test(
    "Redis holds no readable token, secret or client, and expires them",
    async () => {
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
    },
  );

  await t.test("a webhook handled by one process is a duplicate to the other", async () => {
    const event = { TransferId: "t", Status: "Complete", StatusChangedDate: "2026-11-21T10:11:12Z" };
    assert.deepEqual((await a.send("webhook", { event })).answer, [200, 1]);
    assert.deepEqual((await b.send("webhook", { event })).answer, [200, 0]);
    assert.deepEqual((await b.send("webhook", { event: { ...event, Status: "Failed" } })).answer, [200, 1]);
  });

  await t.test("a hanging Redis delays one call by half a second, not the next", async () => {
    redis.kill("SIGSTOP");
    try {
      const known = await token(a, 1);
      assert.deepEqual(known.tokens, ["t2"]);
      assert.ok(known.took > 400, String(known.took));
      const next = await token(a, 3);
      // By what the first one took: on a busy machine both take longer.
      assert.ok(next.took < known.took - 250, `${next.took} after ${known.took}`);
      t.diagnostic(`with Redis stopped: ${known.took.toFixed()} ms, then ${next.took.toFixed()} ms`);
    } finally {
      redis.kill("SIGCONT");
    }
  });

  await t.test("killing Redis stops neither tokens nor processes", async () => {
    redis.kill("SIGKILL");
    await once(redis, "close");
    const before = endpoint.asked.length;
    const took = [];
    for (let i = 0; i < 20; i++) {
      const known = await token(b, 1);
      assert.deepEqual(known.tokens, ["t2"]);
      took.push(known.took, (await token(b, 4)).took);
    }
    assert.equal(endpoint.asked.length, before + 1);
    assert.ok(Math.max(...took) < 2000, String(took));
    t.diagnostic(`with Redis killed: at most ${Math.max(...took).toFixed()} ms`);
    assert.equal(b.child.exitCode, null);
  });

  await t.test("a restarted Redis is used again", async () => {
    redis = await startRedis();
    const until = performance.now() + 30_000;
    for (let number = 100; ; number++) {
      const one = (await token(a, number)).tokens;
      const other = (await token(b, number)).tokens;
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

// Two backends share tokens through a Redis that hangs, is killed and restarts.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import KeyvRedis, { createClient } from "@keyv/redis";
import Keyv from "keyv";
import { SECRET, server, sleep, tokenEndpoint } from "./facade/server.mjs";

const REDIS = process.env.REMITKIT_REDIS || "redis-server";
const sender = (number) => `3f2f9a8e-6d1c-4c58-9d5e-${String(number).padStart(12, "0")}`;

const folder = await mkdtemp(join(tmpdir(), "remitkit-redis-"));
const path = join(folder, "redis.sock");
let redis;
after(async () => {
  if (redis) await kill(redis);
  await rm(folder, { recursive: true, force: true });
});

async function kill(child) {
  child.kill("SIGKILL");
  await once(child, "close");
}

/** Starts a Redis on a socket, so that no port has to be free; undefined where there is none. */
async function startRedis() {
  const flags = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--dir", folder];
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
  return (await isReady) ? child : undefined;
}

/** Creates a backend, which returns a sender's token and the milliseconds it took. */
function backend(baseUrl, errors) {
  const cache = new Keyv(new KeyvRedis({ socket: { path } }));
  // Without a listener an error of Keyv would end the process.
  cache.on("error", () => {});
  after(() => cache.disconnect().catch(() => {}));
  const client = { baseUrl, clientId: "shop", clientSecret: SECRET };
  const tokens = server.createTokenIssuer({ ...client, cache, onError: (error) => errors.push(error) });
  return async (number, options) => {
    const startedAt = performance.now();
    const { access_token: token } = await tokens.senderToken(sender(number), options);
    return { token, took: performance.now() - startedAt };
  };
}

test("two backends share tokens through Redis and survive its outage", async (t) => {
  redis = await startRedis();
  if (redis === undefined) return t.skip(`there is no ${REDIS} here (Debian: apt-get install redis-server)`);
  const { baseUrl, asked } = await tokenEndpoint();
  const errors = [];
  const [a, b] = [backend(baseUrl, errors), backend(baseUrl, errors)];

  await t.test("a token fetched by one is available to the other, and expires", async () => {
    assert.deepEqual([(await a(1)).token, (await b(1)).token, asked.length], ["t1", "t1", 1]);
    assert.deepEqual([(await b(1, { renew: true })).token, (await a(1)).token], ["t2", "t2"]);
    const client = await createClient({ socket: { path } }).connect();
    const ttls = await Promise.all((await client.keys("*")).map((key) => client.pTTL(key)));
    await client.disconnect();
    assert.equal(ttls.length, 1);
    // A version is kept past the renewal of the token it replaced, for as long as clocks may differ.
    assert.ok(ttls[0] > 3_100_000 && ttls[0] <= 3_240_000 + 60_000, String(ttls));
  });

  await t.test("a hanging Redis delays one call by half a second, not the next", async () => {
    redis.kill("SIGSTOP");
    try {
      const known = await a(1);
      assert.equal(known.token, "t2");
      assert.ok(known.took > 400, String(known.took));
      const next = await a(3);
      // Relative, as both take longer on a busy machine.
      assert.ok(next.took < known.took - 250, `${next.took} after ${known.took}`);
    } finally {
      redis.kill("SIGCONT");
    }
  });

  await t.test("killing Redis stops no tokens", async () => {
    await kill(redis);
    const before = asked.length;
    for (let i = 0; i < 20; i += 1) {
      const [known, other] = [await b(1), await b(4)];
      assert.equal(known.token, "t2");
      assert.ok(Math.max(known.took, other.took) < 2000, `${known.took} ${other.took}`);
    }
    assert.equal(asked.length, before + 1);
    assert.ok(errors.length > 0);
    for (const { code, option } of errors) assert.deepEqual([code, option], ["ServiceUnavailable", "cache"]);
  });

  await t.test("a restarted Redis is used again", async () => {
    redis = await startRedis();
    const until = performance.now() + 30_000;
    for (let number = 100; (await a(number)).token !== (await b(number)).token; number += 1) {
      assert.ok(performance.now() < until, "they do not share again");
      await sleep(500);
    }
  });
});

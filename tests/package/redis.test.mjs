// Two backends share tokens through a Redis that hangs and is killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import KeyvRedis from "@keyv/redis";
import Keyv from "keyv";
import { SECRET, SENDER, server, tokenEndpoint } from "./facade/server.mjs";

const REDIS = process.env.REMITKIT_REDIS || "redis-server";

const folder = await mkdtemp(join(tmpdir(), "remitkit-redis-"));
after(() => rm(folder, { recursive: true, force: true }));
const MISSING = `there is no ${REDIS} here (Debian: apt-get install redis-server)`;

/** Starts a Redis on a socket, so that no port has to be free; undefined where there is none. */
async function startRedis(path, ...more) {
  const flags = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--dir", folder];
  flags.push(...more);
  const child = spawn(REDIS, flags, { stdio: ["ignore", "pipe", "inherit"] });
  after(() => child.kill("SIGKILL"));
  const isReady = new Promise((resolve, reject) => {
    child.on("error", (error) => (error.code === "ENOENT" ? resolve(false) : reject(error)));
    child.stdout.on("data", (chunk) => /ready to accept/i.test(chunk) && resolve(true));
  });
  return (await isReady) ? child : undefined;
}

/** Creates a backend: a function that returns the sender's token and the milliseconds it took. */
function backend(path, baseUrl, errors) {
  const store = new KeyvRedis({ socket: { path } });
  after(() => store.disconnect(true));
  const cache = new Keyv(store);
  // Without a listener an error of Keyv would end the process.
  cache.on("error", () => {});
  const client = { baseUrl, clientId: "shop", clientSecret: SECRET };
  const tokens = server.createTokenIssuer({ ...client, cache, onError: (error) => errors.push(error) });
  return async (options) => {
    const startedAt = performance.now();
    const { access_token: token } = await tokens.senderToken(SENDER, options);
    return { token, took: performance.now() - startedAt };
  };
}

test("two backends share tokens through Redis and survive its outage", async (t) => {
  const path = join(folder, "redis.sock");
  const redis = await startRedis(path);
  if (redis === undefined) return t.skip(MISSING);
  const { baseUrl } = await tokenEndpoint();
  const errors = [];
  const [a, b] = [backend(path, baseUrl, errors), backend(path, baseUrl, errors)];
  const tokens = async () => [(await a()).token, (await b()).token];
  assert.deepEqual(await tokens(), ["t1", "t1"]);
  assert.equal((await b({ renew: true })).token, "t2");
  assert.deepEqual(await tokens(), ["t2", "t2"]);

  redis.kill("SIGSTOP");
  const [slow, next] = [await a(), await a()];
  redis.kill("SIGCONT");
  assert.deepEqual([slow.token, next.token], ["t2", "t2"]);
  assert.ok(slow.took > 400 && next.took < slow.took - 250, `${slow.took}, then ${next.took} ms`);

  redis.kill("SIGKILL");
  await once(redis, "close");
  for (let i = 0; i < 20; i += 1) assert.deepEqual(await tokens(), ["t2", "t2"]);
  assert.equal((await b({ renew: true })).token, "t3");
  for (const { code, option } of errors) assert.deepEqual([code, option], ["ServiceUnavailable", "cache"]);
});

test("a Redis that refuses the backend is reported, as the documents configure Keyv", async (t) => {
  const path = join(folder, "closed.sock");
  if ((await startRedis(path, "--requirepass", "x")) === undefined) return t.skip(MISSING);
  const { baseUrl } = await tokenEndpoint();
  const client = { baseUrl, clientId: "shop", clientSecret: SECRET };
  for (const throwOnErrors of [true, false]) {
    const [heard, errors] = [[], []];
    const store = new KeyvRedis({ socket: { path } }, { throwOnErrors });
    after(() => store.disconnect(true));
    const cache = new Keyv(store, { throwOnErrors });
    cache.on("error", (error) => heard.push(error));
    const tokens = server.createTokenIssuer({ ...client, cache, onError: (error) => errors.push(error) });
    await tokens.senderToken(SENDER);
    assert.match(String(heard[0]), /NOAUTH/, "Keyv's own listener");
    // Without `throwOnErrors`, Keyv answers as if there were no entry.
    assert.equal(errors.length > 0, throwOnErrors);
    if (throwOnErrors) assert.match(String(errors[0].cause), /NOAUTH/);
    assert.deepEqual(await tokens.check(), { cache: "failed" });
    assert.match(errors.at(-1).message, /^cache\./);
  }
});

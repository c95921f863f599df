import assert from "node:assert/strict";
import { once } from "node:events";
import * as http from "node:http";
import express from "express";
import { Hono } from "hono";

export default async (t, { sandbox }) => {
  const { baseUrl, clientId, clientSecret, senderId } = sandbox;
  const senderOfSession = () => senderId;
  const exported = {};

  await (async () => {
    // sample: Tokens
    const app = express();
    const hono = new Hono();
    const vite = { middlewares: express() };
    const servers = [];
    const createServer = (handle) => ({ listen: () => servers.push(http.createServer(handle)) });
    // sample: Tokens
    // sample: Tokens
    servers.push(http.createServer(app), http.createServer(vite.middlewares));
    const asked = { method: "POST", headers: { "sec-fetch-site": "same-origin" } };
    const answers = [
      await handleToken(new Request("http://shop.example/api/remit-token", asked)),
      await hono.request("/api/remit-token", asked),
      await worker.fetch(new Request("http://shop.example/api/remit-token", asked), {
        BASE_URL: baseUrl,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
      }),
    ];
    for (const server of servers) {
      await once(server.listen(0, "127.0.0.1"), "listening");
      t.after(() => server.close());
      answers.push(await fetch(`http://127.0.0.1:${server.address().port}/api/remit-token`, asked));
    }
    assert.equal(answers.length, 6);
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get("cache-control"), /no-store/);
      assert.deepEqual(Object.keys(await answer.json()).sort(), ["access_token", "expires_in", "token_type"]);
    }
    // A page's second token is another one, also where the backend still has the first.
    const real = globalThis.fetch;
    t.after(() => (globalThis.fetch = real));
    globalThis.fetch = async (address, init) => {
      if (!String(address).startsWith("/")) return real(address, init);
      // As a browser asks past its cache.
      const past = init.cache === "reload" ? { "cache-control": "no-cache" } : {};
      const headers = { "sec-fetch-site": "same-origin", ...past };
      return handleToken(new Request(`http://shop.example${address}`, { method: init.method, headers }));
    };
    // The backend hands out no token again that is older than a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    {
      // sample: Tokens
      const [first, second] = [await token(), await token()];
      assert.notEqual(first.access_token, second.access_token);
    }
    globalThis.fetch = real;
  })();

  await (async () => {
    const errors = [];
    const log = (error) => errors.push(error);
    // sample: Several backends
    assert.ok((await issuer.senderToken(senderId)).access_token, "a token, though there is no Redis");
    await cache.disconnect?.().catch(() => {});
    await (async () => {
      const kept = new Map();
      const redis = {
        get: async (key) => kept.get(key) ?? null,
        set: async (key, value) => void kept.set(key, value),
        eval: async (script, { keys: [key], arguments: [expected, value] }) =>
          (kept.get(key) ?? "") === expected ? (kept.set(key, value), 1) : 0,
      };
      // sample: Several backends
      assert.equal(await cache.compareAndSet("a", undefined, "1", 1000), true);
      assert.equal(await cache.compareAndSet("a", undefined, "2", 1000), false);
      assert.equal(await cache.get("a"), "1");
      assert.equal(await cache.get("b"), undefined);
    })();
  })();

  await (async () => {
    const apiKey = "key-of-the-webhooks";
    const cache = new Map();
    const saved = [];
    const saveStatus = async (...args) => void saved.push(args);
    const routes = [];
    const app = { post: (path, handle) => routes.push([path, handle]) };
    const body = {
      TransferId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
      Status: "Complete",
      StatusChangedDate: "2026-01-31T09:15:00Z",
    };
    const event = () =>
      new Request("http://shop.example/webhooks/transfers", {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": apiKey, authorization: apiKey },
        body: JSON.stringify(body),
      });
    const request = event();
    // sample: Webhooks of transfers
    assert.deepEqual([TransferId, Status], [body.TransferId, body.Status]);
    const [[, handle]] = routes;
    assert.equal((await handle(event())).status, 200);
    assert.equal((await handle(event())).status, 200);
    assert.deepEqual(saved, [[body.TransferId, body.Status, body.StatusChangedDate]]);
  })();
};

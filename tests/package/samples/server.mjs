import assert from "node:assert/strict";
import { once } from "node:events";
import * as http from "node:http";
import express from "express";
import { Hono } from "hono";

export default async (t, sandbox) => {
  const { baseUrl, clientId, clientSecret, senderId } = sandbox;
  const senderOfSession = () => senderId;
  {
    // sample: Tokens
    const app = express();
    const hono = new Hono();
    const vite = { middlewares: express() };
    const servers = [app, vite.middlewares].map((app) => http.createServer(app));
    const createServer = (handle) => ({ listen: () => servers.push(http.createServer(handle)) });
    // sample: Tokens
    // sample: Tokens
    const init = { method: "POST", headers: { "sec-fetch-site": "same-origin" } };
    const request = () => new Request("http://shop.example/api/remit-token", init);
    const env = { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const fetched = [handleToken(request()), hono.request(request()), worker.fetch(request(), env)];
    for (const server of servers) {
      await once(server.listen(0, "127.0.0.1"), "listening");
      t.after(() => server.close());
      fetched.push(fetch(`http://127.0.0.1:${server.address().port}/api/remit-token`, init));
    }
    const replies = await Promise.all(fetched);
    assert.deepEqual(replies.map(({ status }) => status), Array(6).fill(200));
    for (const reply of replies) assert.ok((await reply.json()).access_token);

    // The backend does not reuse a token that is older than a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    {
      const fetch = (_, { cache }) => {
        // As a browser asks past its cache.
        const headers = cache === "reload" ? { "cache-control": "no-cache" } : {};
        return handleToken(new Request(request(), { headers: { ...init.headers, ...headers } }));
      };
      // sample: Tokens
      const [first, second] = [await token(), await token()];
      assert.notEqual(first.access_token, second.access_token);
    }
  }

  {
    const log = () => {};
    // sample: Several backends
    assert.ok((await issuer.senderToken(senderId)).access_token, "a token, though there is no Redis");
    await cache.disconnect?.().catch(() => {});
  }

  {
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
    assert.deepEqual([await cache.get("a"), await cache.get("b")], ["1", undefined]);
  }

  {
    const apiKey = "key-of-the-webhooks";
    const cache = new Map();
    const saved = [];
    const saveStatus = async (...args) => void saved.push(args);
    let handle;
    const app = { post: (_, given) => (handle = given) };
    const event = [senderId, "Complete", "2026-01-31T09:15:00Z"];
    const body = JSON.stringify({ TransferId: event[0], Status: event[1], StatusChangedDate: event[2] });
    const headers = { authorization: apiKey };
    const newRequest = () => new Request("http://shop.example/", { method: "POST", headers, body });
    const request = newRequest();
    // sample: Webhooks of transfers
    assert.deepEqual([TransferId, Status], event.slice(0, 2));
    for (let i = 0; i < 2; i += 1) assert.equal((await handle(newRequest())).status, 200);
    assert.deepEqual(saved, [event]);
  }
};

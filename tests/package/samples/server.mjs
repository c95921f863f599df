import assert from "node:assert/strict";

export default async (t, sandbox) => {
  const { baseUrl, clientId, clientSecret, senderId } = sandbox;
  const senderOfSession = (..._) => senderId;
  {
    // sample: Tokens
    const handles = [];
    const app = { post: (_, handle) => handles.push(handle) };
    const fastify = app;
    const hono = { post: (_, handle) => handles.push((raw) => handle({ req: { raw } })) };
    const createServer = (handle) => ({ listen: (_) => handles.push(handle) });
    const vite = { middlewares: { use: (_, handle) => handles.push(handle) } };
    // sample: Tokens
    {
      // sample: Tokens
      handles.push(handleToken);
    }
    {
      const exported = [];
      // sample: Tokens
      const event = {
        version: "2.0",
        rawPath: "/api/remit-token",
        rawQueryString: "",
        headers: { origin: "https://abc.lambda-url.example", "sec-fetch-site": "same-origin" },
        cookies: ["session=ana", "theme=dark"],
        requestContext: { domainName: "abc.lambda-url.example", http: { method: "POST" } },
        body: "e30=",
        isBase64Encoded: true,
      };
      const reply = await handler(event);
      assert.ok(JSON.parse(reply.body).access_token);
      assert.deepEqual([reply.statusCode, reply.headers["cache-control"]], [200, "no-store"]);
      assert.equal((await handler({ ...event, headers: { origin: "https://evil.example" } })).statusCode, 403);
      const get = { ...event.requestContext, http: { method: "GET" } };
      assert.equal((await handler({ ...event, requestContext: get, body: undefined })).statusCode, 405);
      const echo = async (request) => new Response(request.headers.get("cookie") + (await request.text()));
      assert.equal((await onLambda(echo)(event)).body, "session=ana; theme=dark{}");
    }
    // sample: Tokens
    const env = { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    handles.push(handleToken, (request) => worker.fetch(request, env));
    const requestWith = (headers) => new Request("http://shop.example/", { method: "POST", headers });
    const sameOrigin = { "sec-fetch-site": "same-origin" };
    for (const handle of handles) assert.ok((await (await handle(requestWith(sameOrigin))).json()).access_token);
    assert.equal(handles.length, 8);

    // The backend does not reuse a token that is older than a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    {
      // As a browser asks past its cache.
      const past = { reload: { "cache-control": "no-cache" } };
      const fetch = (_, init) => handleToken(requestWith({ ...sameOrigin, ...past[init.cache] }));
      // sample: Tokens
      const [first, second] = [await token(), await token()];
      assert.notEqual(first.access_token, second.access_token);
    }
  }

  {
    const counted = [];
    const metrics = { count: (name, _event) => counted.push(name) };
    const log = (..._) => {};
    const vault = { read: async (_) => clientSecret, previous: async (_) => ["the-one-before"] };
    // sample: In production
    assert.equal(state, undefined);
    process.removeAllListeners("SIGTERM");
    assert.ok((await issuer.senderToken(senderId)).access_token);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(counted, ["remit.attempt", "remit.token", "remit.attempt", "remit.token"]);
    issuer.close();
  }

  {
    const log = (..._) => {};
    // sample: Several backends
    assert.ok((await issuer.senderToken(senderId)).access_token, "a token, though there is no Redis");
    await cache.disconnect?.().catch(() => {});
  }

  {
    const kept = new Map();
    const redis = {
      get: async (key) => kept.get(key) ?? null,
      set: async (key, value, ..._) => void kept.set(key, value),
      eval: async (_, { keys: [key], arguments: [expected, value, ..._ttl] }) =>
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
    const saveStatus = async (...status) => void saved.push(status);
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

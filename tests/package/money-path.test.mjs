// Transfers in a real browser: duplicated and frozen tabs, service workers, storage that fails or is cleared,
// slow lines.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { documented } from "../fuzz/service.mjs";
import { REQUESTS } from "../fuzz/samples.mjs";
import { workerThat } from "../hostile-pages/pages.mjs";
import { IN_PAGE, launchBrowser, pageOf } from "./chromium.mjs";
import { listening, serveFolder, shop } from "./packed.mjs";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, accept-language",
  "access-control-allow-methods": "*",
};
const [A, B] = [randomUUID(), randomUUID()];
/** How long each byte of a slow reply takes, and how many arrive of one that is never whole. */
const TICK_MS = 200;
const STALLED = 20;
/** Less than half of what the kit waits for another tab. */
const SOON_MS = 20_000;

/** The service: the transfers by their quotes, what gets no reply, and how much of a reply arrives slowly. */
const NORMAL = { isLost: () => false, delivers: true, arriving: () => 0 };
const service = { ...NORMAL };

function answer({ method, path, body, bearer }) {
  const quote = path.startsWith("/v1/transfers/progress/") ? path.split("/").at(-1) : undefined;
  if (path === "/v1/sender-id") return { senderId: bearer === "Bearer a" ? A : B };
  if (path === "/v1/nonce") return { nonce: randomUUID() };
  if (quote !== undefined) {
    const made = service.made.get(quote);
    return made
      ? { transferRecordStatus: "Created", transferId: made.transferId }
      : { transferRecordStatus: "NotInProgress" };
  }
  if (method === "POST" && path === "/v1/transfers") {
    const all = [...service.made.values()];
    const code = service.made.has(body.quoteHistoryId)
      ? "TransferDuplicatedByQuote"
      : all.some(({ nonce }) => nonce === body.nonce) && "NonceAlreadyUsed";
    if (code) return [400, [{ code, message: "" }]];
    const { nonce, quoteHistoryId } = body;
    const made = { transferId: randomUUID(), nonce, quote: { quoteHistoryId } };
    service.made.set(body.quoteHistoryId, made);
    return made;
  }
  const made = [...service.made.values()].find(({ transferId }) => path === `/v1/transfers/${transferId}`);
  return made ?? JSON.parse(documented({ method, path }));
}

const baseUrl = await listening(
  createServer(async (request, reply) => {
    const { pathname: path, searchParams } = new URL(request.url, "http://service");
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.method === "OPTIONS") return reply.writeHead(204, CORS).end();
    const { method, headers } = request;
    const sent = { method, path, body: text && JSON.parse(text), bearer: headers.authorization };
    service.requests.push({ ...sent, marker: searchParams.get("_") });
    const isLost = service.isLost(sent);
    if (isLost && !service.delivers) return request.socket.destroy();
    const given = answer(sent);
    if (isLost) return request.socket.destroy();
    const [status, json] = Array.isArray(given) && typeof given[0] === "number" ? given : [200, given];
    reply.writeHead(status, { ...CORS, "content-type": "application/json" });
    const slowly = Buffer.from(" ".repeat(service.arriving(sent)));
    for (const byte of slowly) {
      reply.write(Buffer.of(byte));
      await sleep(TICK_MS);
    }
    // Longer than any reply: one that has stopped arriving.
    if (slowly.length < STALLED) reply.end(JSON.stringify(json));
  }),
);

const PACKAGE = "/node_modules/remitkit";
const SHOP = pageOf(
  `import { createRemitKit } from "remitkit";
  globalThis.open_ = (token, options) => createRemitKit({
    baseUrl: "${baseUrl}", cardUrl: "https://card.example", token, ...options,
  });
  globalThis.told = (work) => work.then(
    (value) => value ?? "done",
    ({ code, kind, retryable, attempt }) => ({ code, kind, retryable, state: attempt?.state }),
  );`,
  `<script type="importmap">{ "imports": { "remitkit": "${PACKAGE}/index.js" } }</script>`,
);
const script = (text) => (_, reply) => reply.setHeader("content-type", "text/javascript").end(text);
const origin = await serveFolder(await shop(), {
  "/": SHOP,
  "/exact.js": script(workerThat("{}")),
  "/any-query.js": script(workerThat("{ ignoreSearch: true }")),
});

const browser = await launchBrowser();
let context;
before(async () => (context = await browser?.newContext()));
after(() => context?.close());

const isPost = ({ method }) => method === "POST";
const isProgress = ({ path }) => path.includes("/progress/");
const newRequest = () => ({ ...REQUESTS.transfer(randomUUID()), nonce: undefined });

/** Opens a page of the shop in a browser of its own, with a service that nobody has used. */
async function visit(worker) {
  // Its pages may still be asking.
  await context.close();
  context = await browser.newContext();
  Object.assign(service, { made: new Map(), requests: [], ...NORMAL });
  const page = await context.newPage();
  await page.goto(origin);
  if (worker) {
    await page.evaluate(async (address) => {
      const controlled = new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve));
      await navigator.serviceWorker.register(address);
      await controlled;
    }, worker);
  }
  return page;
}

/** Prepares a transfer in a page, which keeps it as `attempt`. */
async function prepared(page, { token = "a", options = {}, request = newRequest() } = {}) {
  const state = await page.evaluate(
    async ([token, options, request]) => {
      globalThis.remit = await open_(token, options);
      globalThis.attempt = await remit.prepareTransfer(request);
      return attempt.state;
    },
    [token, options, request],
  );
  assert.equal(state, "PREPARED");
  return request.quoteHistoryId;
}

/** Opens a kit in the page, and returns what it lists; the first is `attempt` from then on. */
const listed = (page, token = "a", options = {}) =>
  page.evaluate(
    async ([token, options]) => {
      globalThis.remit ??= await open_(token, options);
      const list = await told(remit.pendingTransfers());
      if (!Array.isArray(list)) return list;
      globalThis.attempt = list[0];
      return list.map(({ quoteHistoryId, state }) => [quoteHistoryId, state]);
    },
    [token, options],
  );

/** Calls a method of the page's attempt; returns what the call says, and the state. */
const call = (page, method) =>
  page.evaluate(async (method) => {
    const began = performance.now();
    const outcome = await told(attempt[method]());
    return { ...(outcome === "done" ? {} : outcome), state: attempt.state, ms: performance.now() - began };
  }, method);

/** Holds an attempt's lock in another page, as a frozen tab does. */
async function freeze(quote) {
  const other = await context.newPage();
  await other.goto(origin);
  await other.evaluate(
    (name) => {
      const held = (granted) => navigator.locks.request(name, () => (granted(), new Promise(() => {})));
      return new Promise((granted) => void held(granted));
    },
    `remitkit.attempt.${quote}`,
  );
}

test("a duplicated tab does not discard what the other one has sent", IN_PAGE, async () => {
  const page = await visit();
  const quote = await prepared(page);
  // A window that a page opens gets a copy of its sessionStorage, as a duplicated tab does.
  const opened = context.waitForEvent("page");
  await page.evaluate(() => void globalThis.open("/"));
  const copy = await opened;
  await copy.waitForFunction(() => globalThis.told !== undefined);
  assert.equal((await call(page, "submit")).state, "CREATED");
  assert.deepEqual(await listed(copy), [[quote, "PREPARED"]]);
  const { code, kind, state } = await call(copy, "discard");
  assert.deepEqual([code, kind, state], ["TransferDuplicatedByQuote", "conflict", "SENT"]);
  const { recovered, transferId } = await call(copy, "resume");
  assert.deepEqual([recovered, transferId], [true, service.made.get(quote).transferId]);
});

for (const worker of ["exact.js", "any-query.js"]) {
  test(`no answer from the cache of ${worker} decides about money`, IN_PAGE, async () => {
    const page = await visit(worker);
    const quote = await prepared(page, { options: { journal: "local" } });
    assert.equal((await call(page, "submit")).state, "CREATED");
    // A second transfer needs a nonce of its own.
    service.isLost = ({ path }) => path === "/v1/nonce";
    const second = newRequest();
    const lost = await page.evaluate((request) => told(remit.prepareTransfer(request)), second);
    assert.deepEqual([lost.code, lost.retryable], ["NetworkFailure", true]);
    service.isLost = () => false;
    await prepared(page, { options: { journal: "local" }, request: second });
    // Another customer signs in.
    await page.reload();
    service.isLost = ({ path }) => path === "/v1/sender-id";
    const refused = await listed(page, "b", { journal: "local" });
    assert.deepEqual([refused.code, refused.retryable], ["NetworkFailure", true]);
    service.isLost = () => false;
    assert.deepEqual(await listed(page, "b"), []);
    // An old progress settles nothing: the first answer to the question was "no transfer".
    await page.reload();
    assert.ok((await listed(page, "a", { journal: "local" })).some(([id]) => id === second.quoteHistoryId));
    await page.evaluate((id) => remit.transferProgress(id), second.quoteHistoryId);
    await page.evaluate(async (id) => {
      globalThis.attempt = (await remit.pendingTransfers()).find((one) => one.quoteHistoryId === id);
    }, second.quoteHistoryId);
    service.isLost = ({ path, ...sent }) => isPost(sent) || path.includes("/progress/");
    const failed = await page.evaluate(() => told(attempt.submit({ signal: AbortSignal.timeout(5_000) })));
    assert.equal(failed.kind, "outcome_unknown");
    service.isLost = () => false;
    assert.equal((await call(page, "resume")).recovered, true);
    assert.ok(service.requests.some(({ path, marker }) => path === "/v1/nonce" && marker));
    assert.notEqual(service.made.get(quote).nonce, service.made.get(second.quoteHistoryId).nonce);
  });
}

test("a frozen tab keeps no other one from learning the outcome, and changes no state", IN_PAGE, async () => {
  const page = await visit();
  const quote = await prepared(page);
  service.isLost = (sent) => isPost(sent) || isProgress(sent);
  const lost = await page.evaluate(() => told(attempt.submit({ signal: AbortSignal.timeout(2_000) })));
  assert.deepEqual([lost.kind, lost.state], ["outcome_unknown", "SENT"]);
  await page.reload();
  assert.deepEqual(await listed(page), [[quote, "SENT"]]);
  service.isLost = () => false;
  await freeze(quote);
  const discarded = await call(page, "discard");
  assert.deepEqual([discarded.kind, discarded.ms < SOON_MS], ["outcome_unknown", true]);
  const { recovered, state, ms } = await call(page, "resume");
  assert.deepEqual([recovered, state, ms < SOON_MS], [true, "CREATED", true]);
  const acknowledged = await call(page, "acknowledge");
  const told = [acknowledged.code, acknowledged.state, acknowledged.ms < SOON_MS];
  assert.deepEqual(told, [undefined, "CREATED", true]);
  assert.deepEqual(await listed(page), []);
});

test("discarding behind a frozen tab speaks of the call, not of the transfer", IN_PAGE, async () => {
  const page = await visit();
  await freeze(await prepared(page));
  const { code, retryable, state } = await call(page, "discard");
  assert.deepEqual([code, retryable, state], ["Timeout", true, "PREPARED"]);
});

test("a lost database connection is replaced; a failing one leaves all as it was", IN_PAGE, async () => {
  const page = await visit();
  await prepared(page, { options: { journal: "local" } });
  const fails = (times) =>
    page.evaluate((times) => {
      const { transaction } = (globalThis.whole ??= { transaction: IDBDatabase.prototype.transaction });
      let left = times;
      IDBDatabase.prototype.transaction = function (...call) {
        left -= 1;
        if (left >= 0) throw new DOMException("The database connection is closing.", "InvalidStateError");
        return transaction.apply(this, call);
      };
    }, times);
  await fails(1);
  assert.equal((await listed(page)).length, 1);
  await page.evaluate(async () => (globalThis.attempt = (await remit.pendingTransfers())[0]));
  await fails(Infinity);
  const posts = service.requests.filter(isPost).length;
  for (const method of ["submit", "acknowledge"]) {
    const { code, retryable, state } = await call(page, method);
    assert.deepEqual([code, retryable, state], ["JournalUnavailable", true, "PREPARED"], method);
  }
  const { code, retryable } = await listed(page);
  assert.deepEqual([code, retryable], ["JournalUnavailable", true]);
  assert.equal(service.requests.filter(isPost).length, posts);
  await fails(1);
  assert.equal((await call(page, "submit")).state, "CREATED");
});

for (const [how, block] of Object.entries({
  "is undefined": () => Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
  "throws": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  },
  "fires an error": () => {
    IDBFactory.prototype.open = () => {
      const request = { error: new DOMException("A mutation was not allowed.", "InvalidStateError") };
      setTimeout(() => request.onerror());
      return request;
    };
  },
})) {
  test(`where IndexedDB ${how} the journal is the page's memory`, IN_PAGE, async () => {
    const page = await visit();
    await page.evaluate(block);
    const quote = await prepared(page, { options: { journal: "local" } });
    assert.deepEqual(await listed(page), [[quote, "PREPARED"]]);
    assert.equal((await call(page, "submit")).state, "CREATED");
  });
}

test("a database that gives no answer is told soon, and serves the next call once it does", IN_PAGE, async () => {
  const page = await visit();
  await page.evaluate(() => {
    const { open } = IDBFactory.prototype;
    globalThis.held = [];
    IDBFactory.prototype.open = function (...call) {
      const late = {};
      const answer = (resolve) => {
        const request = open.apply(this, call);
        for (const name of ["onupgradeneeded", "onsuccess", "onerror"]) {
          request[name] = () => {
            Object.assign(late, { result: request.readyState === "done" && request.result, error: request.error });
            late[name]();
            if (name !== "onupgradeneeded") resolve();
          };
        }
      };
      held.push(() => new Promise(answer));
      return late;
    };
  });
  const prepare = (request) =>
    page.evaluate(async (request) => {
      globalThis.remit ??= await open_("a", { journal: "local" });
      const startedAt = performance.now();
      const result = await told(remit.prepareTransfer(request).then(({ state }) => ({ state })));
      return { ...result, ms: performance.now() - startedAt };
    }, request);
  const request = newRequest();
  const { code, retryable, ms } = await prepare(request);
  assert.deepEqual([code, retryable], ["JournalUnavailable", true]);
  assert.ok(ms < 10_000, `${ms}`);
  assert.deepEqual(service.requests.filter(isPost), []);
  await page.evaluate(() => Promise.all(held.splice(0).map((answer) => answer())));
  assert.equal((await prepare(request)).state, "PREPARED");
  assert.deepEqual(await listed(page), [[request.quoteHistoryId, "PREPARED"]]);
});

test("what a page has sent is listed, and settled, after its storage was cleared", IN_PAGE, async () => {
  const page = await visit();
  const quote = await prepared(page);
  service.isLost = (sent) => isPost(sent) || isProgress(sent);
  await page.evaluate(() => told(attempt.submit({ signal: AbortSignal.timeout(2_000) })));
  await page.evaluate(() => sessionStorage.clear());
  assert.deepEqual(await listed(page), [[quote, "SENT"]]);
  service.isLost = () => false;
  assert.equal((await call(page, "resume")).recovered, true);
});

test("a reply that goes on arriving is waited for, and nothing is sent again", IN_PAGE, async () => {
  const page = await visit();
  const options = { timeoutMs: 1_000 };
  const before = service.requests.length;
  service.arriving = () => STALLED - 5;
  const quote = await prepared(page, { options });
  const { recovered, state, transferId, ms } = await call(page, "submit");
  assert.deepEqual([recovered, state, transferId], [false, "CREATED", service.made.get(quote).transferId]);
  assert.ok(ms > options.timeoutMs * 2, `${ms}`);
  const routes = service.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routes, [...new Set(routes)]);
});

test("a reply that has stopped arriving is given up, and the progress decides", IN_PAGE, async () => {
  const page = await visit();
  const quote = await prepared(page, { options: { timeoutMs: 1_000 } });
  service.arriving = (sent) => (isPost(sent) ? STALLED : 0);
  const { recovered, state } = await call(page, "submit");
  assert.deepEqual([recovered, state], [true, "CREATED"]);
  const posts = service.requests.filter((sent) => isPost(sent) && sent.body.quoteHistoryId === quote);
  assert.equal(posts.length, 1);
});

test("the browser keeps each reply's body, for its tools and the tests of a page", IN_PAGE, async () => {
  const page = await visit();
  await listed(page);
  const bodies = [];
  page.on("response", (reply) => reply.url().endsWith("/v1/nonce") && bodies.push(reply.json()));
  const nonces = await page.evaluate(async () => {
    const all = [];
    while (all.length < 20) all.push(await remit.nonce());
    return all;
  });
  assert.deepEqual(await Promise.all(bodies), nonces);
});

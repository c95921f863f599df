import assert from "node:assert/strict";
import { test } from "node:test";
import { FAST, KIT, TRANSFER, printed, shop } from "./packed.mjs";

const folder = await shop();

// Slow enough for others to come in between. Its own time is the clock's, however fast a page's runs.
const SLOW_JOURNAL = `
    const { setTimeout: after } = globalThis;
    const pause = (ms) => new Promise((resolve) => after(resolve, ms));
    const entries = new Map();
    const journal = {
      get: (key) => pause(2).then(() => entries.get(key)),
      set: (key, text) => pause(2).then(() => entries.set(key, text)),
      delete: (key) => pause(20).then(() => entries.delete(key)),
      keys: async () => [...entries.keys()],
    };
`;

test("an attempt submitted twice at once posts once, with one outcome", async () => {
  const result = await printed(
    folder,
    `${KIT}${FAST}
    const journal = new Map();
    let posts = 0;
    let answer;
    const posted = new Promise((resolve) => (answer = resolve));
    globalThis.fetch = async (url, { method }) => {
      const { pathname } = new URL(url);
      if (method === "POST") {
        posts += 1;
        await posted;
        return Response.json({ transferId: ID, transferStatus: "CREATED" });
      }
      return Response.json(pathname.endsWith("-fields") ? { fieldSets: [] } : { nonce: ID });
    };
    const remit = await kit({ journal });
    const attempt = await remit.prepareTransfer(${TRANSFER});
    const [same] = await remit.pendingTransfers();
    const first = attempt.submit();
    const second = same.submit();
    const controller = new AbortController();
    const third = same.submit({ signal: controller.signal }).catch((error) => error.code);
    await new Promise((resolve) => later(resolve, 50));
    controller.abort();
    const gaveUp = await third;
    answer();
    const outcomes = await Promise.all([first, second]);
    console.log(JSON.stringify({
      posts,
      gaveUp,
      ids: outcomes.map((transfer) => transfer.transferId),
      recovered: outcomes.map((transfer) => transfer.recovered),
      kept: [...journal.values()].map((text) => JSON.parse(text).state),
      again: (await attempt.submit()).transferId,
    }));
    process.exit();
    `,
  );
  const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  assert.deepEqual(result, { posts: 1, gaveUp: "OutcomeUnknown", ids: [id, id], recovered: [false, false], kept: ["CREATED"], again: id });
});

test("a dropped attempt does not get its replacement's outcome", async () => {
  const result = await printed(
    folder,
    `${KIT}${FAST}
    let nonces = 0;
    globalThis.fetch = async (url, { method, body }) => {
      if (method === "POST") {
        return Response.json({ transferId: ID, amount: JSON.parse(body).amount });
      }
      return Response.json(url.includes("-fields") ? { fieldSets: [] } : { nonce: ID.slice(0, -1) + (nonces += 1) });
    };
    const remit = await kit();
    const request = ${TRANSFER};
    const dropped = await remit.prepareTransfer(request);
    await dropped.discard();
    const other = await remit.prepareTransfer({ ...request, amount: 2000 });
    const outcomes = [other.submit(), dropped.submit()].map((made) => made.then(({ amount }) => amount, ({ code }) => code));
    console.log(JSON.stringify(await Promise.all(outcomes)));
    process.exit();
    `,
  );
  assert.deepEqual(result, [2000, "TransferDuplicatedByQuote"]);
});

test("without Web Locks an attempt is dropped or sent, never both", async () => {
  const result = await printed(
    folder,
    `${KIT}${SLOW_JOURNAL}${FAST}
    let kept;
    globalThis.fetch = async (url, { method }) => {
      if (method === "POST") {
        await pause(50);
        kept.push(entries.size);
        return Response.json({ transferId: ID });
      }
      return Response.json({ fieldSets: [], nonce: crypto.randomUUID(), senderId: ID, transferRecordStatus: "NotInProgress" });
    };
    const [one, two] = [await kit({ journal }), await kit({ journal })];
    const outcomes = [];
    for (const locks of [undefined, { request: () => Promise.reject(new Error("not here")) }]) {
      Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
      for (const kits of [[one, one], [one, two]]) {
        for (const deeds of [["discard", "submit"], ["submit", "discard"]]) {
          kept = [];
          entries.clear();
          await one.prepareTransfer(${TRANSFER});
          const attempts = await Promise.all(kits.map(async (kit) => (await kit.pendingTransfers())[0]));
          const done = deeds.map((deed, i) => attempts[i][deed]().then(() => "done", ({ code }) => code));
          outcomes.push([...(await Promise.all(done)), ...kept]);
        }
      }
    }
    console.log(JSON.stringify(outcomes));
    process.exit();
    `,
  );
  const inTurn = [
    ["done", "TransferFailed"],
    ["done", "TransferDuplicatedByQuote", 1],
  ];
  assert.deepEqual(result, [...inTurn, ...inTurn, ...inTurn, ...inTurn]);
});

test("an attempt that goes stale while the journal is slow is not sent", async () => {
  const result = await printed(
    folder,
    `${KIT}${SLOW_JOURNAL}${FAST}
    const kept = [];
    globalThis.fetch = async (url, { method }) => {
      if (method === "POST" && url.endsWith("/v1/transfers")) {
        await pause(50);
        kept.push(entries.size);
        return Response.json({ transferId: ID });
      }
      return Response.json({ fieldSets: [], nonce: ID });
    };
    const remit = await kit({ journal });
    const attempt = await remit.prepareTransfer(${TRANSFER});
    const now = Date.now;
    Date.now = () => now() + 25 * 3_600_000;
    const pending = remit.pendingTransfers();
    const code = await attempt.submit().then(() => "done", ({ code }) => code);
    console.log(JSON.stringify({ code, kept, pending: (await pending).length, left: entries.size }));
    process.exit();
    `,
  );
  assert.deepEqual(result, { code: "QuoteExpired", kept: [], pending: 0, left: 0 });
});

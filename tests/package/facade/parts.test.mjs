// What the first load leaves out: a call whose part cannot be fetched fails, and can be repeated.

import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { assertRefused, errorOf, fakeTime, ID, load, never, OPTIONS } from "./kit.mjs";
import { service, unpacked, wasmReply } from "./kit.mjs";
import { OPTIONS as FLOW } from "./push-to-card.mjs";

/** A kit of a copy of the package that has loaded no part yet. */
async function fresh() {
  const { folder, load } = await unpacked();
  const { createRemitKit, preload } = await load("index.js");
  const remit = await createRemitKit(OPTIONS);
  service.answer = () => undefined;
  service.requests.length = 0;
  return { folder, remit, preload };
}

/** Such a kit without the script of a part, which `restore` brings back. */
async function cut(part) {
  const { folder, remit, preload } = await fresh();
  await remit.corridors();
  service.requests.length = 0;
  const file = join(folder, `${part}/${part}-part.js`);
  await rename(file, `${file}.away`);
  return { remit, preload, restore: () => rename(`${file}.away`, file) };
}

async function assertUnavailable(call, name) {
  const { code, kind, retryable, userMessage } = await errorOf(call);
  assert.deepEqual([code, kind, retryable], ["LoadFailed", "unavailable", true], name);
  assert.equal(userMessage, "Not all of this page has loaded. Check your connection and try again.");
  assert.deepEqual(service.requests, [], name);
}

/** Plain requests need no part: what only reads, quotes, and card sessions. */
const FIRST = Object.keys(OPERATIONS).filter(
  (name) =>
    ["quote", "createCardSession"].includes(name) ||
    (OPERATIONS[name].method === "GET" && !name.endsWith("Fields")),
);
const calls = Object.entries(OPERATIONS).map(([name, { ids, sample }]) => {
  const args = [...ids.map(() => ID), ...(sample ? [sample()] : [])];
  return [name, (remit) => remit[name](...args)];
});

test("plain requests need no part", async () => {
  const { remit } = await cut("transfer");
  for (const [, call] of calls.filter(([name]) => FIRST.includes(name))) await call(remit);
  assert.equal(service.requests.length, FIRST.length);
});

test("any other call without its part sends nothing and can be repeated", async () => {
  const { remit, preload, restore } = await cut("transfer");
  const later = [
    ...calls.filter(([name]) => !FIRST.includes(name)),
    ["request", () => remit.request({ method: "GET", path: "/v1/corridors" })],
    ["prepareTransfer", () => remit.prepareTransfer(REQUESTS.transfer(ID))],
    ["transfer", () => remit.transfer(REQUESTS.transfer(ID))],
    ["pendingTransfers", () => remit.pendingTransfers()],
  ];
  for (const [name, call] of later) await assertUnavailable(() => call(remit), name);
  const flow = remit.pushToCard({ ...FLOW, theme: {} });
  await assertUnavailable(flow.next(), "pushToCard");
  await assertUnavailable(preload({ everything: true }), "preload");
  await assertRefused(preload, [[{ everything: "yes" }, "everything"]], "InvalidConfiguration");
  await restore();
  await preload({ everything: true });
  for (const [, call] of later) await call(remit);
  assert.equal((await flow.next()).value.type, "CORRIDOR");
});

test("a card form without its part asks for no session and can be retried", () =>
  withPage(async () => {
    const { remit, restore } = await cut("card");
    await assertUnavailable(remit.cardForm({ container: "#card" }));
    await restore();
    service.answer = new Sessions().answer;
    const form = await remit.cardForm({ container: "#card" });
    assert.ok(form.element.isConnected);
    form.destroy();
  }));

test("a part from another build is refused and sends nothing", async (t) => {
  const { remit } = await fresh();
  const { fetch } = globalThis;
  const [section] = WebAssembly.Module.customSections(OPTIONS.wasm, "parts");
  const build = Buffer.from(section);
  let isForeign = true;
  t.mock.method(globalThis, "fetch", async (address, init) => {
    const reply = await fetch(address, init);
    if (!isForeign || !String(address).endsWith(".wasm")) return reply;
    const part = Buffer.from(await reply.arrayBuffer());
    for (let at; (at = part.indexOf(build)) !== -1; ) part.write("0".repeat(build.length), at);
    return wasmReply(part);
  });
  const prepare = () => remit.prepareTransfer(REQUESTS.transfer(ID));
  assert.match((await errorOf(prepare)).cause.message, /module="0{12}"/);
  await assertUnavailable(prepare);
  isForeign = false;
  await prepare();
});

/** Lets the requests for parts hang until `restore`. */
function hang(t) {
  const pending = (signal) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const { mock } = t.mock.method(globalThis, "fetch", (_, { signal } = {}) => pending(signal));
  return { restore: () => mock.restore() };
}

test("a call whose part never arrives ends within half a minute and can be repeated", async (t) => {
  const { remit } = await fresh();
  const { restore } = hang(t);
  const time = fakeTime(t);
  const { part } = await load("module/parts.js");
  const loads = [remit.pendingTransfers(), remit.deleteSender(ID), part(never)({})];
  const calls = loads.map((call) => assertUnavailable(call));
  let isPending = true;
  const ended = Promise.all(calls).finally(() => (isPending = false));
  await time.pass(29_000);
  assert.ok(isPending);
  await time.pass(1000);
  await ended;
  restore();
  assert.deepEqual(await remit.pendingTransfers(), []);
});

test("a part that arrives slowly is not cut off, and one that stops arriving is", async (t) => {
  const { remit } = await fresh();
  const time = fakeTime(t);
  const { fetch } = globalThis;
  let pieces = 20;
  t.mock.method(globalThis, "fetch", async (address, init) => {
    const reply = await fetch(address, init);
    if (!String(address).endsWith(".wasm")) return reply;
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const size = Math.ceil(bytes.length / 20);
    let at = 0;
    const pull = async (controller) => {
      if (at === pieces) await new Promise((_, reject) => init.signal.addEventListener("abort", reject));
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      controller.enqueue(bytes.subarray(at * size, (at + 1) * size));
      at += 1;
      if (at === 20) controller.close();
    };
    return wasmReply(new ReadableStream({ pull }, { highWaterMark: 0 }));
  });
  pieces = 5;
  const stopped = errorOf(remit.pendingTransfers());
  assert.deepEqual((await time.untilSettled(stopped)).code, "LoadFailed");
  pieces = 20;
  const start = Date.now();
  assert.deepEqual(await time.untilSettled(remit.pendingTransfers()), []);
  assert.ok(Date.now() - start > 150_000, "it took minutes");
});

test("aborting or destroying the kit counts while a part is loading", async () => {
  const { remit } = await fresh();
  const { signal } = new AbortController();
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const aborted = [remit.prepareTransfer(REQUESTS.transfer(ID), options), remit.transferFields({}, options)];
  controller.abort();
  for (const call of aborted) assert.equal((await errorOf(call)).code, "Aborted");
  assert.deepEqual(service.requests, []);
  const [nonce, pending] = [remit.nonce({ signal }), remit.pendingTransfers()];
  await remit.destroy();
  assert.deepEqual(await pending, []);
  assert.ok((await nonce).nonce);
  assert.equal((await errorOf(remit.pendingTransfers())).code, "Destroyed");
});

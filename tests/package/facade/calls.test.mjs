import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { OPERATIONS } from "../../fuzz/operations.mjs";
import { REPLIES } from "../../fuzz/samples.mjs";
import { documented } from "../../fuzz/service.mjs";
import { errorOf, ID, kit, OTHER, service, settled } from "./kit.mjs";

const plain = (value) => JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item)));

for (const [name, { method, path, ids, sample, as, default: leftOut, before }] of Object.entries(OPERATIONS)) {
  test(`${name} sends one request, and gives back its reply`, async () => {
    const { remit, requests } = await kit();
    const given = ids.map((_, index) => [ID, OTHER][index]);
    const address = path.replace(/\{(\d)\}/g, (_, index) => given[index]);
    for (const input of leftOut === undefined ? [sample?.()] : [sample(), undefined]) {
      requests.length = 0;
      const reply = await remit[name](...given, ...(input === undefined ? [] : [input]));
      const [sent, ...others] = requests.filter((request) => request.path !== before);
      assert.deepEqual([sent.method, sent.path, others], [method, address, []]);
      assert.equal(sent.headers.Authorization, "Bearer token");
      const expected = input ?? leftOut ?? {};
      assert.deepEqual(sent.body, as === "body" ? expected : undefined);
      const texts = Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, String(value)]));
      assert.deepEqual(sent.query, as === "query" ? { ...sent.query, ...texts } : {});
      const text = documented(sent);
      if (name === "transferReceipt") {
        assert.equal(await reply.text(), text);
      } else if (!name.endsWith("Fields")) {
        assert.deepEqual(plain(reply ?? null), text === "" ? null : name === "nonce" ? reply : JSON.parse(text));
      }
    }
  });
}

test("a signal whose methods throw harms nothing, and ends the call", async () => {
  const { remit } = await kit(() => new Promise(() => {}));
  const controller = new AbortController();
  const throwing = () => assert.fail("a method of the caller's");
  Object.assign(controller.signal, { addEventListener: throwing, removeEventListener: throwing });
  const call = errorOf(remit.nonce({ signal: controller.signal }));
  await settled();
  controller.abort("anything");
  const error = await call;
  assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
  assert.equal(service.requests[0].signal.aborted, true);
});

test("a signal that is none is refused before anything is sent", async () => {
  const { remit, requests } = await kit(() => '{"nonce":"n"}');
  const { signal } = new AbortController();
  const usedAfter = async (calls) => {
    for (let i = 0; i < calls; i += 1) {
      await remit.nonce({ signal });
      requests.length = 0;
    }
    await settled();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await usedAfter(2_000);
  const growth = ((await usedAfter(5_000)) - before) / 5_000;
  assert.ok(growth < 200, `${growth} bytes a call`);
});

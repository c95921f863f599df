// Without Web Locks, calls that submit an attempt within the page wait for each
// other. `tests/package/submissions.test.mjs` checks that they take turns;
// `tests/fetch.rs` checks the same of Web Locks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { errorOf, ID, kit, OTHER, service, settled, stopTime } from "./kit.mjs";

test("without Web Locks, an aborted waiter does not get the lock later", async (t) => {
  const time = stopTime(t);
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  const journal = new Map();
  let answer;
  const post = new Promise((resolve) => (answer = () => resolve({ transferId: ID })));
  const { remit } = await kit(({ method }) => (method === "POST" ? post : undefined), { journal });
  const attempt = await remit.prepareTransfer(REQUESTS.transfer(OTHER));
  const submitted = attempt.submit();
  await settled();
  const { remit: other, requests } = await kit(service.answer, { journal });
  const [waiting] = await other.pendingTransfers();
  const controller = new AbortController();
  const left = errorOf(waiting.submit({ signal: controller.signal }));
  await settled();
  controller.abort();
  assert.equal((await time.whileTimePasses(left)).code, "OutcomeUnknown");
  answer();
  assert.equal((await time.whileTimePasses(submitted)).transferId, ID);
  const again = await time.whileTimePasses((await other.pendingTransfers())[0].resume());
  assert.deepEqual([again.transferId, requests.filter(({ method }) => method === "POST")], [ID, []]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { KIT, printed, shop } from "./packed.mjs";

// The next attempt is asked for under the same number, so a fetch that settles late must not be taken for it.
test("what settles after it was given up is no answer to what is asked for next", async () => {
  const result = await printed(
    await shop(),
    `${KIT}
    const at = [];
    globalThis.fetch = (_, { signal }) => {
      at.push(performance.now());
      const late = (settle) => signal.addEventListener("abort", () => setTimeout(settle, 20));
      if (at.length === 1) return new Promise((_, reject) => late(() => reject(new TypeError("aborted"))));
      if (at.length === 2) return new Promise((resolve) => late(() => resolve(Response.json([{ code: "TransferNotFound" }], { status: 404 }))));
      return Promise.resolve(Response.json({ nonce: ID }));
    };
    const remit = await kit({ timeoutMs: 100 });
    const { nonce } = await remit.nonce();
    console.log(JSON.stringify({ nonce, pauses: at.slice(1).map((time, index) => time - at[index] - 100) }));
    `,
  );
  assert.equal(result.nonce, "3f2504e0-4f89-41d3-9a0c-0305e82c3301");
  const [first, second] = result.pauses;
  // Half of what the table of retries says, at least.
  assert.ok(first >= 450 && second >= 900, JSON.stringify(result.pauses));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { KIT, printed, shop } from "./packed.mjs";

// As browsers' databases do once in a while. The page's time runs a hundred times as fast.
test("a journal that never answers holds nothing up for ever, be it the package's own or the page's", async () => {
  const result = await printed(
    await shop(),
    `${KIT}
    const later = setTimeout;
    globalThis.setTimeout = (work, ms, ...args) => later(work, ms / 100, ...args);
    globalThis.indexedDB = { open: () => ({}) };
    const never = () => new Promise(() => {});
    const outcomes = [];
    for (const journal of ["local", { get: never, set: never, delete: never, keys: never }]) {
      const remit = await kit({ journal });
      const asked = remit.pendingTransfers().catch(({ option }) => option);
      const ended = remit.destroy().then(() => "destroyed");
      const soon = new Promise((resolve) => later(resolve, 2000, "still waiting"));
      outcomes.push([await Promise.race([asked, soon]), await Promise.race([ended, soon])]);
    }
    console.log(JSON.stringify(outcomes));
    process.exit();
    `,
  );
  const expected = ["journal", "destroyed"];
  assert.deepEqual(result, [expected, expected]);
});

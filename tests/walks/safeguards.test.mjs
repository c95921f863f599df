import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { editsOf, SAFEGUARDS } from "./safeguards.mjs";

// A build says the same, much later.
for (const [name, { about }] of Object.entries(SAFEGUARDS)) {
  test(`the shop can be built without it: ${about}`, async () => {
    for (const [file, edit] of editsOf(name)) {
      const source = await readFile(file, "utf8");
      assert.notEqual(edit(source), source);
      assert.throws(() => edit(""), new RegExp(name));
    }
  });
}

test("an unknown safeguard is refused", () => {
  assert.throws(() => editsOf("seatbelt"), /wait, another/);
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { editsOf, SAFEGUARDS } from "./safeguards.mjs";

for (const name of Object.keys(SAFEGUARDS)) {
  test(`the shop's sources can be edited to be without ${name}`, async () => {
    for (const [file, edit] of editsOf(name)) {
      edit(await readFile(file, "utf8"));
      assert.throws(() => edit(""), /the shop's source has changed/);
    }
  });
}

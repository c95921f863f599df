// The assertions that wait: they pass as late as a page shows something, and fail where it never does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, hasTexts, isAbsent, shows } from "./support/shown.mjs";

/** A locator whose texts come one after the other, and whose last one stays. */
function showing(...texts) {
  const next = () => (texts.length > 1 ? texts.shift() : texts[0]);
  return {
    innerText: async () => next(),
    allInnerTexts: async () => [next()].filter(Boolean),
    toString: () => "the notice",
  };
}

test("what comes late is waited for", async () => {
  await shows(showing("", "Sending", "Paid"), "Paid");
  await shows(showing("Sending", "Paid $204.49"), /^Paid \$\d/);
  await hasTexts(showing("", "Paid"), ["Paid"]);
});

test("what never comes fails with what is there instead", async () => {
  const check = () => assert.equal("Sending", "Paid");
  await assert.rejects(eventually(check, 100), { actual: "Sending", expected: "Paid" });
  await assert.rejects(eventually(() => Promise.reject(new Error("no element")), 100), /no element/);
});

test("what must be absent is not waited for", async () => {
  await isAbsent(showing(""), "the form is ready");
  const failed = isAbsent(showing("Failed", ""), "the form is ready");
  await assert.rejects(failed, { message: /^the form is ready, and still there is the notice/, actual: ["Failed"] });
});

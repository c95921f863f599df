// What is shown of the service's legal texts, whose shape the interface does not define.

import assert from "node:assert/strict";
import { test } from "node:test";
import { remitkit } from "./kit.mjs";

const { disclosureTexts } = remitkit;
const FEES = "Others may charge fees.";

const SHAPES = {
  "a list of texts": [[FEES, " Second.\n"], [{ text: FEES }, { text: "Second." }]],
  "objects, among what is none": [
    [{ title: "Fees", text: FEES }, 7, null, "", {}, "Second."],
    [{ title: "Fees", text: FEES }, { text: "Second." }],
  ],
  "one text": [FEES, [{ text: FEES }]],
  "a wrapped list": [{ disclosures: [FEES] }, [{ text: FEES }]],
  "other names, with ids, languages and dates": [
    [{ id: "US_FEES", key: crypto.randomUUID(), language: "en-US", since: "2026-11-28T09:00:00Z", label: "Fees", body: FEES }],
    [{ title: "Fees", text: FEES }],
  ],
  "a title alone": [[{ title: "Fees may apply." }], [{ text: "Fees may apply." }]],
  "a title and several texts": [
    [{ name: "Fees", items: [FEES, "Second."], url: "https://a.example/fees" }],
    [{ title: "Fees", text: FEES }, { text: "Second." }, { text: "https://a.example/fees" }],
  ],
  "titles in one another": [
    [{ title: "Notices", fees: { title: "Fees", text: FEES } }],
    [{ text: "Notices" }, { title: "Fees", text: FEES }],
  ],
  "a text without blanks": [[{ notice: "手数料がかかります。" }], [{ text: "手数料がかかります。" }]],
  nothing: [[], []],
};

for (const [shape, [sent, shown]] of Object.entries(SHAPES)) {
  test(`disclosures as ${shape}: all texts, in order`, () => assert.deepEqual(disclosureTexts(sent), shown));
}

test("values that no service sends are no failure, and cost no other text", () => {
  const circular = { text: FEES };
  circular.again = [circular, "Second."];
  assert.deepEqual(disclosureTexts(circular), [{ text: FEES }, { text: "Second." }]);
  const throwing = { get title() { throw new Error("unreadable"); }, text: FEES };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.deepEqual(disclosureTexts([throwing, proxy, "Second."]), [{ text: FEES }, { text: "Second." }]);
  const endless = () => new Proxy({ a: 1, b: 2 }, { get: () => endless() });
  let deep = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const sparse = [];
  sparse[2 ** 32 - 2] = FEES;
  assert.deepEqual(disclosureTexts(sparse), [{ text: FEES }]);
  const odd = [undefined, null, 7, 7n, true, Symbol("a"), () => FEES, new Date(), new Map([[1, FEES]]), endless(), deep];
  for (const value of odd) assert.deepEqual(disclosureTexts(value), []);
});

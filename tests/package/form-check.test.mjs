import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, shop } from "./packed.mjs";

const folder = await shop();

test("values that are no object are refused by name, and what a form has no field for is checked as data", async () => {
  const result = await printed(
    folder,
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const fields = [{ fieldId: "name", fieldType: "TEXT", isRequired: true, maxLength: 3 }];
    globalThis.fetch = async () => Response.json({ fieldSets: [{ fieldSetId: "a", fields }] });
    const remit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const form = await remit.senderFields({ senderType: "BUSINESS" });
    const outcomeOf = (values) => {
      try {
        return form.check(values).map(({ fieldId, code }) => fieldId + " " + code);
      } catch ({ code, option }) {
        return code + " " + option;
      }
    };
    const values = [[], ["a"], null, "text", 7, new Date(0), { name: "a", other: () => {} }, { name: "abcd", companyName: "c" }, { name: 7, companyName: "c" }];
    console.log(JSON.stringify(values.map(outcomeOf)));
    await remit.destroy();
    `,
  );
  const refused = "InvalidRequest values";
  assert.deepEqual(result, [refused, refused, refused, refused, refused, refused, "InvalidRequest other", ["name ValueRegexFailure"], ["name ValueRegexFailure"]]);
});

// An engine's regular expressions have a stack, which such a pattern fills with a long text: what it throws would end the core.
test("a text that is too long for the engine's regular expressions is left to the service", async () => {
  const result = await printed(
    folder,
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const fields = [{ fieldId: "name", fieldType: "TEXT", isRequired: false, regex: "^(?:(a)(b)?(c)?(d)?(e)?(f)?)*$" }];
    globalThis.fetch = async (url) =>
      Response.json(url.includes("-fields") ? { fieldSets: [{ fieldSetId: "a", fields }] } : { senderId: ID, nonce: ID });
    const remit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const name = "a".repeat(900_000);
    const form = await remit.senderFields({ senderType: "BUSINESS" });
    const problems = form.check({ name, companyName: "c" });
    const request = { senderType: "BUSINESS", fields: [{ id: "name", value: name }, { id: "companyName", value: "c" }] };
    const { senderId } = await remit.createSender(request);
    console.log(JSON.stringify({ problems, senderId, nonce: (await remit.nonce()).nonce }));
    await remit.destroy();
    `,
  );
  const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  assert.deepEqual(result, { problems: [], senderId: id, nonce: id });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { KIT, TRANSFER, printed, shop } from "./packed.mjs";

const folder = await shop();

const BEGIN = `${KIT}
    const remit = await kit();
    const bytes = (text) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
`;

test("a reply that is no UTF-8 is not taken for an empty one, and a refusal's code counts all the same", async () => {
  const result = await printed(
    folder,
    `${BEGIN}
    const replies = [
      new Response(bytes('{"a":"\\xe1"}')),
      new Response(bytes('[{"code":"InsufficientFunds","message":"sin fondos \\xe1"}]'), { status: 400 }),
    ];
    globalThis.fetch = async () => replies.shift();
    const codes = [];
    while (replies.length > 0) {
      await remit.request({ method: "POST", path: "/v1/later" }).catch(({ code }) => codes.push(code));
    }
    console.log(JSON.stringify(codes));
    `,
  );
  assert.deepEqual(result, ["OutcomeUnknown", "InsufficientFunds"]);
});

// Engines take them for dates of long ago.
test("a Retry-After in an odd form does not make retries come at once", async () => {
  const result = await printed(
    folder,
    `${BEGIN}
    const pauses = [];
    for (const value of ["-5", "1.5", "10, 10", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
      const at = [];
      globalThis.fetch = async () => {
        at.push(performance.now());
        return at.length < 2 ? new Response("", { status: 503, headers: { "retry-after": value } }) : Response.json({ nonce: ID });
      };
      await remit.nonce();
      pauses.push([value, at[1] - at[0]]);
    }
    console.log(JSON.stringify(pauses));
    `,
  );
  result.forEach(([value, pause]) => assert.ok(pause >= 450, `${value}: ${pause}`));
});

test("what all objects have is no code's message in any language", async () => {
  const result = await printed(
    folder,
    `${KIT}
    const remit = await kit({ locale: "es-MX" });
    const messages = [];
    for (const code of ["constructor", "__proto__", "InsufficientFunds"]) {
      globalThis.fetch = async () => Response.json({ code }, { status: 400 });
      await remit.nonce().catch((error) => messages.push([error.code, typeof error.message]));
    }
    console.log(JSON.stringify(messages));
    `,
  );
  assert.deepEqual(result, [
    ["constructor", "string"],
    ["__proto__", "string"],
    ["InsufficientFunds", "string"],
  ]);
});

// What the module's memory has grown by for it would never be given back.
test("a reply of more than 64 MiB is unreadable, and after a transfer's it is asked whether that was made", async () => {
  const result = await printed(
    folder,
    `${BEGIN}
    const later = setTimeout;
    globalThis.setTimeout = (work, ms, ...args) => later(work, ms < 10_000 ? ms / 100 : ms, ...args);
    const longest = 64 * 1024 * 1024;
    const padded = (value, length, init) => {
      const text = JSON.stringify(value);
      return new Response(" ".repeat(length - text.length) + text, init);
    };
    const outcomes = [];
    let reply;
    globalThis.fetch = async () => reply();
    const ask = () => remit.nonce().then(() => "read", ({ code }) => code);
    for (const [length, init] of [[longest, {}], [longest + 1, {}], [longest + 1, { status: 400 }]]) {
      reply = () => padded({ nonce: ID, code: "InsufficientFunds" }, length, init);
      outcomes.push(await ask());
    }
    globalThis.fetch = async (url, { method }) => {
      if (method === "POST") {
        return padded({ transferId: ID }, longest + 1);
      }
      return Response.json({ fieldSets: [], nonce: ID, transferId: ID, transferRecordStatus: "Created" });
    };
    const transfer = await (await remit.prepareTransfer(${TRANSFER})).submit();
    outcomes.push([transfer.transferId, transfer.recovered]);
    // A receipt does not enter the module.
    globalThis.fetch = async () => padded({}, longest + 1);
    outcomes.push((await remit.transferReceipt(ID)).size);
    console.log(JSON.stringify(outcomes));
    process.exit();
    `,
  );
  const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  assert.deepEqual(result, ["read", "UnreadableReply", "BadRequestError", [id, true], 67_108_865]);
});

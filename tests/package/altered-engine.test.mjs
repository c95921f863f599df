// A checkout against the sandbox in engines that lack what is newer than Safari 15.0, and in pages whose
// libraries give all objects members that descriptors have. Each plays in a process of its own.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Service } from "../chaos/service.mjs";
import { NEWER, removing, UNUSABLE, withoutComments } from "../newer-apis.mjs";
import { run } from "./packed.mjs";
import { fileSandbox, installed } from "./testing.mjs";

const { folder, startSandbox } = await installed();
const sandbox = await fileSandbox(startSandbox);
const { baseUrl, cardUrl } = sandbox;
const { access_token: token } = await sandbox.token();
const route = await (await Service.open(sandbox)).makeRecipient();
const packed = join(folder, "node_modules/remitkit");

const ENTRIES = {
  "remitkit/inline": 'await import("remitkit/inline")',
  "the one script": 'await import("./node_modules/remitkit/remitkit.min.js")',
  CommonJS: 'createRequire(import.meta.url)("remitkit")',
};

/** Node's own `fetch` does not work in such a page, and neither do its classes. */
const BEFORE = `
import { request as open } from "node:http";
import { createRequire } from "node:module";
// Parts of Node that load late do not load in such a page.
await import("node:fs/promises");
globalThis.Headers = class extends Map {
  constructor(all = {}) {
    super();
    for (const name of Object.keys(all)) this.set(name, all[name]);
  }
  set(name, value) { return super.set(name.toLowerCase(), value); }
  append(name, value) { this.set(name, value); }
};
globalThis.Request = class {};
globalThis.fetch = (url, { method, headers, body, signal }) => new Promise((resolve, reject) => {
  const sent = open(url, { method, headers }, (reply) => {
    const chunks = [];
    reply.on("data", (chunk) => chunks.push(chunk));
    reply.on("end", () => {
      const content = Buffer.concat(chunks);
      resolve({ status: reply.statusCode, url, headers: new Headers(reply.headers), arrayBuffer: async () => content });
    });
  });
  sent.on("error", reject);
  signal.addEventListener("abort", () => sent.destroy(new Error("aborted")));
  sent.end(body);
});
`;

const CHECKOUT = `
const { route, ...options } = JSON.parse(process.env.SHOP);
const { recipientId, recipientAccountId, ...corridor } = route;
const { createRemitKit, fromMinorUnits, formatAmount, parseAmount, isRemitError } = remitkit;
await import("remitkit/element");
await import("remitkit/fields");
const { fakeRemitKit } = await import("remitkit/testing");
const codeOf = (call) => call.then(() => undefined, (error) => [isRemitError(error), error.name, error.code, error.option]);
const remit = await createRemitKit({ ...options, journal: "memory", onDiagnostic() {} });
const { signal } = new AbortController();
const { dstCountryIso3Code, dstCurrencyIso3Code, transferMethod } = corridor;
const found = await remit.corridors({ dstCountryIso3Code, transferMethod }, { signal });
const fields = await remit.recipientFields({ dstCountryIso3Code, dstCurrencyIso3Code, transferMethod, recipientType: "PERSON" });
const { quoteHistoryId, sendAmount } = await remit.quote({ ...corridor, amount: 12550 });
const attempt = await remit.prepareTransfer({ ...corridor, amount: 12550, recipientId, recipientAccountId, quoteHistoryId });
const pending = await remit.pendingTransfers();
const { transferId } = await attempt.submit({ signal });
const facts = [
  found.length,
  fields.check({}).length,
  fields.toFields({ firstName: "Ana" }),
  [typeof remit.quote, remit.quote.name, remit.quote.length, attempt.amount],
  pending.map(({ state, amount }) => [state, amount]),
  attempt.state,
  typeof transferId,
  String((await remit.getTransfer(transferId)).transferId) === String(transferId),
  await codeOf(remit.corridors({ constructor: "MEX" })),
  await codeOf(remit.request({ method: "POST", path: "/v1/recipients", body: { list: [undefined] } })),
  await codeOf(remit.request({ method: "POST", path: "/v1/recipients", body: { fee: { value: 1n, currency: "USD" } } })),
  await codeOf(remit.getQuote(quoteHistoryId, { signal: {} })),
  formatAmount(sendAmount, "en-US"),
  fromMinorUnits(parseAmount("1,250.50", sendAmount.currency, "en-US"), sendAmount.currency),
  await fakeRemitKit({ nonce: async () => "fake" }).remit.nonce({ signal }),
];
await remit.destroy();
console.log(JSON.stringify(facts));
process.exit();
`;

/** Plays a checkout after a script that alters the engine; returns what it found. */
async function played(alter, entry) {
  const script = `${BEFORE}${alter}\nconst remitkit = ${ENTRIES[entry]};${CHECKOUT}`;
  const env = { ...process.env, SHOP: JSON.stringify({ baseUrl, cardUrl, token, route }) };
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder, env });
  return JSON.parse(stdout);
}

const usual = {};
/** Asserts that a checkout finds the same in an altered engine as in this one. */
async function assertSame(alter) {
  for (const entry of Object.keys(ENTRIES)) {
    usual[entry] ??= await played("", entry);
    assert.deepEqual(await played(alter, entry), usual[entry], entry);
  }
}

test("a checkout needs nothing that is newer than Safari 15.0", () => {
  // Node's own is newer, but no browser lacks one.
  return assertSame(`${removing(NEWER)}\ndelete globalThis.navigator;`);
});

for (const name of ["get", "set", "value", "writable", "enumerable", "configurable"]) {
  test(`a checkout is the same where all objects have a member \`${name}\``, () =>
    assertSame(`Object.prototype.${name} = function () {};`));
}

test("no script for a page contains what Safari 15.0 cannot parse or lacks, or a descriptor that inherits", async () => {
  const files = (await readdir(packed, { recursive: true })).filter((name) => name.endsWith(".js"));
  const ofPages = files.filter((name) => !/^(cjs|server|testing)\b/.test(name));
  assert.ok(ofPages.length > 50 && ofPages.includes("remitkit.min.js"), `${ofPages.length} scripts`);
  for (const name of ofPages) {
    const text = withoutComments(await readFile(join(packed, name), "utf8"));
    for (const pattern of UNUSABLE) assert.doesNotMatch(text, pattern, name);
    const descriptors = text.match(/defineProperty\([^{};]*\{(?!\s*__proto__)[^}]{0,40}/g) ?? [];
    assert.deepEqual(descriptors, [], name);
  }
});

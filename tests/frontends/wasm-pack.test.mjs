// The module as `wasm-pack build --features js` makes it, without the package around it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { COMPILERS, RESOLUTIONS, compile } from "../package/compiler.mjs";
import { shop } from "../package/packed.mjs";
import { fileSandbox, installed } from "../package/testing.mjs";

const { REMITKIT_WASM_PACK } = process.env;
assert.ok(REMITKIT_WASM_PACK, "REMITKIT_WASM_PACK names the built module, as cargo xtask test does");
const SCRIPT = join(REMITKIT_WASM_PACK, "remitkit.js");

test("the classes of a plain build call the service", async () => {
  const { startSandbox } = await installed();
  const sandbox = await fileSandbox(startSandbox);
  const { default: start, RemitKit } = await import(pathToFileURL(SCRIPT).href);
  await start({ module_or_path: await readFile(join(REMITKIT_WASM_PACK, "remitkit_bg.wasm")) });
  const { baseUrl, cardUrl } = sandbox;
  const token = async () => JSON.stringify(await sandbox.token());
  const kit = new RemitKit({ baseUrl, cardUrl }, { token, journal: "memory", isWatched: false });
  const corridors = await kit.corridors("{}");
  assert.ok(corridors.some(({ destinationCountry }) => destinationCountry.iso3Code === "MEX"));
  const route = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
  const price = { srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 12550 };
  const quote = await kit.quote(JSON.stringify({ ...route, ...price }));
  assert.equal(quote.sendAmount.value, 12550);
  assert.match(quote.quoteHistoryId, /^[\da-f-]{36}$/);
  await assert.rejects(kit.quote("{}"), { name: "RemitError", kind: "invalid_request" });
});

const PAGE = `
import { RemitKit } from "${SCRIPT}";
import type { CardForm, Corridor, FieldForm, Host, Quote, TransferAttempt } from "${SCRIPT}";

declare const host: Host;
const kit = new RemitKit({ baseUrl: "https://a.example", cardUrl: "https://b.example", locale: "es" }, host);
const corridors: Corridor[] = await kit.corridors("{}", AbortSignal.timeout(1000));
const quote: Quote = await kit.quote("{}");
const form: FieldForm = await kit.recipientFields("{}");
const ids: string[] = form.fieldSets.flatMap((set) => set.fields).map((field) => field.fieldId);
const codes: string[] = form.check("{}", false).map((problem) => problem.code);
const attempt: TransferAttempt = await kit.prepareTransfer("{}");
const { transferId, recovered } = await attempt.submit();
const text: string = transferId + attempt.record().nonce;
const flag: boolean = recovered;
const card: CardForm = await kit.cardForm(document.body, { height: 400 }, (type, detail) => {
  if (type === "COMPLETED") detail.cardId.trim();
});
const sources: string[] | undefined = kit.contentSecurityPolicy()["frame-src"];

// @ts-expect-error
new RemitKit({ baseUrl: "https://a.example" }, host);
// @ts-expect-error
quote.unknown;
// @ts-expect-error
corridors.unknown;
// @ts-expect-error
form.fieldSets[0]!.unknown;
// @ts-expect-error
(await attempt.submit()).unknown;
// @ts-expect-error
attempt.record().unknown;
// @ts-expect-error
(await kit.pendingTransfers()).unknown;
// @ts-expect-error
card.state().unknown;
// @ts-expect-error
kit.cardForm(document.body, { width: 400 }, () => {});
`;

test("its types say what a call takes and returns", async () => {
  const folder = await shop({ "page.ts": PAGE });
  const settings = { ...RESOLUTIONS[0], lib: ["es2022", "dom", "esnext.disposable"] };
  for (const compiler of COMPILERS) {
    assert.equal(await compile(folder, compiler, settings, "page.ts"), "", compiler);
  }
  const declared = await readFile(join(REMITKIT_WASM_PACK, "remitkit.d.ts"), "utf8");
  // What follows describes the wasm's own exports.
  const classes = declared.slice(0, declared.indexOf("export type InitInput"));
  assert.match(classes, /\/\*\*\n +\* Lists the enabled corridors that the filter keeps\.\n/);
  assert.doesNotMatch(classes.replace(/\/\*\*[^]*?\*\//g, ""), /\bany\b/);
  assert.doesNotMatch(classes, /r"/);
});

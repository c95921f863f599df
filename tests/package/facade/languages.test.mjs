// Languages: any name of one is taken, and no call fails over one. Errors are in the page's language, also
// before the wasm is there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { errorOf, ID, kit, OPTIONS, remitkit, replaceGlobal, unpacked } from "./kit.mjs";

const { createRemitKit, formatAmount, parseAmount, preload, toMinorUnits } = remitkit;
const USD = { iso3Code: "USD", decimalPlaces: 2 };

/** The languages of a page and its browser. */
function setPage(t, lang, language) {
  replaceGlobal(t, "document", { value: { documentElement: { lang }, addEventListener() {}, removeEventListener() {} } });
  replaceGlobal(t, "navigator", { value: { language } });
}

const headerOf = async (locale) => {
  const { remit, requests } = await kit(undefined, { locale });
  await remit.quote(REQUESTS.quote());
  return requests[0].headers["accept-language"];
};

test("a kit and formatAmount take any name of a language alike", async (t) => {
  setPage(t, "de-AT", "fr-FR");
  for (const [locale, expected] of [
    ["es-MX", "es-MX"],
    ["ES-mx", "es-MX"],
    ["es_MX", "es-MX"],
    [" es_MX.UTF-8 ", "es-MX"],
    ["en-US@posix", "en-US"],
    ["es-MX,es;q=0.9", "es-MX"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["ar-u-nu-latn", "ar"],
    ...["", "x-klingon", "no language", "not-a-locale!", null, undefined, 7, {}, "x".repeat(1_000_000)].map(
      (locale) => [locale, "de-AT"],
    ),
  ]) {
    assert.equal(await headerOf(locale), expected, String(locale).slice(0, 30));
    const amount = { value: 123450, currency: USD };
    assert.equal(formatAmount(amount, locale), formatAmount(amount, expected), String(locale).slice(0, 30));
  }
  assert.equal(formatAmount({ value: 1, currency: USD }, new Array(4_294_967_295)).length > 3, true);
  setPage(t, "", "fr-FR");
  assert.equal(await headerOf("?"), "fr-FR");
  setPage(t, "!", undefined);
  assert.equal(await headerOf("?"), "en-US");
});

const SPANISH = /inténtalo de nuevo|Agrégalo de nuevo|cantidad|Cancelado|Algo falló/i;

/** Checks that whatever was thrown or rejected is a RemitError with a text in Spanish. */
async function assertSpanish(calls) {
  for (const [name, call] of Object.entries(calls)) {
    const error = await errorOf(async () => call());
    assert.deepEqual([error.name, typeof error.code], ["RemitError", "string"], name);
    assert.match(error.userMessage, SPANISH, name);
  }
}

test("errors before the wasm is there are in the kit's language, or in the page's", async (t) => {
  const { load } = await unpacked();
  const fresh = await load("index.js");
  const { wasm: _, ...options } = OPTIONS;
  const offline = { wasm: "https://cdn.example/x.wasm", ...options, locale: "es-MX" };
  t.mock.method(globalThis, "fetch", () => Promise.reject(new TypeError("fetch failed")));
  await assertSpanish({
    offline: () => fresh.createRemitKit(offline),
    "wrong option": () => fresh.createRemitKit({ ...offline, timeoutMs: 0 }),
  });
  const messages = { LoadFailed: "Nicht geladen.", InvalidConfiguration: "Falsch." };
  const own = { ...offline, locale: "de", messages };
  assert.equal((await errorOf(fresh.createRemitKit(own))).userMessage, "Nicht geladen.");
  assert.equal((await errorOf(fresh.createRemitKit({ ...own, token: 7 }))).userMessage, "Falsch.");
  setPage(t, "es", "en-US");
  await assertSpanish({
    "no options": () => fresh.createRemitKit(),
    preload: () => fresh.preload({ wasm: "https://cdn.example/x.wasm" }),
    "preload's options": () => preload({ url: "/" }),
    toMinorUnits: () => toMinorUnits("x", USD),
    parseAmount: () => parseAmount("x", USD),
    formatAmount: () => formatAmount(7),
  });
  const english = await errorOf(createRemitKit({ ...OPTIONS, locale: "en-GB", timeoutMs: 0 }));
  assert.match(english.userMessage, /Reload it/);
  assert.match((await errorOf(() => parseAmount("x", USD, "en"))).userMessage, /valid amount/);
});

test("whatever a kit's objects throw or reject with is a RemitError in the kit's language", () =>
  withPage(async () => {
    const { remit } = await kit(new Sessions().answer, { locale: "es" });
    const form = await remit.cardForm({ container: "#card" });
    const fields = await remit.senderFields(REQUESTS.senderFields());
    const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
    const unreadable = new Proxy({ a: 1, signal: 1 }, { get: () => assert.fail("in the page") });
    const signal = AbortSignal.abort();
    await assertSpanish({
      quote: () => remit.quote(7),
      getTransfer: () => remit.getTransfer(7),
      cardFormUrl: () => remit.cardFormUrl(7),
      pushToCard: () => remit.pushToCard(7),
      "a flow's options": () => remit.pushToCard({}).next(),
      container: () => remit.cardForm({ container: "#none" }),
      loadError: () => remit.cardForm({ container: "#card", loadError: 7 }),
      "a call's options": () => remit.nonce({ signal: 7 }),
      aborted: () => remit.nonce({ signal }),
      unreadable: () => remit.nonce(unreadable),
      on: () => form.on("x", () => {}),
      listener: () => form.on("READY", 7),
      update: () => form.update({ theme: 7 }),
      isRequired: () => fields.isRequired("none"),
      options: () => fields.options(7),
      check: () => fields.check(7),
      toFields: () => fields.toFields(unreadable),
      valuesOf: () => fields.valuesOf({ fields: 7 }),
      submit: () => attempt.submit({ signal }),
    });
    await remit.destroy();
    await assertSpanish({ destroyed: () => remit.nonce(), form: () => form.update({ theme: {} }) });
  }));

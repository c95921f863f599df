import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ALL_MESSAGES, messagesIn } from "../messages.js";
import { LANGUAGES } from "../theme.js";

const source = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("every language has every text, with the same placeholders", () => {
  assert.deepEqual(Object.keys(ALL_MESSAGES), LANGUAGES);
  const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [language, texts] of Object.entries(ALL_MESSAGES)) {
    assert.deepEqual(Object.keys(texts), Object.keys(ALL_MESSAGES.en), language);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), "", key);
      assert.deepEqual(places(text), places(ALL_MESSAGES.en[key]), `${language} ${key}`);
    }
  }
});

test("the page asks for no text that is missing", () => {
  const keys = new Set(Object.keys(ALL_MESSAGES.en));
  const asked = [
    ...[...source("form.html").matchAll(/data-text="(\w+)"/g)].map((match) => match[1]),
    ...[...source("form.js").matchAll(/say\("(\w+)"/g)].map((match) => match[1]),
  ];
  assert.ok(asked.length > 15);
  for (const key of asked) assert.ok(keys.has(key), key);
  const problems = {
    number: ["Required", "Short", "Long", "Wrong"],
    expiry: ["Required", "Format", "Month", "Expired", "Far"],
    name: ["Required", "Characters", "Names", "Long"],
    code: ["Required", "Length", "Length3", "Length4"],
  };
  for (const [field, list] of Object.entries(problems)) {
    for (const problem of list) assert.ok(keys.has(field + problem), field + problem);
  }
  for (const state of ["loading", "success", "used", "expired", "unknown", "unreachable", "unsettled"]) {
    assert.ok(keys.has(`${state}Title`) && keys.has(`${state}Text`), state);
  }
});

test("only error codes of the service are looked up as such", () => {
  const say = messagesIn("es-MX");
  assert.equal(say.knowsCode("CardNotSupported"), true);
  for (const code of ["title", "failed", "constructor", "__proto__", "NoSuchCode", ""]) assert.equal(say.knowsCode(code), false, code);
  assert.equal(say("step", { step: 2 }), "Paso 2 de 2");
  assert.equal(messagesIn("de")("title"), ALL_MESSAGES.en.title);
});

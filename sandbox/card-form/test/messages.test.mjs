import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ALL_MESSAGES, messagesIn } from "../messages.js";
import { LANGUAGES } from "../theme.js";

const source = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("all languages have all texts with the same placeholders", () => {
  assert.deepEqual(Object.keys(ALL_MESSAGES), LANGUAGES);
  const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [language, texts] of Object.entries(ALL_MESSAGES)) {
    assert.deepEqual(Object.keys(texts), Object.keys(ALL_MESSAGES.en), language);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), "", key);
      assert.deepEqual(placeholders(text), placeholders(ALL_MESSAGES.en[key]), `${language} ${key}`);
    }
  }
});

test("every text that the page uses exists", () => {
  const used = (file, pattern) => [...source(file).matchAll(pattern)].map((match) => match[1]);
  const problems = {
    number: ["Required", "Short", "Long", "Wrong"],
    expiry: ["Required", "Format", "Month", "Expired", "Far"],
    name: ["Required", "Characters", "Names", "Long"],
    code: ["Required", "Length", "Length3", "Length4"],
  };
  const panels = ["loading", "success", "used", "expired", "unknown", "unreachable", "unsettled"];
  const keys = [
    ...used("form.html", /data-text="(\w+)"/g),
    ...used("form.js", /say\("(\w+)"/g),
    ...Object.entries(problems).flatMap(([field, names]) => names.map((name) => field + name)),
    ...panels.flatMap((state) => [`${state}Title`, `${state}Text`]),
  ];
  assert.ok(keys.length > 45);
  for (const key of keys) assert.ok(Object.hasOwn(ALL_MESSAGES.en, key), key);
});

test("only error codes of the service are looked up as codes", () => {
  const say = messagesIn("es-MX");
  assert.equal(say.knowsCode("CardNotSupported"), true);
  for (const code of ["title", "failed", "constructor", "__proto__", "NoSuchCode", ""]) {
    assert.equal(say.knowsCode(code), false, code);
  }
  assert.equal(say("step", { step: 2 }), "Paso 2 de 2");
  assert.equal(messagesIn("de")("title"), ALL_MESSAGES.en.title);
});

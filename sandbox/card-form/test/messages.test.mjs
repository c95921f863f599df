import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, TEXTS, messagesIn } from "../messages.js";

const source = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("all languages have all texts with the same placeholders", () => {
  const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, texts] of Object.entries(TEXTS)) {
    assert.equal(texts.filter((text) => text.trim() !== "").length, LANGUAGES.length, key);
    for (const text of texts) assert.deepEqual(placeholders(text), placeholders(texts[0]), key);
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
  for (const key of keys) assert.ok(Object.hasOwn(TEXTS, key), key);
});

test("only error codes of the service are looked up as codes", () => {
  const say = messagesIn("es-MX");
  assert.equal(say.knowsCode("CardNotSupported"), true);
  for (const code of ["title", "failed", "constructor", "__proto__", "NoSuchCode", ""]) {
    assert.equal(say.knowsCode(code), false, code);
  }
  assert.equal(say("step", { step: 2 }), "Paso 2 de 2");
  assert.equal(messagesIn("en")("step", { step: 2 }), "Step 2 of 2");
});

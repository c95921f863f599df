// Random amounts, held to a decimal library. The seed is printed; MONEY_SEED repeats a run.

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import Decimal from "decimal.js";
import { unpacked } from "./unpacked.mjs";

const ROWS = 100_000;
const seed = Number(process.env.MONEY_SEED ?? randomInt(2 ** 31));
const ExactDecimal = Decimal.clone({ precision: 60 });

// Mulberry32: small, and the same everywhere.
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test(`${ROWS} random amounts convert and format exactly (seed ${seed})`, async () => {
  const { toMinorUnits, fromMinorUnits, formatAmount } = await (await unpacked()).load("index.js");
  const random = generator(seed);
  let beyondFloats = 0;
  for (let row = 0; row < ROWS; row++) {
    const decimalPlaces = Math.floor(random() * 5);
    const wholeDigits = 1 + Math.floor(random() * (18 - decimalPlaces));
    const digits = (count) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
    const written = Math.floor(random() * (decimalPlaces + 1));
    const text = digits(wholeDigits) + (written > 0 ? `.${digits(written)}` : "");
    const currency = { iso3Code: "USD", decimalPlaces };

    const minor = toMinorUnits(text, currency);
    const exact = new ExactDecimal(text);
    assert.equal(String(minor), exact.times(new ExactDecimal(10).pow(decimalPlaces)).toFixed(0), text);
    assert.equal(typeof minor, Number.isSafeInteger(Number(minor)) ? "number" : "bigint", text);
    beyondFloats += typeof minor === "bigint" ? 1 : 0;

    assert.equal(fromMinorUnits(minor, currency), exact.toFixed(decimalPlaces), text);

    const [whole, fraction] = exact.toFixed(decimalPlaces).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    const words = `$${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
    assert.equal(formatAmount({ value: minor, currency }, "en-US"), words, text);
  }
  assert.ok(beyondFloats > 1000, `only ${beyondFloats} amounts were beyond what a float holds`);
});

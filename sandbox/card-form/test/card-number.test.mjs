import assert from "node:assert/strict";
import { test } from "node:test";
import { codeLengthsOf, digitsOf, groupNumber, networkOf, numberProblem, passesLuhn } from "../card-number.js";
import { codeProblem } from "../security-code.js";

/** Numbers the networks publish for tests, and the sandbox's own. */
const CARDS = [
  ["4111111111111111", "visa", "4111 1111 1111 1111"],
  ["4222222222222", "visa", "4222 2222 2222 2"],
  ["5555555555554444", "mastercard", "5555 5555 5555 4444"],
  ["2223003122003222", "mastercard", "2223 0031 2200 3222"],
  ["378282246310005", "amex", "3782 822463 10005"],
  ["6011111111111117", "discover", "6011 1111 1111 1117"],
  ["30569309025904", "diners", "3056 930902 5904"],
  ["3530111333300000", "jcb", "3530 1113 3330 0000"],
  ["6200000000000005", "unionpay", "6200 0000 0000 0005"],
  ["6759649826438453", "maestro", "6759 6498 2643 8453"],
  ["4000000000000002", "visa", "4000 0000 0000 0002"],
  ["4000000000000010", "visa", "4000 0000 0000 0010"],
  ["4000000000000028", "visa", "4000 0000 0000 0028"],
  ["4000000000000036", "visa", "4000 0000 0000 0036"],
];

test("known numbers are recognised, grouped as printed, and in order", () => {
  for (const [number, network, grouped] of CARDS) {
    assert.equal(networkOf(number)?.id, network, number);
    assert.equal(groupNumber(number), grouped);
    assert.equal(numberProblem(grouped), null, number);
  }
});

test("any single wrong digit fails the check digit", () => {
  for (const [number] of CARDS) {
    for (let at = 0; at < number.length; at += 1) {
      for (let digit = 0; digit <= 9; digit += 1) {
        const changed = number.slice(0, at) + digit + number.slice(at + 1);
        assert.equal(passesLuhn(changed), changed === number, changed);
      }
    }
  }
});

test("the check digit catches swapped neighbours, except 0 and 9", () => {
  for (const [number] of CARDS) {
    for (let at = 0; at + 1 < number.length; at += 1) {
      const [first, second] = [number[at], number[at + 1]];
      const swapped = number.slice(0, at) + second + first + number.slice(at + 2);
      const blind = first === second || (first + second).match(/^(09|90)$/) !== null;
      assert.equal(passesLuhn(swapped), blind, swapped);
    }
  }
});

test("anything but digits passes no check", () => {
  for (const text of ["", "4111 1111", "-0", "4111111111111111x"]) assert.equal(passesLuhn(text), false, text);
});

test("the network is unknown until the digits decide it", () => {
  for (const open of ["", "5", "2", "3", "6", "222", "60", "9", "2220", "2721"]) {
    assert.equal(networkOf(open), null, open);
  }
  for (const [digits, id] of [["4", "visa"], ["51", "mastercard"], ["2221", "mastercard"], ["2720", "mastercard"], ["34", "amex"]]) {
    assert.equal(networkOf(digits)?.id, id, digits);
  }
});

test("grouping never drops a digit", () => {
  for (let length = 0; length <= 40; length += 1) {
    for (const start of ["4", "51", "37", "36", "62", "9"]) {
      const digits = (start + "1234567890".repeat(4)).slice(0, length);
      assert.equal(groupNumber(digits).replaceAll(" ", ""), digits);
    }
  }
});

test("each problem of a card number has a name", () => {
  assert.equal(numberProblem(""), "required");
  assert.equal(numberProblem("   "), "required");
  assert.equal(numberProblem("4111 1111"), "short");
  assert.equal(numberProblem("41111111111111"), "short");
  assert.equal(numberProblem("4111 1111 1111 1112"), "wrong");
  assert.equal(numberProblem("41111111111111111"), "wrong");
  assert.equal(numberProblem("4111111111111111 4111"), "long");
  assert.equal(numberProblem("0000 0000 0000 0000"), "wrong");
  assert.equal(numberProblem("55555555555544440"), "long");
});

test("digits are read from what people paste", () => {
  assert.equal(digitsOf("4111-1111 1111.1111"), "4111111111111111");
  assert.equal(digitsOf("４１１１"), "4111");
  assert.equal(digitsOf("card: none"), "");
});

test("the security code's length depends on the network", () => {
  const amex = networkOf("378282246310005");
  const visa = networkOf("4111");
  assert.deepEqual(codeLengthsOf(amex), [4]);
  assert.deepEqual(codeLengthsOf(visa), [3]);
  assert.deepEqual(codeLengthsOf(null), [3, 4]);
  assert.equal(codeProblem("", visa), "required");
  assert.equal(codeProblem("123", visa), null);
  assert.equal(codeProblem("1234", visa), "length");
  assert.equal(codeProblem("123", amex), "length");
  assert.equal(codeProblem("1234", amex), null);
  assert.equal(codeProblem("1234", null), null);
  assert.equal(codeProblem("12", null), "length");
  assert.equal(codeProblem("12345", null), "length");
});

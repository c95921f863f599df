import assert from "node:assert/strict";
import { test } from "node:test";
import { codeProblem, digitsOf, groupNumber, networkOf, numberProblem, passesLuhn } from "../card-number.js";

/** Numbers the networks publish for tests, and one of the sandbox's own. */
const CARDS = [
  ["4111111111111111", "visa", "4111 1111 1111 1111"],
  ["4222222222222", "visa", "4222 2222 2222 2"],
  ["5555555555554444", "mastercard", "5555 5555 5555 4444"],
  ["2223003122003222", "mastercard", "2223 0031 2200 3222"],
  ["378282246310005", "amex", "3782 822463 10005"],
  ["6011111111111117", "discover", "6011 1111 1111 1117"],
  ["6500000000000002", "discover", "6500 0000 0000 0002"],
  ["30569309025904", "diners", "3056 930902 5904"],
  ["3530111333300000", "jcb", "3530 1113 3330 0000"],
  ["6200000000000005", "unionpay", "6200 0000 0000 0005"],
  ["6759649826438453", "maestro", "6759 6498 2643 8453"],
  ["4000000000000002", "visa", "4000 0000 0000 0002"],
];

test("valid numbers are recognized and grouped as printed", () => {
  for (const [number, network, grouped] of CARDS) {
    assert.equal(networkOf(number)?.id, network, number);
    assert.equal(groupNumber(number), grouped);
    assert.equal(numberProblem(grouped), null, number);
  }
});

test("the check digit detects every wrong digit", () => {
  for (const [number] of CARDS) {
    for (let at = 0; at < number.length; at += 1) {
      for (let digit = 0; digit <= 9; digit += 1) {
        const changed = number.slice(0, at) + digit + number.slice(at + 1);
        assert.equal(passesLuhn(changed), changed === number, changed);
      }
    }
  }
  for (const text of ["", "4111 1111", "-0", "4111111111111111x"]) assert.equal(passesLuhn(text), false);
});

test("the network is undecided until the digits identify it", () => {
  for (const [digits, id] of [
    ["4", "visa"], ["51", "mastercard"], ["2221", "mastercard"], ["2720", "mastercard"], ["34", "amex"],
    ["644", "discover"], ["50", "maestro"], ["36", "diners"],
    ...["", "5", "2", "3", "6", "27", "60", "643", "9", "2220", "2721", "33", "35"].map(
      (digits) => [digits, undefined],
    ),
  ]) {
    assert.equal(networkOf(digits)?.id, id, digits);
  }
});

test("grouping keeps all digits", () => {
  for (let length = 0; length <= 40; length += 1) {
    for (const start of ["4", "51", "37", "36", "9"]) {
      const digits = (start + "1234567890".repeat(4)).slice(0, length);
      assert.equal(groupNumber(digits).replaceAll(" ", ""), digits);
    }
  }
});

test("each problem of a card number has a name", () => {
  for (const [text, problem] of [
    ["", "required"],
    ["   ", "required"],
    ["4111 1111", "short"],
    ["41111111111111", "short"],
    ["4111 1111 1111 1112", "wrong"],
    ["41111111111111111", "wrong"],
    ["4111111111111111 4111", "long"],
    ["0000 0000 0000 0000", "wrong"],
    ["55555555555544440", "long"],
    ["3782822463100050", "long"],
  ]) {
    assert.equal(numberProblem(text), problem, text);
  }
});

test("digits are extracted from pasted text", () => {
  assert.equal(digitsOf("4111-1111 1111.1111"), "4111111111111111");
  assert.equal(digitsOf("４１１１"), "4111");
  assert.equal(digitsOf("card: none"), "");
});

test("the length of the security code depends on the network", () => {
  const [amex, visa] = [networkOf("378282246310005"), networkOf("4111")];
  for (const [text, network, problem] of [
    ["", visa, "required"],
    ["123", visa, null],
    ["1234", visa, "length"],
    ["123", amex, "length"],
    ["1234", amex, null],
    ["123", null, null],
    ["1234", null, null],
    ["12", null, "length"],
    ["12345", null, "length"],
  ]) {
    assert.equal(codeProblem(text, network), problem, `${text} ${network?.id}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { facade, facadeFolder } from "./facade.mjs";

const SAFE = {
  name: "RemitError",
  code: "ValueRegexFailure",
  kind: "field",
  message: "This value does not have the expected form.",
  resolution: "correct_input",
  retryable: false,
  httpStatus: 400,
  requestId: "r-1",
  option: "fields",
  retryAfterMs: 5000,
  problems: [{ fieldId: "a", code: "ValueRegexFailure", message: "…" }],
};

test("an error shows what is safe, and nothing else when it is logged", async () => {
  const { RemitError } = await facade();
  const { name, code, message, ...details } = SAFE;
  const error = new RemitError(code, message, {
    ...details,
    cause: "secret",
    quote: { secret: true },
    previousQuote: { secret: true },
    difference: { sendAmount: 9007199254740993n },
    other: "secret",
  });
  assert.ok(error instanceof Error);
  assert.deepEqual(JSON.parse(JSON.stringify(error)), SAFE);
  assert.equal(String(error), `RemitError: ${message}`);
  assert.equal(error.cause, "secret");
  assert.deepEqual([error.quote, error.previousQuote], [{ secret: true }, { secret: true }]);
  assert.deepEqual(error.difference, { sendAmount: 9007199254740993n });
  assert.equal(Object.keys(error).includes("cause"), false);
});

test("what an error does not have is absent", async () => {
  const { RemitError } = await facade();
  const error = new RemitError("NotFound", "It was not found.", {
    kind: "not_found",
    retryable: false,
    httpStatus: undefined,
  });
  assert.deepEqual(Object.keys(error).sort(), ["code", "kind", "retryable"]);
  assert.equal("cause" in error, false);
});

test("isRemitError knows errors of another copy of the package, and survives anything", async () => {
  const [one, two] = [await facade(), await facade()];
  assert.notEqual(one.RemitError, two.RemitError);
  const error = new one.RemitError("NotFound", "…", { kind: "not_found" });
  assert.equal(one.isRemitError(error), true);
  assert.equal(two.isRemitError(error), true);
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const others = [
    undefined,
    null,
    7,
    "RemitError",
    new Error("x"),
    {},
    [],
    () => {},
    Symbol("x"),
    5n,
    revoked.proxy,
    { name: "RemitError", code: "NotFound" },
    new Proxy(
      {},
      {
        get() {
          throw 1;
        },
      },
    ),
  ];
  for (const other of others) {
    assert.equal(one.isRemitError(other), false);
  }
});

test("of what the core tells, the quotes alone have bigints; the service's words stay words", async () => {
  const { load } = await facadeFolder();
  const { readError } = await load("remit-error.js");
  const words = { code: "ComesLater", message: "5n\0", kind: "quote", requestId: "7n\0" };
  // A service may write its JSON in lines, of which a quote's text is part.
  const error = readError(`${JSON.stringify(words)}\n${String.raw`{"difference":`}\n${String.raw`{"sendAmount":"9007199254740993n\u0000"}}`}`);
  assert.deepEqual([error.message, error.requestId], ["5n\0", "7n\0"]);
  assert.equal(error.difference.sendAmount, 9007199254740993n);
  assert.equal(readError(JSON.stringify(words)).quote, undefined);
});

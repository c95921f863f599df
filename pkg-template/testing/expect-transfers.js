import { invalid } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { readMembers } from "../input/plain.js";
import { ExpectationError } from "./expectation-error.js";

const POLL_MS = 50;

export async function expectTransfers(sandbox, expected, options = {}) {
  const { timeoutMs = 5000, quietMs = 300 } = readKnown(options, ["timeoutMs", "quietMs"]);
  const wanted = typeof expected === "number" ? { count: expected } : readMembers(expected, "expected");
  const { count = 1, ...values } = wanted;
  if (!Number.isInteger(count) || count < 0) {
    throw invalid("InvalidRequest", "expected.count", "a whole number, not negative");
  }
  const until = Date.now() + timeoutMs;
  let metAt;
  for (;;) {
    const found = (await sandbox.transfers()).filter((transfer) => hasAll(transfer, values));
    if (found.length !== count) {
      metAt = undefined;
      if (found.length > count || Date.now() >= until) {
        throw unexpected(count, found, values);
      }
    } else {
      metAt ??= Date.now();
      if (Date.now() - metAt >= quietMs) return found;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const hasAll = (transfer, values) =>
  Object.entries(values).every(([name, value]) => transfer[name] === value);

function unexpected(count, found, values) {
  const wanted = `${count} transfer${count === 1 ? "" : "s"}`;
  const condition = Object.keys(values).length === 0 ? "" : ` with ${JSON.stringify(values)}`;
  const ids = found.map((transfer) => transfer.transferId).join(", ");
  const recorded = ids === "" ? found.length : `${found.length}: ${ids}`;
  const message = `Expected ${wanted}${condition}, but the sandbox has recorded ${recorded}.`;
  return new ExpectationError(message, { expected: count, actual: found.length, transfers: found });
}

import { readKnown } from "../input/known-options.js";
import { ExpectationError } from "./expectation-error.js";

const POLL_MS = 50;

export async function expectFaultsUsed(sandbox, options = {}) {
  const { timeoutMs = 1000 } = readKnown(options, ["timeoutMs"]);
  const until = Date.now() + timeoutMs;
  for (;;) {
    const faults = (await sandbox.faults.list()).filter(isCertain);
    if (faults.length === 0) return;
    if (Date.now() >= until) throw unused(faults);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

// Whether one of the others meets a request is left to chance.
const isCertain = ({ percent = 100 }) => percent === 100;

function unused(faults) {
  const shown = faults.map(({ kind, method = "any method", path, count }) => {
    return `${kind} of ${method} ${path} (${count} left)`;
  });
  const message = `Expected every fault to meet its requests, but some did not: ${shown.join("; ")}.`;
  return new ExpectationError(message, { expected: [], actual: faults });
}

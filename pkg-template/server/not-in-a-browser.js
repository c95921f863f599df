import { failure } from "../errors.js";

/** What loading this entry point in a page ends in. */
export function browserRefusal() {
  return failure(
    "InvalidConfiguration",
    "remitkit/server holds the client secret and belongs on your server alone. A page imports remitkit, and gets its token from there.",
  );
}

// Node with a DOM beside it (a test in jsdom) has `process.versions.node`; the `process` that bundlers put
// into pages has not. A window of Electron has it too, but tells its type.
const { process } = globalThis;
const isNode = typeof process?.versions?.node === "string" && process.type !== "renderer";
const hasPage = typeof globalThis.window === "object" && typeof globalThis.document === "object";

if (!isNode && (hasPage || typeof globalThis.importScripts === "function")) {
  throw browserRefusal();
}

import { failure } from "../errors/errors.js";

/** Returns the error of importing this entry point in a page. */
export function browserRefusal() {
  return failure(
    "InvalidConfiguration",
    "remitkit/server holds the client secret and belongs on your server alone. A page imports remitkit, " +
      "and gets its token from there.",
  );
}

// Node has `process.versions.node`, even with jsdom, unlike the `process` that bundlers put into pages. A
// window of Electron has it too, and is a "renderer".
const { process } = globalThis;
const isNode = typeof process?.versions?.node === "string" && process.type !== "renderer";
const hasPage = typeof globalThis.window === "object" && typeof globalThis.document === "object";

if (!isNode && (hasPage || typeof globalThis.importScripts === "function")) throw browserRefusal();

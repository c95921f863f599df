// A reporter of Node's test runner: one JSON text, which lists each test that ran or was left out. A failed
// one has its message, unless it failed for a subtest alone.

import { stripVTControlCharacters } from "node:util";

export default async function* report(source) {
  const tests = [];
  /** The names of the tests that are running, each within the one before. */
  const names = [];
  for await (const { type, data } of source) {
    if (type === "test:start") names.splice(data.nesting, Infinity, data.name);
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite" && type === "test:pass") continue;
    const name = data.name;
    const within = names.slice(0, data.nesting);
    if (data.skip !== undefined || data.todo !== undefined) tests.push({ name, within, state: "skipped" });
    else if (type === "test:pass") tests.push({ name, within, state: "passed" });
    else tests.push({ name, within, state: "failed", message: messageOf(data.details?.error) });
  }
  yield JSON.stringify(tests);
}

/** Returns the error's own text: Node wraps what a test throws. */
function messageOf(error) {
  if (error?.failureType === "subtestsFailed") return undefined;
  const own = error?.cause ?? error;
  const text = own instanceof Error ? `${own.name}: ${own.message}` : String(own?.message ?? own);
  return stripVTControlCharacters(text);
}

import { test } from "node:test";
import { assertNextRuns } from "./next-app.mjs";

// Next's default bundler. The layer `matrix` has webpack, whose build takes three times as long.
test("Next with Turbopack: client component, server import and route handler", (t) =>
  assertNextRuns("--turbopack", t));

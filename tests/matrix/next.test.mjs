import { test } from "node:test";
import { assertNextRuns } from "../frontends/next-app.mjs";

test("Next with webpack: client component, server import and route handler", (t) =>
  assertNextRuns("--webpack", t));

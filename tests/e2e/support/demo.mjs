// The sandbox and the shop of this file, which are its own: faults and the clock are the sandbox's state.

import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { startDemo } from "../../../www/demo.mjs";
import { contractReport } from "./sandbox.mjs";

const missing = ["SANDBOX", "CHROMIUM", "OUTPUT_DIR"].filter((name) => !process.env[name]);
if (missing.length > 0) throw new Error(`\`cargo xtask test shop\` sets ${missing.join(", ")}`);

/** A program, and the folder for screenshots. */
export const { CHROMIUM, OUTPUT_DIR } = process.env;

/** Where to keep the exchanges for `cargo xtask coverage`, and the database. */
const { SANDBOX: program, TRAFFIC_DIR: traffic, DATABASE: database } = process.env;
const args = ["--contract", "--seed", "1"];
if (traffic) args.push("--traffic", join(traffic, `${basename(process.argv[1])}.jsonl`));
if (database) args.push("--db", database);
export const demo = await startDemo({ program, args });

/** Stops both, and asserts that all exchanges were as the interface's document says. */
export async function stopDemo() {
  const { on, total, violations } = await contractReport(demo.baseUrl);
  await demo.stop();
  assert.deepEqual({ on, total, violations }, { on: true, total: 0, violations: [] });
}

// Runs test files, each in a process of its own: so every failure belongs to a file, whichever module
// declares its tests. Prints each file's output once it ends, and adds its result to the file of results, a
// line of JSON.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a process may take to end once it is asked to, and its output to be closed. */
const GRACE_MS = 5_000;
const REPORTER = pathToFileURL(join(import.meta.dirname, "reporter.mjs")).href;

const options = ["results", "lanes", "seconds", "name"].map((name) => [name, { type: "string" }]);
const { values, positionals } = parseArgs({ options: Object.fromEntries(options), allowPositionals: true });
const folder = await mkdtemp(`${values.results}-`);
const queue = positionals.map((file, number) => ({ file, report: join(folder, `${number}.json`) }));
/** Alone, a file's output is shown as it comes. */
const isAlone = queue.length === 1;

async function lane() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const result = await run(next);
    if (!isAlone) process.stdout.write(`\n${next.file}:\n${result.output}`);
    const output = stripVTControlCharacters(result.output);
    await appendFile(values.results, `${JSON.stringify({ ...result, output })}\n`);
  }
}

async function run({ file, report }) {
  const to = "--test-reporter-destination";
  const reporters = ["--test-reporter=spec", `${to}=stdout`, `--test-reporter=${REPORTER}`, `${to}=${report}`];
  const pattern = values.name === undefined ? [] : [`--test-name-pattern=${patternOf(values.name)}`];
  const child = spawn(process.execPath, [...reporters, ...pattern, file], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (isAlone) process.stdout.write(text);
    });
  }
  let isLate = false;
  const late = setTimeout(async () => {
    isLate = true;
    child.kill();
    await sleep(GRACE_MS, undefined, { ref: false });
    child.kill("SIGKILL");
  }, Number(values.seconds) * 1_000);
  const closed = once(child, "close");
  const [code, signal] = await once(child, "exit");
  clearTimeout(late);
  // What the file started may hold its output open.
  await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
  const tests = await readFile(report, "utf8").then(JSON.parse).catch(() => []);
  return { file, tests, output, end: endOf({ isLate, code, signal }) };
}

/** Returns why the file's process failed, if it did. */
function endOf({ isLate, code, signal }) {
  if (isLate) return `it was not done after ${values.seconds} s`;
  if (signal) return `it was ended by ${signal}`;
  return code === 0 ? undefined : `it exited with ${code}`;
}

function patternOf(name) {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

try {
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
} finally {
  await rm(folder, { recursive: true, force: true });
}
// What is left over holds no one up.
process.exit();

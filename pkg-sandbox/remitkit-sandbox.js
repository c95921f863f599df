#!/usr/bin/env node
// Runs the sandbox's program for this platform, with the same arguments, output, signals and exit code.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const STOP_WITH_STDIN = "--stop-with-stdin";
const EXIT_BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function program() {
  if (process.env.REMITKIT_SANDBOX) {
    return process.env.REMITKIT_SANDBOX;
  }
  const name = `remitkit-sandbox-${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "remitkit-sandbox.exe" : "remitkit-sandbox";
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `the package ${name}, which has the program for this platform, is not installed. Install again without ` +
        "--omit=optional, or set REMITKIT_SANDBOX to a program that you have built.",
    );
  }
}

function run(args) {
  const own = args.filter((arg) => arg !== STOP_WITH_STDIN);
  // The program's end is tied to a pipe that only this process holds, so that it never outlives it, however it ends.
  const child = spawn(program(), [...own, STOP_WITH_STDIN], {
    stdio: ["pipe", "inherit", "inherit"],
    // Where it names this command, that would start itself without end.
    env: { ...process.env, REMITKIT_SANDBOX: "" },
  });
  child.stdin.on("error", () => {});
  if (own.length < args.length) {
    // A pipe closes at its end, a file does not.
    for (const event of ["end", "close", "error"]) {
      process.stdin.on(event, () => child.stdin.end());
    }
    process.stdin.resume();
  }
  for (const signal of Object.keys(EXIT_BY_SIGNAL)) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => fail(`${child.spawnfile} cannot be run: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? EXIT_BY_SIGNAL[signal] ?? 1));
}

function fail(message) {
  process.stderr.write(`remitkit-sandbox: ${message}\n`);
  process.exit(1);
}

try {
  run(process.argv.slice(2));
} catch (error) {
  fail(error.message);
}

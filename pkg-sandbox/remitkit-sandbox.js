#!/usr/bin/env node
// Runs this platform's sandbox binary, and passes on arguments, output, signals and the exit code.

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
      `the package ${name}, which has the program for this platform, is not installed. ` +
        "Install again without --omit=optional, or set REMITKIT_SANDBOX to a program that you have built.",
    );
  }
}

function run(args) {
  const own = args.filter((arg) => arg !== STOP_WITH_STDIN);
  // The child stops when its stdin closes, and only this process holds the pipe: the child never outlives it.
  const child = spawn(program(), [...own, STOP_WITH_STDIN], {
    stdio: ["pipe", "inherit", "inherit"],
    // If this variable named this command, it would start itself endlessly.
    env: { ...process.env, REMITKIT_SANDBOX: "" },
  });
  child.stdin.on("error", () => {});
  if (own.length < args.length) {
    // A pipe emits "close" at its end; a file emits only "end".
    for (const event of ["end", "close", "error"]) {
      process.stdin.on(event, () => child.stdin.end());
    }
    process.stdin.resume();
  }
  for (const signal of Object.keys(EXIT_BY_SIGNAL)) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    // Unless REMITKIT_SANDBOX is wrong, the program is there, and its loader is not.
    const hint = error.code === "ENOENT" ? " It needs glibc, which Alpine lacks: use an image such as node:22-slim." : "";
    fail(`${child.spawnfile} can't be run: ${error.message}.${hint}`);
  });
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

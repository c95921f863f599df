// The sandbox as npm installs it: one command, no Rust toolchain.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { emptyShop, npmInstall, ROOT, run, runModule, tarball } from "./packed.mjs";
import { hasEnded, isAlive } from "./testing.mjs";

// Otherwise the installed program would not be looked for.
delete process.env.REMITKIT_SANDBOX;

/** The packages under test: `REMITKIT_SANDBOX_PACKAGES`, or else those made by `cargo xtask pack`. */
const PACKAGES = process.env.REMITKIT_SANDBOX_PACKAGES || join(ROOT, "target/package-sandbox");
const PLATFORM = `remitkit-sandbox-${process.platform}-${process.arch}`;

const names = await readdir(PACKAGES).catch(() => []);
const tarballs = names.filter((name) => name.endsWith(".tgz")).map((name) => join(PACKAGES, name));
if (tarballs.length !== 2) {
  const advice = "run `cargo xtask pack`, or set REMITKIT_SANDBOX_PACKAGES";
  throw new Error(`${PACKAGES} has no two packages: ${advice}.`);
}

const folder = await emptyShop();
await npmInstall(folder, await tarball(), ...tarballs);
const modules = join(folder, "node_modules");
const COMMAND = join(modules, ".bin/remitkit-sandbox");
const ANY_PORTS = ["--port", "0", "--card-port", "0"];

async function firstLine(child) {
  const line = once(createInterface({ input: child.stdout }), "line");
  const end = once(child, "close").then(([code]) => [`ended with ${code} and printed nothing`]);
  return (await Promise.race([line, end]))[0];
}

/** Starts the installed command; `program` is the process that it started. */
async function started(...args) {
  const child = spawn(COMMAND, [...ANY_PORTS, "--json", ...args]);
  const end = once(child, "close");
  const addresses = JSON.parse(await firstLine(child));
  const { stdout } = await run("pgrep", ["-P", String(child.pid)]);
  return { child, end, addresses, program: Number(stdout) };
}

test("npx starts it and Ctrl-C ends it", async () => {
  const env = { ...process.env, npm_config_offline: "true" };
  const child = spawn("npx", ["remitkit-sandbox", ...ANY_PORTS], { cwd: folder, env, detached: true });
  const line = await firstLine(child);
  const [, url] = /^remitkit-sandbox is ready: (\S+)/.exec(line) ?? assert.fail(line);
  const answers = () => fetch(`${url}/sandbox/triggers`).then(({ ok }) => ok, () => false);
  assert.ok(await answers());
  // As a terminal does: to all processes of its group.
  process.kill(-child.pid, "SIGINT");
  await once(child, "close");
  for (const until = Date.now() + 30_000; await answers(); ) assert.ok(Date.now() < until);
});

test("remitkit/testing finds it", async () => {
  const script = `
    import { startSandbox } from "remitkit/testing";
    const sandbox = await startSandbox();
    console.log(JSON.stringify([(await sandbox.token()).token_type, sandbox.baseUrl]));
    await sandbox.stop();`;
  const [type, baseUrl] = await runModule(folder, script);
  assert.equal(type, "Bearer");
  assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:/);
});

test("signals, arguments and exit codes are passed on", async () => {
  for (const signal of ["SIGTERM", "SIGINT"]) {
    const { child, end, program } = await started();
    child.kill(signal);
    assert.deepEqual(await end, [0, null], signal);
    assert.ok(await hasEnded(program));
  }
  const { version } = JSON.parse(await readFile(join(modules, "remitkit/package.json"), "utf8"));
  // Also where the variable names the command itself.
  const env = { ...process.env, REMITKIT_SANDBOX: COMMAND };
  const { stdout } = await run(COMMAND, ["--version"], { env, timeout: 10_000 });
  assert.equal(stdout, `remitkit-sandbox ${version}\n`);
  const refused = await run(COMMAND, ["--nothing"]).catch((error) => error);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--nothing/);
});

test("it outlives its standard input unless told to stop with it", async () => {
  const free = await started();
  free.child.stdin.end();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(isAlive(free.program));
  free.child.kill("SIGTERM");
  await free.end;
  const tied = await started("--stop-with-stdin");
  tied.child.stdin.end();
  assert.deepEqual(await tied.end, [0, null]);
  const input = await open(join(folder, "package.json"));
  const options = { stdio: [input.fd, "ignore", "inherit"], timeout: 20_000, killSignal: "SIGKILL" };
  const reading = spawn(COMMAND, [...ANY_PORTS, "--stop-with-stdin"], options);
  assert.deepEqual(await once(reading, "close"), [0, null], "at the end of a file");
  await input.close();
});

test("killing the command also ends the program", async () => {
  const { child, program } = await started();
  child.kill("SIGKILL");
  assert.ok(await hasEnded(program), `${program} still runs`);
});

test("the packages hold only what they need, and pass publint", async () => {
  const files = async (name) => {
    const paths = await readdir(join(modules, name), { recursive: true });
    return paths.filter((path) => path !== "bin").sort();
  };
  const common = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  const selector = ["example.json", "package.json", "remitkit-sandbox.js"];
  assert.deepEqual(await files("remitkit-sandbox"), [...common, ...selector]);
  const own = ["THIRD-PARTY-LICENSES.txt", "bin/remitkit-sandbox", "package.json"];
  assert.deepEqual(await files(PLATFORM), [...common, ...own]);
  const notices = await readFile(join(modules, PLATFORM, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const crate of ["axum", "tokio", "serde_json", "rusqlite"]) {
    assert.match(notices, new RegExp(`^${crate} v\\d`, "m"));
  }
  const { mode } = await stat(join(modules, PLATFORM, "bin/remitkit-sandbox"));
  assert.equal(mode & 0o111, 0o111);
  for (const name of ["remitkit-sandbox", PLATFORM]) {
    const { messages, pkg } = await publint({ pkgDir: join(modules, name), strict: true, pack: false });
    assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
  }
});

test("packages have the SDK's version and declare their own platform", async () => {
  const manifest = async (name) => JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
  const { version } = await manifest("remitkit");
  const [chooser, platform] = [await manifest("remitkit-sandbox"), await manifest(PLATFORM)];
  assert.deepEqual([chooser.version, platform.version], [version, version]);
  assert.deepEqual(new Set(Object.values(chooser.optionalDependencies)), new Set([version]));
  assert.ok(PLATFORM in chooser.optionalDependencies);
  assert.deepEqual([platform.os, platform.cpu], [[process.platform], [process.arch]]);
  for (const { scripts, dependencies } of [chooser, platform]) {
    assert.deepEqual([scripts, dependencies], [undefined, undefined]);
  }
});

// The last: it breaks the installation.
test("without the platform's package it names what is missing", async () => {
  await rm(join(modules, PLATFORM), { recursive: true });
  const failed = await run(COMMAND, []).catch((error) => error);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, new RegExp(`^remitkit-sandbox: the package ${PLATFORM}.*--omit=optional`));
  const script = `
    import { startSandbox } from "remitkit/testing";
    console.log(JSON.stringify(await startSandbox().catch(({ code }) => code)));`;
  assert.equal(await runModule(folder, script), "InvalidConfiguration");
});

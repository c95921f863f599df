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
import { emptyShop, npmInstall, printed, ROOT, run, tarball } from "./packed.mjs";
import { hasEnded, isAlive } from "./testing.mjs";

// What is installed must be found by itself.
delete process.env.REMITKIT_SANDBOX;

/** The packages under test: `REMITKIT_SANDBOX_PACKAGES`, or else those made by `cargo xtask pack`. */
const PACKAGES = process.env.REMITKIT_SANDBOX_PACKAGES || join(ROOT, "target/package-sandbox");
const PLATFORM = `remitkit-sandbox-${process.platform}-${process.arch}`;

const names = await readdir(PACKAGES).catch(() => []);
const tarballs = names.filter((name) => name.endsWith(".tgz")).map((name) => join(PACKAGES, name));
if (tarballs.length !== 2) {
  throw new Error(
    `There are no packages of the sandbox in ${PACKAGES}: run \`cargo xtask pack\`, or set REMITKIT_SANDBOX_PACKAGES.`,
  );
}
const [platform, chooser] = tarballs.sort((one, other) => other.length - one.length);

const folder = await emptyShop();
await npmInstall(folder, await tarball(), platform, chooser);
const modules = join(folder, "node_modules");

const ANY_PORTS = ["--port", "0", "--card-port", "0"];

async function firstLine(child) {
  const line = once(createInterface({ input: child.stdout }), "line");
  const end = once(child, "close").then(([code]) => [`ended with ${code} and said nothing`]);
  return (await Promise.race([line, end]))[0];
}

/** The installed command, with its first line of output. */
async function started(...args) {
  const child = spawn(join(modules, ".bin/remitkit-sandbox"), [...ANY_PORTS, "--json", ...args]);
  const end = once(child, "close");
  const line = await firstLine(child);
  const { stdout } = await run("pgrep", ["-P", String(child.pid)]);
  return { child, end, addresses: JSON.parse(line), program: Number(stdout) };
}

test("npx starts it and Ctrl-C ends it", async () => {
  const env = { ...process.env, npm_config_offline: "true" };
  const child = spawn("npx", ["remitkit-sandbox", ...ANY_PORTS], { cwd: folder, env, detached: true });
  const line = await firstLine(child);
  const [, url] = /^remitkit-sandbox is ready: (\S+)/.exec(line) ?? assert.fail(line);
  assert.ok((await fetch(`${url}/sandbox/triggers`)).ok);
  // As a terminal does it: to all processes of its group.
  process.kill(-child.pid, "SIGINT");
  await once(child, "close");
  const gone = () => fetch(`${url}/sandbox/triggers`).then(() => false, () => true);
  for (const until = Date.now() + 10_000; !(await gone()); ) {
    assert.ok(Date.now() < until, "it still answers");
  }
});

test("remitkit/testing finds it", async () => {
  const addresses = await printed(
    folder,
    `
    import { startSandbox } from "remitkit/testing";
    const sandbox = await startSandbox();
    console.log(JSON.stringify({ token: Object.keys(await sandbox.token()), ...sandbox.toJSON() }));
    await sandbox.stop();`,
  );
  assert.match(addresses.baseUrl, /^http:\/\/127\.0\.0\.1:/);
  assert.ok(addresses.token.includes("access_token"));
});

test("signals, arguments and exit codes are passed on", async () => {
  for (const signal of ["SIGTERM", "SIGINT"]) {
    const { child, end, program } = await started();
    child.kill(signal);
    assert.deepEqual(await end, [0, null], signal);
    assert.ok(await hasEnded(program));
  }
  const { stdout } = await run(join(modules, ".bin/remitkit-sandbox"), ["--version"]);
  const { version } = JSON.parse(await readFile(join(modules, "remitkit/package.json"), "utf8"));
  assert.equal(stdout, `remitkit-sandbox ${version}\n`);
  const refused = await run(join(modules, ".bin/remitkit-sandbox"), ["--nothing"]).catch((error) => error);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--nothing/);
});

test("it outlives its standard input unless told to stop with it", async () => {
  const runs = await started();
  runs.child.stdin.end();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(isAlive(runs.program));
  runs.child.kill("SIGTERM");
  await runs.end;
  const tied = await started("--stop-with-stdin");
  tied.child.stdin.end();
  assert.deepEqual(await tied.end, [0, null]);
});

test("told to stop with its standard input it stops at the end of a file too", async () => {
  const input = await open(join(folder, "package.json"));
  const args = [...ANY_PORTS, "--stop-with-stdin"];
  const stdio = [input.fd, "ignore", "inherit"];
  const ends = { timeout: 20_000, killSignal: "SIGKILL" };
  const child = spawn(join(modules, ".bin/remitkit-sandbox"), args, { stdio, ...ends });
  assert.deepEqual(await once(child, "close"), [0, null]);
  await input.close();
});

test("the command named as its own program runs that of its platform", async () => {
  const command = join(modules, ".bin/remitkit-sandbox");
  const env = { ...process.env, REMITKIT_SANDBOX: command };
  const { stdout } = await run(command, ["--version"], { env, timeout: 10_000 });
  assert.match(stdout, /^remitkit-sandbox \d/);
});

test("killing the command also ends the program", async () => {
  const { child, program } = await started();
  child.kill("SIGKILL");
  assert.ok(await hasEnded(program), `${program} still runs`);
});

test("the packages hold only what they need, and pass publint", async () => {
  const files = async (name) =>
    (await readdir(join(modules, name), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(modules, name).length + 1))
      .sort();
  const common = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  assert.deepEqual(await files("remitkit-sandbox"), [...common, "package.json", "remitkit-sandbox.js"]);
  assert.deepEqual(await files(PLATFORM), [
    ...common,
    "THIRD-PARTY-LICENSES.txt",
    "bin/remitkit-sandbox",
    "package.json",
  ]);
  const notices = await readFile(join(modules, PLATFORM, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const crate of ["axum", "tokio", "serde_json", "rusqlite"]) {
    assert.match(notices, new RegExp(`^${crate} v\\d`, "m"));
  }
  const { mode } = await stat(join(modules, PLATFORM, "bin/remitkit-sandbox"));
  assert.equal(mode & 0o111, 0o111);
  for (const name of ["remitkit-sandbox", PLATFORM]) {
    const { messages, pkg } = await publint({ pkgDir: join(modules, name), strict: true, pack: false });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
  }
});

test("packages have the SDK's version and declare their own platform", async () => {
  const manifest = async (name) => JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
  const { version } = await manifest("remitkit");
  const [one, other] = await Promise.all([manifest("remitkit-sandbox"), manifest(PLATFORM)]);
  assert.deepEqual([one.version, other.version], [version, version]);
  assert.deepEqual(new Set(Object.values(one.optionalDependencies)), new Set([version]));
  assert.ok(PLATFORM in one.optionalDependencies);
  assert.deepEqual([other.os, other.cpu], [[process.platform], [process.arch]]);
  for (const { scripts, dependencies } of [one, other]) {
    assert.deepEqual([scripts, dependencies], [undefined, undefined]);
  }
});

// The last: it breaks the installation.
test("without the platform's package it names what is missing", async () => {
  await rm(join(modules, PLATFORM), { recursive: true });
  const failed = await run(join(modules, ".bin/remitkit-sandbox"), []).catch((error) => error);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, new RegExp(`^remitkit-sandbox: the package ${PLATFORM}.*--omit=optional`));
  const code = await printed(
    folder,
    `
    import { startSandbox } from "remitkit/testing";
    console.log(JSON.stringify(await startSandbox().catch(({ code }) => code)));`,
  );
  assert.equal(code, "InvalidConfiguration");
});

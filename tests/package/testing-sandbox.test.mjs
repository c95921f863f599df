import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { run, runModule } from "./packed.mjs";
import { assertRefused, errorOf, fileSandbox, hasEnded, installed, isAlive, PROGRAM } from "./testing.mjs";

const { connectSandbox, folder, isRemitError, sandboxSenders, startSandbox } = await installed();
const sandbox = await fileSandbox(startSandbox);

const scratch = await mkdtemp(join(tmpdir(), "remitkit-testing-"));
after(() => rm(scratch, { recursive: true, force: true }));

const QUOTE = new URLSearchParams({
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  srcCurrencyIso3Code: "USD",
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  amount: "10000",
});

async function ask(sandbox, path, { token, ...init } = {}) {
  const { access_token } = token ?? (await sandbox.token());
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  return fetch(sandbox.baseUrl + path, { ...init, headers });
}

const quote = (of) => ask(of, `/v1/quote?${QUOTE}`);

test("a sandbox gives its addresses and tokens its service accepts", async () => {
  const addresses = [sandbox.baseUrl, sandbox.cardUrl];
  for (const address of addresses) assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(new Set(addresses).size, 2);
  assert.equal(sandbox.senderId, sandboxSenders.person);
  assert.equal((await quote(sandbox)).status, 200);
  const token = await sandbox.token(sandboxSenders.business);
  assert.equal((await ask(sandbox, `/v1/senders/${sandboxSenders.business}`, { token })).status, 200);
  assert.ok((await sandbox.token(null)).access_token);
});

test("faults hit the requests they name and can be withdrawn, also from another process", async () => {
  const again = connectSandbox(JSON.parse(JSON.stringify(sandbox)));
  const waiting = await again.faults.add(
    { kind: "status", path: "/v1/quote", status: 429, retryAfterSeconds: 3 },
    { kind: "drop", path: "/v1/nonce" },
  );
  assert.deepEqual(waiting.map(({ kind }) => kind), ["status", "drop"]);
  const refused = await quote(sandbox);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3"]);
  assert.equal((await quote(sandbox)).status, 200);
  assert.equal((await sandbox.faults.list()).length, 1);
  await again.faults.clear();
  assert.equal((await ask(sandbox, "/v1/nonce")).status, 200);
  assert.equal(again.stop, undefined);
});

test("a refusal by the sandbox is an error in its own words", async () => {
  for (const [work, message] of [
    [() => sandbox.faults.add({ kind: "status", path: "nowhere" }), /path has to begin with/],
    [() => sandbox.clock.advance(1e15), /some twenty years/],
    [() => sandbox.setBalance(1, "nobody"), /clientId/],
    [() => sandbox.moveRate("XXX", 1), /currencyIso3Code/],
    [() => sandbox.cardSessions.next("moody"), /moody/],
    [() => sandbox.releaseTransfer("x"), /./],
  ]) {
    const error = await errorOf(work());
    assert.ok(isRemitError(error) && error.httpStatus >= 400);
    assert.equal(error.code, "InvalidRequest");
    assert.match(error.message, message);
  }
});

for (const end of ["stop", Symbol.asyncDispose].filter((name) => name !== undefined)) {
  test(`${String(end)} ends a sandbox, which then says so on use`, async () => {
    const one = await startSandbox();
    assert.ok(isAlive(one.pid));
    await Promise.all([one[end](), one[end]()]);
    assert.ok(!isAlive(one.pid));
    const { code, retryable } = await errorOf(one.transfers());
    assert.deepEqual([code, retryable], ["NetworkFailure", true]);
  });
}

test("a script that never stops its sandbox still ends, taking it along", { timeout: 30_000 }, async () => {
  const start = 'const { pid } = await (await import("remitkit/testing")).startSandbox(); console.log(pid);';
  const pid = await runModule(folder, start);
  assert.ok(await hasEnded(pid), `${pid} still runs`);
});

/** Writes a program of this shell script. */
async function programOf(script) {
  const program = join(scratch, "other");
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}

test("a failed start gives the program's own reason", async () => {
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address();
  const unusable = new RegExp(`status 1.*port ${port} on 127\\.0\\.0\\.1 can't be used`, "s");
  for (const [script, message] of [
    [undefined, unusable],
    ["echo hello", /does not announce itself/],
    ['echo \'{"baseUrl":"x"}\'; sleep 60', /does not announce itself/],
    ["echo broken >&2; exit 3", /status 3\.\nbroken/],
    ["kill -9 $$", /SIGKILL/],
  ]) {
    const options = script === undefined ? { port } : { program: await programOf(script) };
    const error = await errorOf(startSandbox(options));
    assert.deepEqual([isRemitError(error), error.code], [true, "InvalidConfiguration"]);
    assert.match(error.message, message);
  }
  taken.close();
});

test("a signal aborts a start", async () => {
  const file = join(scratch, "pid");
  const program = await programOf(`echo $$ > ${file}\nexec sleep 60`);
  const controller = new AbortController();
  const aborted = errorOf(startSandbox({ program, signal: controller.signal }));
  let pid = 0;
  for (; pid === 0; await sleep(10)) pid = Number(await readFile(file, "utf8").catch(() => 0));
  controller.abort();
  assert.equal((await aborted).code, "Aborted");
  assert.ok(await hasEnded(pid), `${pid} still runs`);
  assert.equal((await errorOf(startSandbox({ program, signal: AbortSignal.abort() }))).code, "Aborted");
  await assertRefused((signal) => startSandbox({ signal }), [["now", "signal"]]);
});

test("invalid options are refused by name before anything starts", async () => {
  for (const [options, option] of [
    [{ port: "4100" }, "port"],
    [{ port: 70_000 }, "port"],
    [{ cardPort: -1 }, "cardPort"],
    ...[1.5, -1, 2n ** 64n].map((seed) => [{ seed }, "seed"]),
    [{ db: "" }, "db"],
    [{ db: new URL("https://x.example") }, "db"],
    [{ frameAncestors: "http://localhost" }, "frameAncestors"],
    [{ controlOrigins: "http://localhost" }, "controlOrigins"],
    [{ program: "/no/such/program" }, "program"],
    [null, "options"],
  ]) {
    const error = await errorOf(startSandbox(options));
    assert.deepEqual([isRemitError(error), error.option], [true, option]);
  }
});

/** Starts a sandbox in a process with this environment; returns its program's path or the error. */
async function found(env) {
  const script = `
    import { startSandbox } from "remitkit/testing";
    import { readlink } from "node:fs/promises";
    const end = await startSandbox().then(
      async ({ pid }) => ({ program: await readlink("/proc/" + pid + "/exe") }),
      (error) => ({ code: error.code, option: error.option, message: error.message }),
    );
    console.log(JSON.stringify(end));`;
  const args = ["--input-type=module", "--eval", script];
  const environment = { ...process.env, REMITKIT_SANDBOX: "", ...env };
  return JSON.parse((await run(process.execPath, args, { cwd: folder, env: environment })).stdout);
}

const ON_LINUX = { skip: process.platform !== "linux" };

test("the program is found by variable, then npm package, then PATH", ON_LINUX, async () => {
  const platform = `remitkit-sandbox-${process.platform}-${process.arch}`;
  const missing = await found({ PATH: "/nowhere" });
  assert.deepEqual([missing.code, missing.option], ["InvalidConfiguration", "program"]);
  const ways = ["npm install --save-dev remitkit-sandbox", platform, "REMITKIT_SANDBOX", "cargo build"];
  for (const part of ways) {
    assert.ok(missing.message.includes(part), missing.message);
  }

  /** Copies the program into a folder; returns its path. */
  const install = async (place) => {
    await mkdir(place, { recursive: true });
    await copyFile(PROGRAM, join(place, "remitkit-sandbox"));
    return join(place, "remitkit-sandbox");
  };
  // As npm would have linked a package whose own dependency is missing.
  const scripts = join(scratch, "node_modules/.bin");
  await install(scripts);
  assert.equal((await found({ PATH: scripts })).code, "InvalidConfiguration");

  const tool = await install(join(scratch, "tools"));
  const PATH = [scripts, join(scratch, "tools")].join(delimiter);
  assert.equal((await found({ PATH })).program, tool);

  // As package managers with isolated dependencies do: only remitkit-sandbox sees the platform's package.
  const chooser = join(folder, "node_modules/remitkit-sandbox");
  const own = await install(join(chooser, "node_modules", platform, "bin"));
  await writeFile(join(chooser, "package.json"), '{ "name": "remitkit-sandbox" }');
  await writeFile(join(own, "../../package.json"), `{ "name": "${platform}" }`);
  assert.equal((await found({ PATH })).program, own);
  assert.equal((await found({ PATH, REMITKIT_SANDBOX: tool })).program, tool);
});

test("a program whose loader is missing is told from one that is missing", async () => {
  const program = join(folder, "needs-glibc");
  await writeFile(program, "#!/lib64/no-such-loader\n", { mode: 0o755 });
  const { code, message } = await errorOf(startSandbox({ program }));
  assert.equal(code, "InvalidConfiguration");
  assert.match(message, /needs glibc, which Alpine/);
});

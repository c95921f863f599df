import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { printed } from "./packed.mjs";
import { PROGRAM, errorOf, fileSandbox, hasEnded, installed, isAlive } from "./testing.mjs";

const { connectSandbox, folder, isRemitError, sandboxSenders, startSandbox } = await installed();
const sandbox = await fileSandbox(startSandbox);

const scratch = await mkdtemp(join(tmpdir(), "remitkit-testing-"));
after(() => rm(scratch, { recursive: true, force: true }));

const QUOTE = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  srcCurrencyIso3Code: "USD",
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  amount: "10000",
};

async function ask(of, path, init = {}) {
  const { access_token } = await of.token();
  return fetch(of.baseUrl + path, { ...init, headers: { authorization: `Bearer ${access_token}` } });
}

const quote = (of) => ask(of, `/v1/quote?${new URLSearchParams(QUOTE)}`);

test("a sandbox gives its addresses and tokens its service accepts", async () => {
  assert.match(sandbox.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(sandbox.cardUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.notEqual(sandbox.baseUrl, sandbox.cardUrl);
  assert.equal(sandbox.senderId, sandboxSenders.person);
  assert.equal((await quote(sandbox)).status, 200);
  const { access_token: business } = await sandbox.token(sandboxSenders.business);
  const own = await fetch(`${sandbox.baseUrl}/v1/senders/${sandboxSenders.business}`, {
    headers: { authorization: `Bearer ${business}` },
  });
  assert.equal(own.status, 200);
  assert.ok((await sandbox.token(null)).access_token);
});

test("its clock advances on request, and only a reset sets it back", async () => {
  const before = await sandbox.clock.now();
  const { access_token } = await sandbox.token();
  const after = await sandbox.clock.advance(2 * 3_600_000);
  assert.ok(Math.abs(after - before - 7_200_000) < 60_000, `${before} ${after}`);
  const stale = await fetch(`${sandbox.baseUrl}/v1/nonce`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  assert.equal(stale.status, 401, "a token of before has ended");
  await sandbox.reset();
  assert.ok((await sandbox.clock.now()) - before < 60_000);
});

test("faults hit the requests they name and can be withdrawn", async () => {
  const waiting = await sandbox.faults.add(
    { kind: "status", path: "/v1/quote", status: 429, retryAfterSeconds: 3 },
    { kind: "drop", path: "/v1/nonce" },
  );
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ["status", "drop"],
  );
  const refused = await quote(sandbox);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3"]);
  assert.equal((await quote(sandbox)).status, 200);
  assert.equal((await sandbox.faults.list()).length, 1);
  await sandbox.faults.clear();
  assert.equal((await ask(sandbox, "/v1/nonce")).status, 200);
});

test("the request log can start at any number and be cleared", async () => {
  await sandbox.forgetRequests();
  await quote(sandbox);
  const all = await sandbox.requests();
  assert.deepEqual(
    all.map(({ method, route, status }) => [method, route, status]),
    [
      ["POST", "/v1/oauth/token", 200],
      ["GET", "/v1/quote", 200],
    ],
  );
  assert.deepEqual(await sandbox.requests({ after: all[0].number }), [all[1]]);
  assert.ok(!JSON.stringify(all).includes(sandbox.clientSecret));
  await sandbox.forgetRequests();
  assert.deepEqual(await sandbox.requests(), []);
});

test("each card session behaves as instructed", async () => {
  await sandbox.cardSessions.next("expired", "silent");
  const { access_token } = await sandbox.token();
  for (let made = 0; made < 3; made += 1) {
    await fetch(`${sandbox.baseUrl}/v1/card-onboarding-sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      body: '{"entityMode":"RECIPIENT"}',
    });
  }
  const sessions = await sandbox.cardSessions.list();
  assert.deepEqual(
    sessions.map(({ behaviour }) => behaviour).reverse(),
    ["expired", "silent", "normal"],
  );
  await sandbox.reset();
});

test("a refusal by the sandbox is an error in its own words", async () => {
  for (const [work, said] of [
    [() => sandbox.faults.add({ kind: "status", path: "nowhere" }), /path has to begin with/],
    [() => sandbox.clock.advance(1e15), /some twenty years/],
    [() => sandbox.setBalance(1, "nobody"), /clientId/],
    [() => sandbox.moveRate("XXX", 1), /currencyIso3Code/],
    [() => sandbox.cardSessions.next("moody"), /moody/],
    [() => sandbox.releaseTransfer("x"), /./],
  ]) {
    const error = await errorOf(work());
    assert.ok(isRemitError(error));
    assert.equal(error.code, "InvalidRequest");
    assert.ok(error.httpStatus >= 400);
    assert.match(error.message, said);
  }
});

test("sandboxes with the same seed give the same identifiers", async () => {
  const ids = await Promise.all(
    [7, 7n, 8].map(async (seed) => {
      const one = await startSandbox({ seed });
      const { quoteHistoryId } = await (await quote(one)).json();
      await one.stop();
      return quoteHistoryId;
    }),
  );
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
});

test("with a file, records survive a restart", async () => {
  const db = pathToFileURL(join(scratch, "shop file.db"));
  const first = await startSandbox({ db });
  const now = await first.clock.advance(86_400_000);
  await first.stop();
  const second = await startSandbox({ db });
  assert.ok((await second.clock.now()) >= now);
  await second.stop();
});

test("a stopped sandbox has ended and says so on use", async () => {
  const one = await startSandbox();
  assert.ok(isAlive(one.pid));
  await Promise.all([one.stop(), one.stop()]);
  assert.ok(!isAlive(one.pid));
  const error = await errorOf(one.transfers());
  assert.deepEqual([error.code, error.retryable], ["NetworkFailure", true]);
});

test("it can be disposed of", { skip: Symbol.asyncDispose === undefined }, async () => {
  const one = await startSandbox();
  await one[Symbol.asyncDispose]();
  assert.ok(!isAlive(one.pid));
});

const START = `
  import { startSandbox } from "remitkit/testing";
  const { pid } = await startSandbox();
  process.stdout.write(JSON.stringify(pid) + "\\n");`;

test("a script that never stops its sandbox still ends, taking it along", { timeout: 30_000 }, async () => {
  const pid = await printed(folder, START);
  assert.ok(await hasEnded(pid), `${pid} still runs`);
});

test("killing a process ends its sandbox", async () => {
  const script = `${START} setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
  const [chunk] = await once(parent.stdout, "data");
  const pid = Number(chunk);
  assert.ok(isAlive(pid));
  parent.kill("SIGKILL");
  assert.ok(await hasEnded(pid), `${pid} still runs`);
});

test("a failed start gives the program's own reason", async () => {
  const taken = createServer();
  await new Promise((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address();
  const error = await errorOf(startSandbox({ port }));
  taken.close();
  assert.ok(isRemitError(error));
  assert.equal(error.code, "InvalidConfiguration");
  assert.match(error.message, new RegExp(`status 1.*port ${port} on 127\\.0\\.0\\.1 can't be used`, "s"));
});

test("a program that is not a sandbox is detected", async () => {
  const program = join(scratch, "other");
  for (const [script, said] of [
    ["echo hello", /does not announce itself/],
    ['echo \'{"baseUrl":"x"}\'; sleep 60', /does not announce itself/],
    ["echo broken >&2; exit 3", /status 3\.\nbroken/],
    ["kill -9 $$", /SIGKILL/],
  ]) {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    const error = await errorOf(startSandbox({ program }));
    assert.equal(error.code, "InvalidConfiguration");
    assert.match(error.message, said);
  }
});

test("a signal aborts a start", async () => {
  const program = join(scratch, "slow");
  await writeFile(program, "#!/bin/sh\necho $$ >&2\nexec sleep 60\n");
  await chmod(program, 0o755);
  const error = await errorOf(startSandbox({ program, signal: AbortSignal.timeout(200) }));
  assert.deepEqual([error.code, error.kind], ["Aborted", "aborted"]);
  assert.equal((await errorOf(startSandbox({ signal: AbortSignal.abort() }))).kind, "aborted");
  assert.equal((await errorOf(startSandbox({ signal: "now" }))).option, "signal");
});

test("invalid options are refused by name before anything starts", async () => {
  for (const [options, option] of [
    [{ port: "4100" }, "port"],
    [{ port: 70_000 }, "port"],
    [{ cardPort: -1 }, "cardPort"],
    [{ seed: 1.5 }, "seed"],
    [{ seed: -1 }, "seed"],
    [{ seed: 2n ** 64n }, "seed"],
    [{ db: "" }, "db"],
    [{ db: new URL("https://x.example") }, "db"],
    [{ frameAncestors: "http://localhost" }, "frameAncestors"],
    [{ controlOrigins: "http://localhost" }, "controlOrigins"],
    [{ program: "/no/such/program" }, "program"],
    [null, "options"],
  ]) {
    const error = await errorOf(startSandbox(options));
    assert.ok(isRemitError(error), String(error));
    assert.equal(error.option, option);
  }
});

/** Starts a sandbox in a process with this environment; gives its program's path or the error. */
function found(cwd, env) {
  const script = `
    import { startSandbox } from "remitkit/testing";
    import { readlink } from "node:fs/promises";
    const end = await startSandbox().then(
      async ({ pid }) => ({ program: await readlink("/proc/" + pid + "/exe") }),
      (error) => ({ code: error.code, option: error.option, message: error.message }),
    );
    console.log(JSON.stringify(end));`;
  const flags = Object.entries({ REMITKIT_SANDBOX: "", ...env }).map(([name, value]) => `${name}=${value}`);
  return new Promise((resolve, reject) => {
    const child = spawn(
      "env",
      [...flags, process.execPath, "--input-type=module", "--eval", script],
      { cwd, stdio: ["ignore", "pipe", "inherit"] },
    );
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", reject).on("close", () => resolve(JSON.parse(text)));
  });
}

const ON_LINUX = { skip: process.platform !== "linux" };

test("the program is found by variable, then npm package, then PATH", ON_LINUX, async () => {
  const platform = `remitkit-sandbox-${process.platform}-${process.arch}`;
  const missing = await found(folder, { PATH: "/nowhere" });
  assert.deepEqual([missing.code, missing.option], ["InvalidConfiguration", "program"]);
  for (const said of ["npm install --save-dev remitkit-sandbox", platform, "REMITKIT_SANDBOX", "cargo build"]) {
    assert.ok(missing.message.includes(said), missing.message);
  }

  // As npm would have linked a package whose own dependency is missing.
  const scripts = join(scratch, "node_modules/.bin");
  await mkdir(scripts, { recursive: true });
  await copyFile(PROGRAM, join(scripts, "remitkit-sandbox"));
  assert.equal((await found(folder, { PATH: scripts })).code, "InvalidConfiguration");

  const tools = join(scratch, "tools");
  await mkdir(tools);
  await copyFile(PROGRAM, join(tools, "remitkit-sandbox"));
  const path = [scripts, tools].join(delimiter);
  assert.equal((await found(folder, { PATH: path })).program, join(tools, "remitkit-sandbox"));

  // As package managers with isolated dependencies do: only remitkit-sandbox sees the platform's package.
  const chooser = join(folder, "node_modules/remitkit-sandbox");
  const bin = join(chooser, "node_modules", platform, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(chooser, "package.json"), '{ "name": "remitkit-sandbox" }');
  await writeFile(join(bin, "../package.json"), `{ "name": "${platform}" }`);
  await copyFile(PROGRAM, join(bin, "remitkit-sandbox"));
  assert.equal((await found(folder, { PATH: path })).program, join(bin, "remitkit-sandbox"));
  const named = { PATH: path, REMITKIT_SANDBOX: join(tools, "remitkit-sandbox") };
  assert.equal((await found(folder, named)).program, join(tools, "remitkit-sandbox"));
});

test("another process can control it by its addresses alone", async () => {
  const again = connectSandbox(JSON.parse(JSON.stringify(sandbox)));
  await again.faults.add({ kind: "drop", path: "/v1/quote" });
  assert.equal((await sandbox.faults.list()).length, 1);
  await again.faults.clear();
  assert.equal(again.stop, undefined);
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { listening, ROOT, run, runModule } from "./packed.mjs";
import { samplesOf } from "./samples.mjs";
import { assertRefused, errorOf, fileSandbox, hasEnded, installed, isAlive, PROGRAM } from "./testing.mjs";

const { connectSandbox, folder, isRemitError, load, sandboxSenders, startSandbox } = await installed();
const { createWebhookReceiver } = await load("server.js");
const { createRemitKit } = await load("inline.js");
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

/** Sends a hundred dollars to a bank account; returns the transfer. */
async function transfer(of) {
  const init = (body) => ({ method: "POST", body: JSON.stringify(body) });
  const post = async (path, body) => (await ask(of, path, init(body))).json();
  const route = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
  const price = { ...route, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 10_000 };
  const { quoteHistoryId } = await (await ask(of, `/v1/quote?${new URLSearchParams(price)}`)).json();
  const fields = (values) => Object.entries(values).map(([id, value]) => ({ id, value }));
  const person = fields({ firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Av. Juárez 12" });
  const bank = fields({ BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" });
  const { recipientId } = await post("/v1/recipients", { ...route, userType: "PERSON", fields: person });
  const account = await post(`/v1/recipients/${recipientId}/accounts`, { ...route, fields: bank });
  const { recipientAccountId } = account;
  const made = await post("/v1/transfers", { ...price, quoteHistoryId, recipientId, recipientAccountId });
  assert.ok(made.transferId, JSON.stringify(made));
  return made;
}

const PARAGUAY = { dstCountryIso3Code: "PRY", dstCurrencyIso3Code: "PYG", transferMethod: "BANK_ACCOUNT" };
const EXAMPLE = join(ROOT, "pkg-sandbox/example.json");

test("a service of one's own is quoted, filled in and paid to through the package", async () => {
  const example = JSON.parse(await readFile(EXAMPLE, "utf8"));
  for (const config of [EXAMPLE, pathToFileURL(EXAMPLE), example]) {
    const own = await startSandbox({ config, contract: true });
    const { baseUrl, cardUrl } = own;
    const remit = await createRemitKit({ baseUrl, cardUrl, token: () => own.token() });
    const price = { ...PARAGUAY, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 10_000 };

    const person = await remit.recipientFields({ ...PARAGUAY, recipientType: "PERSON" });
    const codes = (form, values) => form.check(values).map(({ fieldId, code }) => `${fieldId} ${code}`);
    const values = { firstName: "Ana", lastName: "Rojas", RUC: "1234567-8" };
    assert.deepEqual(codes(person, { ...values, RUC: "12" }), ["RUC ValueRegexFailure"]);
    const { recipientId } = await remit.createRecipient({ ...PARAGUAY, fields: person.toFields(values) });

    const bank = await remit.recipientAccountFields({ ...PARAGUAY, recipientType: "PERSON" });
    const [first] = await bank.options("BANK_ID", {});
    assert.equal(first.name, "Banco del Este");
    const account = { BANK_ID: first.id, BANK_ACCOUNT_TYPE: "SAVINGS", BANK_ACCOUNT_NUMBER: "12345678" };
    assert.deepEqual(codes(bank, account), ["SAVINGS_PLAN MissingRequiredField"]);
    const wrong = { ...account, BANK_ACCOUNT_TYPE: "CURRENT", BANK_ACCOUNT_NUMBER: "00000000" };
    const refused = await errorOf(remit.createRecipientAccount(recipientId, { ...PARAGUAY, fields: Object.entries(wrong).map(([id, value]) => ({ id, value })) }));
    assert.equal(refused.code, "ValueRegexFailure");
    const fields = bank.toFields({ ...account, SAVINGS_PLAN: "P001" });
    const { recipientAccountId } = await remit.createRecipientAccount(recipientId, { ...PARAGUAY, fields });

    const { quoteHistoryId, receiveAmount } = await remit.quote(price);
    assert.equal(receiveAmount.currency.name, "Guaraní");
    const made = await remit.transfer({ ...price, quoteHistoryId, recipientId, recipientAccountId });
    assert.equal(made.quote.destinationCountry.name, "Paraguay");
    const contract = await (await fetch(`${baseUrl}/sandbox/contract`)).json();
    assert.deepEqual(contract.violations, []);
    remit.destroy();
    await own.stop();
  }
});

test("corridors and cards can be added while it runs, until a reset", async () => {
  const own = await startSandbox();
  const { currencies, countries } = JSON.parse(await readFile(EXAMPLE, "utf8"));
  const before = await (await ask(own, "/v1/corridors")).json();
  const added = await own.addCorridors({ currencies, countries });
  assert.equal(added.length, before.length + 2);
  await own.addCard({ number: "4242424242424242", result: "fail", code: "CardNotSupported" });
  const { testCards } = await (await fetch(`${own.baseUrl}/sandbox/triggers`)).json();
  assert.deepEqual(testCards.at(-1).code, "CardNotSupported");
  const { code, message } = await errorOf(own.addCard({ number: "4242", result: "fail" }));
  assert.equal(code, "InvalidRequest");
  assert.match(message, /card 4242: number has to be 13 to 19 digits/);
  await own.reset();
  assert.deepEqual(await (await ask(own, "/v1/corridors")).json(), before);
  await own.stop();
});

test("a configuration that is wrong is refused by what is wrong in it", async () => {
  for (const [config, reason] of [
    [{ countries: [{ name: "Testland" }] }, /countries\[0\]: missing field `iso3Code`/],
    [{ patterns: { P: "[" } }, /patterns\.P: the sandbox cannot match this pattern/],
    [{ cuontries: [] }, /unknown field `cuontries`, expected one of/],
    ["/no/such/file.json", /could not be read/],
    [7, /config must be/],
  ]) {
    const { code, message } = await errorOf(startSandbox({ config }));
    assert.equal(code, "InvalidConfiguration");
    assert.match(message, reason);
  }
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith("remitkit-sandbox-"));
  assert.deepEqual(left, []);
});

test("webhooks reach the package's receiver: by themselves, twice, and with a bad key", async () => {
  const events = [];
  const errors = [];
  const receive = createWebhookReceiver({
    apiKey: "whk_1",
    onTransferStatus: (event) => void events.push(event),
    onError: (error) => errors.push(error.code),
  });
  const url = await listening(createHttpServer(receive));
  const webhook = { url, key: "whk_1" };
  const one = await startSandbox({ webhook, now: "2026-01-31T09:00:00Z", frozen: true });
  const { transferId } = await transfer(one);
  while (events.length < 1) await sleep(20);
  await one.clock.advance(86_400_000);
  while (events.length < 3) await sleep(20);
  assert.deepEqual(events.map(({ Status }) => Status), ["Initiated", "Pending", "Complete"]);
  assert.match(events[0].StatusChangedDate, /^2026-01-31T09:00:00/);
  const answers = async (options) => {
    const deliveries = await one.webhooks.deliver(transferId, options);
    return deliveries.map(({ status }) => status);
  };
  assert.deepEqual(await answers({ times: 2, letterCase: "upper" }), [200, 200]);
  assert.deepEqual(await answers({ key: "wrong" }), [401]);
  assert.deepEqual([events.length, errors], [3, ["Unauthorized"]], "a duplicate is not processed again");
  const sent = await one.webhooks.list();
  assert.deepEqual([sent.length, sent[0].event], [6, events[0]]);
  await one.stop();
});

test("a transfer fails on request; snapshots and a frozen clock make tests repeatable", async () => {
  const one = await startSandbox({ now: new Date("2026-01-31T09:00:00Z"), frozen: true });
  const { transferId } = await transfer(one);
  const before = await one.snapshot();
  await one.failTransfer(transferId, { reason: "ACCOUNT_CLOSED", afterSeconds: 60 });
  await one.clock.set("2026-01-31T09:02:00Z");
  const [{ status, reason, held, systemHoldUntil }] = await one.transfers();
  assert.deepEqual([status, reason, held, systemHoldUntil], ["Failed", "ACCOUNT_CLOSED", false, null]);
  await one.restore(before);
  assert.equal((await one.transfers())[0].status, "Initiated");
  assert.deepEqual(await one.clock.now(), new Date("2026-01-31T09:00:00Z"));
  await one.clock.resume();
  await sleep(20);
  assert.ok((await one.clock.freeze()) > new Date("2026-01-31T09:00:00Z"));
  await one.stop();
});

test("a stopped sandbox's file can be copied, and a second sandbox cannot have it", async () => {
  const db = join(scratch, "shop.db");
  const first = await startSandbox({ db });
  const { transferId } = await transfer(first);
  assert.match((await errorOf(startSandbox({ db }))).message, /in use by another sandbox/);
  await first.stop();
  await copyFile(db, join(scratch, "copy.db"));
  const copy = await startSandbox({ db: join(scratch, "copy.db") });
  assert.deepEqual((await copy.transfers()).map((one) => one.transferId), [transferId]);
  await copy.stop();
});

test("a sandbox that listens on all addresses answers by them, and not to unknown names", async () => {
  const one = await startSandbox({ listen: "0.0.0.0", hosts: ["sandbox"] });
  const all = Object.values(networkInterfaces()).flat();
  const other = all.find(({ family, internal }) => family === "IPv4" && !internal);
  const address = other?.address ?? "127.0.0.1";
  const { port } = new URL(one.baseUrl);
  const statusFor = async (host) => {
    const request = httpRequest({ host: address, port, path: "/sandbox/clock", headers: { host } });
    const [reply] = await once(request.end(), "response");
    return reply.resume().statusCode;
  };
  const hosts = [`sandbox:${port}`, `${address}:${port}`, "192.168.77.7", "evil.example"];
  assert.deepEqual(await Promise.all(hosts.map(statusFor)), [200, 200, 200, 403]);
  await one.stop();
});

/** The samples of the sandbox's README under a heading. */
async function readmeOf(heading, language) {
  const samples = await samplesOf(join(ROOT, "pkg-sandbox/README.md"), [language]);
  return samples.filter((sample) => sample.heading === heading).map(({ code }) => code);
}

test("the README's curl command and its recipe for containers work", async () => {
  const [curl] = await readmeOf("Control endpoints", "sh");
  const before = await sandbox.clock.now();
  await run("sh", ["-c", curl.replace("http://127.0.0.1:4100", sandbox.baseUrl)]);
  assert.ok((await sandbox.clock.now()) - before >= 86_400_000);
  await sandbox.reset();

  // What the container runs, on ports of this machine that are free.
  const recipes = "Containers, CI services and phones";
  const [, entry] = /^ENTRYPOINT (\[.*\])$/m.exec(await readmeOf(recipes, "dockerfile"));
  const [compose] = await readmeOf(recipes, "yaml");
  const [, command] = /command: \[(.*)\]$/m.exec(compose);
  const args = command.split(", ").map((word) => word.replaceAll('"', ""));
  const [name, ...first] = JSON.parse(entry);
  assert.equal(name, "remitkit-sandbox");
  const child = spawn(PROGRAM, [...first, ...args, "--port", "0", "--card-port", "0", "--stop-with-stdin"]);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const [, port] = /is ready: http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
  // As the other container calls it; `fetch` sets no Host.
  const tokenFor = async (host) => {
    const headers = { host, "content-type": "application/json" };
    const request = httpRequest({ port, path: "/v1/oauth/token", method: "POST", headers });
    const client = { client_id: sandbox.clientId, client_secret: sandbox.clientSecret };
    const body = { ...client, audience: `http://${host}`, grant_type: "client_credentials" };
    const [reply] = await once(request.end(JSON.stringify(body)), "response");
    return JSON.parse(Buffer.concat(await reply.toArray()).toString()).token_type;
  };
  assert.deepEqual([await tokenFor("sandbox:4100"), await tokenFor("other:4100")], ["Bearer", undefined]);
  const [, health] = /--eval, "(.*)"\]$/m.exec(compose);
  await run(process.execPath, ["--eval", health.replace("4100", port)]);
  child.stdin.end();
  await once(child, "close");
});

test("a refusal by the sandbox is an error in its own words", async () => {
  for (const [work, message] of [
    [() => sandbox.faults.add({ kind: "status", path: "nowhere" }), /path has to begin with/],
    [() => sandbox.clock.advance(1e15), /some twenty years/],
    [() => sandbox.setBalance(1, "nobody"), /clientId/],
    [() => sandbox.moveRate("XXX", 1), /currencyIso3Code/],
    [() => sandbox.faults.add({ kind: "drop", path: "/v1/qoute" }), /no route is \/v1\/qoute/],
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
    [{ prot: 4100 }, "prot"],
    [{ webhook: { url: "http://127.0.0.1:1", key: "k", automatik: false } }, "webhook.automatik"],
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

// The sandbox under load, compared with a mock that Prism makes of its document; and the sandbox's memory
// over many requests.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Service } from "../../chaos/service.mjs";
import { freePort } from "../../local-server.mjs";
import { fetchSenderToken } from "../../sender-token.mjs";
import { FILLED_BY } from "../figures.mjs";
import { medianOf, summaryOf } from "../statistics.mjs";

const KINDS = ["quotes", "transfers", "sessions"];
const CONNECTIONS = 32;
/** The number of memory samples. */
const SAMPLES = 20;
const START_MS = 60_000;

/** Runs one job of the generator in its own process. */
async function generate(job) {
  const script = join(import.meta.dirname, "generator.mjs");
  const args = [script, JSON.stringify({ connections: CONNECTIONS, ...job })];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** Measures the requests a second of both servers, which take turns, by kind. */
export async function compareLoad({ program, rounds, milliseconds, chance, say }) {
  const servers = { sandbox: await startSandbox(program) };
  try {
    servers.mock = await startMock(servers.sandbox.target);
    const found = Object.fromEntries(KINDS.map((kind) => [kind, { sandbox: [], mock: [] }]));
    // Warm up.
    for (const { target } of Object.values(servers)) {
      for (const kind of KINDS) await generate({ target, kind, milliseconds: milliseconds / 4 });
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const kind of KINDS) {
        for (const name of chance.happens(50) ? ["sandbox", "mock"] : ["mock", "sandbox"]) {
          const { target, cpu } = servers[name];
          const before = await cpu();
          const run = await generate({ target, kind, milliseconds });
          found[kind][name].push({ ...run, cpuMs: ((await cpu()) - before) / run.done });
        }
      }
      say(`load: round ${round} of ${rounds}`);
    }
    return Object.fromEntries(KINDS.map((kind) => [kind, loadOf(found[kind])]));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

function loadOf(runs) {
  const median = (name, member) => medianOf(runs[name].map((run) => run[member]));
  const of = (name) => {
    const [perSecond, generator] = [median(name, "perSecond"), median(name, "utilization")];
    return { perSecond, generator, cpuMs: median(name, "cpuMs") };
  };
  const [sandbox, mock] = [of("sandbox"), of("mock")];
  const ratios = runs.sandbox.map((run, at) => run.perSecond / runs.mock[at].perSecond);
  const compared = { ...summaryOf(ratios), ours: sandbox.perSecond, theirs: mock.perSecond };
  return { sandbox, mock, compared };
}

/** Samples the sandbox's memory while it answers quotes, which a checkout asks for most. */
export async function watchMemory({ program, requests, say }) {
  const { target, memory, stop } = await startSandbox(program);
  try {
    const samples = [];
    const first = Math.min(FILLED_BY, requests / 2);
    const part = Math.max(1, Math.floor((requests - first) / SAMPLES));
    for (let done = 0; done < requests; ) {
      const count = done === 0 ? first : part;
      await generate({ target, kind: "quotes", count });
      done += count;
      samples.push({ requests: done, bytes: await memory() });
    }
    say(`memory of the sandbox: ${requests} requests`);
    return { requests, samples, grownBytes: samples.at(-1).bytes - samples[0].bytes };
  } finally {
    await stop();
  }
}

async function startSandbox(program) {
  const args = ["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const line = once(createInterface(child.stdout), "line");
  const ready = JSON.parse((await Promise.race([line, failure(child, "the sandbox")]))[0]);
  const { hostname: host, port } = new URL(ready.baseUrl);
  const { access_token: token } = await fetchSenderToken(ready);
  const recipient = await (await Service.open(ready)).makeRecipient();
  const target = { host, port: Number(port), token, ...recipient };
  return serverOf(child, target, () => child.stdin.end());
}

/** Starts Prism over a sandbox's document, without its log: writing it would cost more than answering. */
async function startMock({ host, port: sandboxPort }) {
  const cli = join(import.meta.dirname, "node_modules/@stoplight/prism-cli/dist/index.js");
  const document = `http://${host}:${sandboxPort}/sandbox/openapi.json`;
  const port = await freePort();
  const args = [cli, "mock", "--port", String(port), "--verboseLevel", "silent", document];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const target = { host: "127.0.0.1", port, token: "token" };
  await Promise.race([answers(target), failure(child, "the mock")]);
  return serverOf(child, target, () => child.kill());
}

function serverOf(child, target, end) {
  return {
    target,
    memory: () => residentBytes(child.pid),
    cpu: () => cpuMilliseconds(child.pid),
    async stop() {
      end();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

async function answers({ host, port, token }) {
  const headers = { authorization: `Bearer ${token}` };
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    const reply = await fetch(`http://${host}:${port}/v1/nonce`, { headers }).catch(() => undefined);
    if (reply?.ok) return;
  }
  throw new Error("the mock was not ready in time");
}

async function failure(child, name) {
  const [status] = await once(child, "exit");
  throw new Error(`${name} ended with status ${status}`);
}

/** Returns the resident memory of a process; undefined on a system without /proc. */
async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1024 : undefined;
}

/** Returns the processor time of a process; undefined on a system without /proc. */
async function cpuMilliseconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Fields 14 and 15, in hundredths of a second; the name before them may contain anything.
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return system === undefined ? undefined : (Number(user) + Number(system)) * 10;
}

// The sandbox, and a mock made of its own document by Prism.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Service } from "../../chaos/service.mjs";
import { fetchSenderToken } from "../../sender-token.mjs";

const START_MS = 60_000;

/** A running sandbox; `stop` ends it. */
export async function startSandbox(program) {
  const child = spawn(program, ["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), failed(child, "the sandbox")]);
  const ready = JSON.parse(line);
  const { access_token: token } = await fetchSenderToken(ready);
  return {
    target: { ...addressOf(ready.baseUrl), token, ...(await (await Service.open(ready)).makeRecipient()) },
    memory: () => residentBytes(child.pid),
    cpu: () => cpuMilliseconds(child.pid),
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/**
 * Starts Prism over the document of the sandbox at an address; `stop` ends it. Its log is off: logging each
 * request would cost more than answering it.
 */
export async function startMock({ host, port: ofSandbox }) {
  const cli = join(import.meta.dirname, "node_modules/@stoplight/prism-cli/dist/index.js");
  const document = `http://${host}:${ofSandbox}/sandbox/openapi.json`;
  const port = await freePort();
  const child = spawn(process.execPath, [cli, "mock", "--port", String(port), "--verboseLevel", "silent", document], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const target = { host: "127.0.0.1", port, token: "token" };
  await Promise.race([answers(target), failed(child, "the mock")]);
  return {
    target,
    memory: () => residentBytes(child.pid),
    cpu: () => cpuMilliseconds(child.pid),
    stop: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

async function answers({ host, port, token }) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    const headers = { authorization: `Bearer ${token}` };
    if (await fetch(`http://${host}:${port}/v1/nonce`, { headers }).then((reply) => reply.ok, () => false)) return;
  }
  throw new Error("the mock was not ready in time");
}

async function failed(child, name) {
  const [status] = await once(child, "exit");
  throw new Error(`${name} ended with status ${status}`);
}

function addressOf(url) {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
}

/** Bytes of a process that are in memory; undefined where the system does not say so in a file. */
async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1024 : undefined;
}

/** What a process has used of the processors; undefined where the system does not say so in a file. */
async function cpuMilliseconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the name, which may hold anything: the twelfth and thirteenth, in hundredths of a second.
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return system === undefined ? undefined : (Number(user) + Number(system)) * 10;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

// The sandbox under load, against the mock, taking turns; and the sandbox's memory over many requests.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { medianOf, quantilesOf } from "../stats.mjs";
import { FILLED_BY } from "../verdicts.mjs";
import { startMock, startSandbox } from "./targets.mjs";

const KINDS = ["quotes", "transfers", "sessions"];
const CONNECTIONS = 32;
/** In so many parts the memory is looked at. */
const PARTS = 20;

/** One job of the generator, in a process of its own. */
async function generate(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "generator.mjs"), JSON.stringify({ connections: CONNECTIONS, ...job })]);
  return JSON.parse(stdout);
}

/** Requests in a second of both, by kind. */
export async function compareLoad({ program, rounds, milliseconds, chance, say }) {
  const servers = { sandbox: await startSandbox(program) };
  try {
    servers.mock = await startMock(servers.sandbox.target);
    const found = Object.fromEntries(KINDS.map((kind) => [kind, { sandbox: [], mock: [] }]));
    for (const { target } of Object.values(servers)) for (const kind of KINDS) await generate({ target, kind, milliseconds: milliseconds / 4 });
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of KINDS) {
        for (const name of chance.happens(50) ? ["sandbox", "mock"] : ["mock", "sandbox"]) {
          const { target, cpu } = servers[name];
          const before = await cpu();
          const run = await generate({ target, kind, milliseconds });
          found[kind][name].push({ ...run, cpuMs: ((await cpu()) - before) / run.done });
        }
      }
      say(`load: round ${round + 1} of ${rounds}`);
    }
    return Object.fromEntries(KINDS.map((kind) => [kind, summary(found[kind])]));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

function summary({ sandbox, mock }) {
  const of = (runs) => ({ perSecond: medianOf(runs.map((run) => run.perSecond)), generator: medianOf(runs.map((run) => run.utilization)), cpuMs: medianOf(runs.map((run) => run.cpuMs)) });
  const ratios = sandbox.map((run, at) => run.perSecond / mock[at].perSecond);
  const [sandboxSays, mockSays] = [of(sandbox), of(mock)];
  return { sandbox: sandboxSays, mock: mockSays, ratio: sandboxSays.perSecond / mockSays.perSecond, spread: quantilesOf(ratios) };
}

/** Bytes in the sandbox's memory as requests go by: quotes, as these are what a checkout asks most. */
export async function watchMemory({ program, requests, say }) {
  const sandbox = await startSandbox(program);
  try {
    const samples = [];
    const first = Math.min(FILLED_BY, requests / 2);
    await generate({ target: sandbox.target, kind: "quotes", count: first });
    samples.push({ requests: first, bytes: await sandbox.memory() });
    const part = Math.max(1, Math.floor((requests - first) / PARTS));
    for (let done = first + part; done <= requests; done += part) {
      await generate({ target: sandbox.target, kind: "quotes", count: part });
      samples.push({ requests: done, bytes: await sandbox.memory() });
    }
    say(`memory of the sandbox: ${requests} requests`);
    return { requests, samples, grownBytes: samples.at(-1).bytes - samples[0].bytes };
  } finally {
    await sandbox.stop();
  }
}

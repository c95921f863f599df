// A process that keeps a server busy. Reads a job as JSON from its arguments and prints its counts as JSON.

import { performance } from "node:perf_hooks";
import { Connection } from "./connection.mjs";
import { workOf } from "./work.mjs";

const { target, kind, connections, milliseconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = JSON.parse(process.argv[2]);
const work = workOf(kind, target);
const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));

let done = 0;
const before = performance.eventLoopUtilization();
const began = performance.now();
const end = began + milliseconds;

async function keepBusy(connection) {
  while (done < count && performance.now() < end) {
    await work(connection);
    done += 1;
  }
}

await Promise.all(open.map(keepBusy));
const seconds = (performance.now() - began) / 1000;
// Near 1, the generator itself would be what is measured.
const { utilization } = performance.eventLoopUtilization(performance.eventLoopUtilization(), before);
for (const connection of open) connection.close();
console.log(JSON.stringify({ done, seconds, perSecond: done / seconds, utilization }));

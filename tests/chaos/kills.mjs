// Kills the service in the middle of its work, without the SDK: its database must hold what it acknowledged.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "./chance.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Service } from "./service.mjs";

const CONCURRENCY = 16;
/** How long a round posts before the kill. */
const WORK_MS = [30, 300];

export async function runKills({ rounds, seed, program, folder }) {
  const chance = new Chance(seed, "kills");
  const sandbox = new Sandbox({ program, database: join(folder, "kills.db"), seed, log: join(folder, "kills-sandbox.log") });
  const acknowledged = [];
  let route;
  for (let round = 0; round < rounds; round += 1) {
    await sandbox.start(chance);
    const service = await Service.open(sandbox.credentials);
    route ??= await service.makeRecipient();
    let isKilled = false;
    const work = Array.from({ length: CONCURRENCY }, async () => {
      while (!isKilled) {
        try {
          const transfer = await service.makeTransfer(route, chance.between(1_000, 200_000));
          const { status, body } = await service.post(transfer);
          if (status < 300) acknowledged.push({ round, transferId: body.transferId, quoteHistoryId: transfer.quoteHistoryId });
        } catch (error) {
          // The connection ended with the service.
          if (!isKilled) throw error;
        }
      }
    });
    const working = Promise.all(work);
    // Awaited below: until then, nobody is to take it for unhandled.
    working.catch(() => {});
    await sleep(chance.between(...WORK_MS));
    isKilled = true;
    await sandbox.kill();
    await working;
  }
  const recorded = new Map((await sandbox.rows()).map((row) => [row.transferId, row.quoteHistoryId]));
  const lost = acknowledged.filter(({ transferId, quoteHistoryId }) => recorded.get(transferId) !== quoteHistoryId);
  return { rounds, acknowledged: acknowledged.length, rows: recorded.size, lost };
}

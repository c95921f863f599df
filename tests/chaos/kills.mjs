// The service is killed at work, without the SDK: its database must contain what it acknowledged.

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
  const [database, log] = [join(folder, "kills.db"), join(folder, "kills-sandbox.log")];
  const sandbox = new Sandbox({ program, database, seed, log });
  const acknowledged = [];
  let route;
  for (let round = 0; round < rounds; round += 1) {
    await sandbox.start(chance);
    const service = await Service.open(sandbox.credentials);
    route ??= await service.makeRecipient();
    let isKilled = false;
    const post = async () => {
      while (!isKilled) {
        try {
          const transfer = await service.makeTransfer(route, chance.between(1_000, 200_000));
          const { status, body } = await service.post(transfer);
          const { quoteHistoryId } = transfer;
          if (status < 300) acknowledged.push({ round, transferId: body.transferId, quoteHistoryId });
        } catch (error) {
          // The kill ends the connection.
          if (!isKilled) throw error;
        }
      }
    };
    const working = Promise.all(Array.from({ length: CONCURRENCY }, post));
    // Awaited below; until then a rejection is not unhandled.
    working.catch(() => {});
    await sleep(chance.between(...WORK_MS));
    isKilled = true;
    await sandbox.kill();
    await working;
  }
  const recorded = new Map((await sandbox.rows()).map((row) => [row.transferId, row.quoteHistoryId]));
  const isLost = ({ transferId, quoteHistoryId }) => recorded.get(transferId) !== quoteHistoryId;
  return { rounds, acknowledged: acknowledged.length, lost: acknowledged.filter(isLost) };
}

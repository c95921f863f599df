// The service without the SDK and its faults: concurrent POSTs of one quote, and kills at work.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "./chance.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Service } from "./service.mjs";

const PARALLEL = 64;
/** The codes that answer a second POST. */
const USED = ["TransferDuplicatedByQuote", "NonceAlreadyUsed"];

function sandboxFor(name, { seed, program, folder }) {
  const [database, log] = [join(folder, `${name}.db`), join(folder, `${name}-sandbox.log`)];
  return { chance: new Chance(seed, name), sandbox: new Sandbox({ program, database, seed, log }) };
}

/** Posts each quote many times at once: the service makes one transfer of them. */
export async function runPosts({ posts, ...options }) {
  const { chance, sandbox } = sandboxFor("posts", options);
  await sandbox.start(chance);
  const service = await Service.open(sandbox.credentials);
  const route = await service.makeRecipient();
  const quotes = Math.ceil(posts / PARALLEL);
  const made = new Map();
  const found = { posts: 0, quotes, serverErrors: 0, unexpected: [] };
  for (let index = 0; index < quotes; index += 1) {
    const transfer = await service.makeTransfer(route, 1_000 + index);
    const batch = Array.from({ length: Math.min(PARALLEL, posts - found.posts) }, async () => {
      // Half of them are identical; the others have another nonce, or none.
      const kind = chance.between(0, 3);
      return kind < 2 ? transfer : { ...transfer, nonce: kind === 2 ? await service.makeNonce() : null };
    });
    const bodies = await Promise.all(batch);
    const answers = await Promise.all(bodies.map((body) => service.post(body)));
    found.posts += answers.length;
    const ids = [];
    for (const { status, body } of answers) {
      if (status < 300) ids.push(body.transferId);
      else if (status >= 500) found.serverErrors += 1;
      else if (!USED.includes(body[0]?.code)) found.unexpected.push({ status, body });
    }
    if (ids.length !== 1) found.unexpected.push({ quoteHistoryId: transfer.quoteHistoryId, made: ids });
    made.set(transfer.quoteHistoryId, ids[0]);
  }
  await sandbox.stop();
  const rows = await sandbox.rows();
  found.extraRows = rows.length - new Set(rows.map((row) => row.quoteHistoryId)).size;
  for (const row of rows) {
    if (made.get(row.quoteHistoryId) !== row.transferId) found.unexpected.push({ row });
    made.delete(row.quoteHistoryId);
  }
  for (const quoteHistoryId of made.keys()) found.unexpected.push({ quoteHistoryId, missing: true });
  return found;
}

const CONCURRENCY = 16;
/** How long a round posts before the kill. */
const WORK_MS = [30, 300];

/** Kills the service at work: its database must contain what it acknowledged. */
export async function runKills({ rounds, ...options }) {
  const { chance, sandbox } = sandboxFor("kills", options);
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

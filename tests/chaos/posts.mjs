// Many concurrent POSTs of one quote, without the SDK: the service makes one transfer of them.

import { join } from "node:path";
import { Chance } from "./chance.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Service } from "./service.mjs";

const PARALLEL = 64;
/** The codes that answer a second POST. */
const USED = ["TransferDuplicatedByQuote", "NonceAlreadyUsed"];

export async function runPosts({ posts, seed, program, folder }) {
  const chance = new Chance(seed, "posts");
  const [database, log] = [join(folder, "posts.db"), join(folder, "posts-sandbox.log")];
  const sandbox = new Sandbox({ program, database, seed, log });
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

// The sandbox's own endpoints for tests.

import assert from "node:assert/strict";
import { transferPosts } from "./requests.mjs";

/** The transfers that stand in the sandbox's database. */
export async function recordedTransfers(baseUrl) {
  return (await ask(baseUrl, "/sandbox/transfers")).json();
}

/** The transfer with this id, or nothing. */
export async function recordedTransfer(baseUrl, transferId) {
  const transfers = await recordedTransfers(baseUrl);
  return transfers.find((transfer) => transfer.transferId === transferId);
}

/** Returns the database's transfers for this page's quotes. Other pages may be sending at the same time. */
export async function recordedOf(baseUrl, page) {
  const quotes = transferPosts(page).map(({ body }) => JSON.parse(body).quoteHistoryId);
  const transfers = await recordedTransfers(baseUrl);
  return transfers.filter((transfer) => quotes.includes(transfer.quoteHistoryId));
}

/** Demands that what the shop shows of a transfer is what the database has, with the `expected` members. */
export async function assertRecorded(baseUrl, outcome, expected) {
  const transfer = await recordedTransfer(baseUrl, outcome.transferId);
  assert.ok(transfer, `transfer ${outcome.transferId} is not in the sandbox's database`);
  assert.equal(String(transfer.confirmationNumber), outcome.confirmationNumber);
  for (const [name, value] of Object.entries(expected)) assert.equal(transfer[name], value, name);
}

/** How to get each error and each outcome of a card. */
export async function triggerTable(baseUrl) {
  return (await ask(baseUrl, "/sandbox/triggers")).json();
}

/** Makes the sandbox's next fitting request go wrong; see its faults. */
export async function addFault(baseUrl, fault) {
  await post(baseUrl, "/sandbox/faults", fault);
}

/** Forgets the faults that have not happened yet. */
export async function forgetFaults(baseUrl) {
  await ask(baseUrl, "/sandbox/faults", { method: "DELETE" });
}

/** Brings everything back to how it was at the start, the clock too. */
export async function resetSandbox(baseUrl) {
  await ask(baseUrl, "/sandbox/reset", { method: "POST" });
}

/** Sets for how many seconds quotes and the like hold from now on, until a reset. */
export async function setLifetimes(baseUrl, lifetimes) {
  await post(baseUrl, "/sandbox/lifetimes", lifetimes);
}

/** Moves the sandbox's clock on, for every transfer. */
export async function advanceClock(baseUrl, advanceSeconds) {
  await post(baseUrl, "/sandbox/clock", { advanceSeconds });
}

/** Tells the sandbox something. */
export function post(baseUrl, path, body) {
  return ask(baseUrl, path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

async function ask(baseUrl, path, init) {
  const reply = await fetch(baseUrl + path, init);
  if (!reply.ok) throw new Error(`The sandbox answered ${path} with status ${reply.status}.`);
  return reply;
}

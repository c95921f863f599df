// The sandbox's own endpoints for tests.

/** The transfers that stand in the sandbox's database. */
export async function recordedTransfers(baseUrl) {
  return (await ask(baseUrl, "/sandbox/transfers")).json();
}

/** The transfer with this id, or nothing. */
export async function recordedTransfer(baseUrl, transferId) {
  const reply = await recordedTransfers(baseUrl);
  const transfers = Array.isArray(reply) ? reply : reply.transfers;
  return transfers.find((transfer) => transfer.transferId === transferId);
}

/** The requests the sandbox has answered. */
export async function requestLog(baseUrl) {
  return (await ask(baseUrl, "/sandbox/requests")).text();
}

async function ask(baseUrl, path, init) {
  const reply = await fetch(baseUrl + path, init);
  if (!reply.ok) throw new Error(`The sandbox answered ${path} with status ${reply.status}.`);
  return reply;
}

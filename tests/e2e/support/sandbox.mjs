// The sandbox's control endpoints.

import assert from "node:assert/strict";
import { transferPosts } from "./browser.mjs";

export async function recordedTransfers(baseUrl) {
  return (await ask(baseUrl, "/sandbox/transfers")).json();
}

export async function recordedTransfer(baseUrl, transferId) {
  return (await recordedTransfers(baseUrl)).find((transfer) => transfer.transferId === transferId);
}

/** Returns the recorded transfers of a page's quotes. Other pages may be sending at the same time. */
export async function recordedOf(baseUrl, page) {
  const quotes = transferPosts(page).map(({ body }) => JSON.parse(body).quoteHistoryId);
  return (await recordedTransfers(baseUrl)).filter(({ quoteHistoryId }) => quotes.includes(quoteHistoryId));
}

/** Asserts that a transfer is recorded as the shop shows it, with the `expected` members. */
export async function assertRecorded(baseUrl, { transferId, confirmationNumber }, expected) {
  const transfer = await recordedTransfer(baseUrl, transferId);
  assert.ok(transfer, `transfer ${transferId} is not in the sandbox's database`);
  assert.equal(String(transfer.confirmationNumber), confirmationNumber);
  for (const [name, value] of Object.entries(expected)) assert.equal(transfer[name], value, name);
}

export async function triggerTable(baseUrl) {
  return (await ask(baseUrl, "/sandbox/triggers")).json();
}

/** Returns how many exchanges were validated against the interface's document, and which deviate from it. */
export async function contractReport(baseUrl) {
  return (await ask(baseUrl, "/sandbox/contract")).json();
}

export async function addFault(baseUrl, fault) {
  await post(baseUrl, "/sandbox/faults", fault);
}

export async function addTransferFault(baseUrl, fault) {
  await addFault(baseUrl, { method: "POST", path: "/v1/transfers", ...fault });
}

export async function clearFaults(baseUrl) {
  await ask(baseUrl, "/sandbox/faults", { method: "DELETE" });
}

/** Restores the initial state, including the clock. */
export async function resetSandbox(baseUrl) {
  await ask(baseUrl, "/sandbox/reset", { method: "POST" });
}

export async function setLifetimes(baseUrl, lifetimes) {
  await post(baseUrl, "/sandbox/lifetimes", lifetimes);
}

/** Adds to the fee of a method, in cents: quotes of before no longer hold. */
export async function raiseFee(baseUrl, cents, transferMethod = "BANK_ACCOUNT") {
  await post(baseUrl, "/sandbox/fees", { transferMethod, cents });
}

export async function advanceClock(baseUrl, advanceSeconds) {
  await post(baseUrl, "/sandbox/clock", { advanceSeconds });
}

export function labelTest(baseUrl, test) {
  return post(baseUrl, "/sandbox/label", { test });
}

/** Records every genuine message of the card form that reaches a page; `settled` waits for the last. */
export async function recordCardEvents(page, { baseUrl, cardUrl }) {
  const reports = [];
  await page.exposeBinding("__cardEvent", (_, event) => {
    reports.push(post(baseUrl, "/sandbox/traffic", { event }));
  });
  await page.addInitScript((origin) => {
    addEventListener("message", (event) => {
      const form = document.querySelector(".card-frame iframe")?.contentWindow;
      const isGenuine = event.isTrusted && event.origin === origin && event.source === form;
      if (isGenuine && typeof event.data === "string") globalThis.__cardEvent(event.data);
    });
  }, new URL(cardUrl).origin);
  return { settled: () => Promise.all(reports) };
}

function post(baseUrl, path, body) {
  const headers = { "content-type": "application/json" };
  return ask(baseUrl, path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function ask(baseUrl, path, init) {
  const reply = await fetch(baseUrl + path, init);
  if (!reply.ok) throw new Error(`The sandbox answered ${path} with status ${reply.status}.`);
  return reply;
}

// A small honest shop that knows only the SDK's documentation: it first resumes pending transfers, and then
// starts intents that have neither an outcome nor an attempt.

import { createRemitKit, isRemitError } from "remitkit";
import { Chance } from "./chance.mjs";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What each intent waits for now, for the analysis of one without an outcome. */
const stages = new Map();
globalThis.stages = () => Object.fromEntries(stages);

let hoursPassed = 0;
/** Advances both clocks: after a lost answer, a refused attempt is open until its quote has expired. */
globalThis.passAnHour = () => {
  hoursPassed += 1;
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + 3_600_000;
  }
};

const basket = new URLSearchParams(location.search).get("basket");
const config = await backend("/config", { basket });
const chance = new Chance(config.seed, "page");
globalThis.remitkitWeakness = config.weakness;
const remit = await untilAvailable(() =>
  createRemitKit({
    baseUrl: config.baseUrl,
    cardUrl: config.cardUrl,
    journal: config.journal,
    timeoutMs: config.timeoutMs,
    token: async () => (await fetch("/token", { method: "POST", body: "{}" })).json(),
  }),
);

/** Calls the shop's own backend. With `keepalive` a report arrives even if the page goes away. */
async function backend(path, body) {
  for (;;) {
    try {
      const reply = await fetch(path, { method: "POST", body: JSON.stringify(body), keepalive: true });
      if (reply.ok) return await reply.json();
    } catch {
      // The page is going away.
    }
    await sleep(300);
  }
}

/** Repeats a call that sends no transfer until the service is up. */
async function untilAvailable(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      // A quote may expire before its transfer is prepared where an hour passes in between.
      const isExpired = hoursPassed > 0 && error?.resolution === "fetch_new_quote";
      const isTemporary = error?.retryable || error?.kind === "authentication" || isExpired;
      if (!isRemitError(error) || !isTemporary) await reportTrouble(error);
      await sleep(chance.between(200, 1_000));
    }
  }
}

/** Reports what a shop does not expect of the SDK. */
async function reportTrouble(error) {
  const texts = [];
  for (let at = error; at && texts.length < 5; at = at.cause) texts.push(`${at.stack ?? at}`);
  await backend("/trouble", { text: `${basket}: ${texts.join("\ncaused by ")}` });
  // The module has stopped for good: continue from the journal.
  if (isCrash(error)) location.reload();
}

function isCrash(error) {
  return error?.code === "Internal" || error?.cause?.code === "Internal";
}

/** Reports an outcome. The page keeps none: if it goes away now, it relies on the journal. */
async function report(outcome) {
  await backend("/outcome", outcome);
  stages.delete(outcome.intent);
}

/** Submits as an impatient customer does: some submissions are aborted, some made twice. */
function submit(id, attempt) {
  if (id < config.abortBelow && chance.happens(config.abortPercent)) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), chance.between(0, 1_200));
    return attempt.submit({ signal: controller.signal });
  }
  if (chance.happens(config.twicePercent)) attempt.submit().catch(() => {});
  return attempt.submit();
}

/** Submits until there is an outcome. */
async function settle(id, attempt, resumed) {
  const common = { intent: id, quoteHistoryId: attempt.quoteHistoryId, resumed };
  for (;;) {
    try {
      stages.set(id, `submit ${attempt.quoteHistoryId} ${attempt.state}`);
      const { transferId, recovered } = await submit(id, attempt);
      return await report({ ...common, created: true, transferId, recovered });
    } catch (error) {
      if (!isRemitError(error) || isCrash(error)) await reportTrouble(error);
      // An unknown outcome is resumed; a prepared attempt was not sent, and may be submitted again.
      else if (error.kind !== "outcome_unknown" && attempt.state !== "PREPARED") {
        const { kind, code, httpStatus } = error;
        return await report({ ...common, created: false, kind, code, httpStatus, state: attempt.state });
      }
      stages.set(id, `${attempt.state} after ${error.kind} ${error.code}`);
    }
    await sleep(chance.between(200, 1_000));
  }
}

/** Takes new quotes until one is bound to an attempt, and settles that. */
async function begin({ id, amount, changes }) {
  const { recipientId, ...price } = { ...config.route, amount };
  const attempt = await untilAvailable(async () => {
    stages.set(id, "quote");
    const { quoteHistoryId } = await remit.quote(price);
    await backend("/quote", { intent: id, quoteHistoryId });
    stages.set(id, `prepare ${quoteHistoryId}`);
    return remit.prepareTransfer({ ...price, recipientId, quoteHistoryId, ...changes });
  });
  await settle(id, attempt, false);
}

async function work(open) {
  for (;;) {
    const intent = open.shift() ?? (await backend("/take", { basket })).intent;
    if (!intent) return;
    await begin(intent);
  }
}

const pending = await untilAvailable(() => remit.pendingTransfers());
const quotes = pending.map((attempt) => attempt.quoteHistoryId);
const { intents, owners } = await backend("/open", { basket, quotes });
pending.forEach((attempt, index) => settle(owners[index], attempt, true).catch(reportTrouble));
const open = intents.filter(({ id }) => !owners.includes(id));
for (let count = 0; count < config.parallel; count += 1) work(open).catch(reportTrouble);

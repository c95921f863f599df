// A small honest shop. It knows only the SDK's documentation: after a load it first resumes pending
// transfers, and then starts only intents that have neither an outcome nor an attempt.

import { createRemitKit, isRemitError } from "remitkit";
import { Chance } from "./chance.mjs";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What each intent waits for at this moment: looked at when one comes to no outcome. */
const stages = new Map();
globalThis.stages = () => Object.fromEntries(stages);

/** What was refused after a lost answer is open until its quote has ended, by both clocks of the page. */
globalThis.passAnHour = () => {
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    clock.now = () => now() + 3_600_000;
  }
};

const basket = new URLSearchParams(location.search).get("basket");
const config = await backend("/config", { basket });
const chance = new Chance(config.seed, "page");
const remit = await loaded();

/** Asks the shop's own backend. `keepalive`, so that what was reported arrives though the page goes away. */
async function backend(path, body) {
  for (;;) {
    try {
      const reply = await fetch(path, { method: "POST", body: JSON.stringify(body), keepalive: true });
      if (reply.ok) return await reply.json();
    } catch {
      // A page that is about to go away cannot ask any more.
    }
    await sleep(300);
  }
}

/** What a shop does not expect of the SDK. */
async function trouble(error) {
  const texts = [];
  for (let cause = error; cause && texts.length < 5; cause = cause.cause) texts.push(`${cause.stack ?? cause}`);
  await backend("/trouble", { text: `${basket}: ${texts.join("\ncaused by ")}` });
  // It has stopped for good: the page begins again, with what the journal holds.
  if (isCrash(error)) location.reload();
}

function isCrash(error) {
  return error?.code === "Internal" || error?.cause?.code === "Internal";
}

async function loaded() {
  globalThis.remitkitWeakness = config.weakness;
  for (;;) {
    try {
      return await createRemitKit({
        baseUrl: config.baseUrl,
        cardUrl: config.cardUrl,
        journal: config.journal,
        timeoutMs: config.timeoutMs,
        token: async () => (await fetch("/token", { method: "POST", body: "{}" })).json(),
      });
    } catch (error) {
      await trouble(error);
      await sleep(500);
    }
  }
}

/** Reports an outcome. The shop records none: a page that goes away at this moment relies on the journal. */
async function report(outcome) {
  await backend("/outcome", outcome);
  stages.delete(outcome.intent);
}

/** The customer's impatience: now and then a submission is called off, or asked for twice. */
function submission(id, attempt) {
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
  const told = { intent: id, quoteHistoryId: attempt.quoteHistoryId, resumed };
  for (;;) {
    try {
      stages.set(id, `submit ${attempt.quoteHistoryId} ${attempt.state}`);
      const { transferId, recovered } = await submission(id, attempt);
      return await report({ ...told, created: true, transferId, recovered });
    } catch (error) {
      if (!isRemitError(error) || isCrash(error)) await trouble(error);
      // Unknown: it is resumed. Prepared: nothing was sent, and it may be submitted again.
      else if (error.kind !== "outcome_unknown" && attempt.state !== "PREPARED") {
        const { kind, code, httpStatus } = error;
        return await report({ ...told, created: false, kind, code, httpStatus, state: attempt.state });
      }
      stages.set(id, `${attempt.state} after ${error.kind} ${error.code}`);
    }
    await sleep(chance.between(200, 1_000));
  }
}

/** Brings an intent without an attempt to its outcome, with new quotes until one is bound to an attempt. */
async function begin({ id, amount, changes }) {
  const { recipientId, ...price } = { ...config.route, amount };
  for (;;) {
    try {
      stages.set(id, "quote");
      const { quoteHistoryId } = await remit.quote(price);
      await backend("/quote", { intent: id, quoteHistoryId });
      stages.set(id, `prepare ${quoteHistoryId}`);
      const attempt = await remit.prepareTransfer({ ...price, recipientId, quoteHistoryId, ...changes });
      return await settle(id, attempt, false);
    } catch (error) {
      // Nothing was sent. Whatever it is, the service may be down: later.
      if (!isRemitError(error) || !(error.retryable || error.kind === "authentication")) await trouble(error);
      await sleep(chance.between(200, 1_000));
    }
  }
}

async function worker(open) {
  for (;;) {
    const intent = open.shift() ?? (await backend("/take", { basket })).intent;
    if (!intent) return;
    await begin(intent);
  }
}

async function pendingTransfers() {
  for (;;) {
    try {
      return await remit.pendingTransfers();
    } catch (error) {
      // Whose they are could not be learnt, as the service is down: later.
      if (!isRemitError(error) || !(error.retryable || error.kind === "authentication")) await trouble(error);
      await sleep(300);
    }
  }
}

const pending = await pendingTransfers();
const { intents, owners } = await backend("/open", { basket, quotes: pending.map((attempt) => attempt.quoteHistoryId) });
const resumed = pending.map((attempt, index) => ({ attempt, ...owners[index] }));
for (const { id, attempt } of resumed) settle(id, attempt, true).catch(trouble);
const open = intents.filter(({ id }) => !resumed.some((one) => one.id === id));
for (let count = 0; count < config.parallel; count += 1) worker(open).catch(trouble);

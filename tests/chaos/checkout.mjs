// Customers check out in a real browser while the network, the service and their own tabs fail.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { Chance } from "./chance.mjs";
import { FAULTS, LATEST_MS } from "./faults.mjs";
import { Ledger, makeIntents } from "./ledger.mjs";
import { Sandbox } from "./sandbox.mjs";
import { Service } from "./service.mjs";
import { startShop } from "./shop-server.mjs";
import { Tab } from "./tab.mjs";
import { judge } from "./verdict.mjs";

/** The SDK's time limit for one answer. */
const TIMEOUT_MS = 1_500;
/**
 * How long the service stays up at the end before a transfer without an outcome counts as unresolved: the SDK
 * asks for half a minute before it returns an aborted transfer.
 */
const CALM_MS = 60_000;
/** After so long without an outcome the rest waits for its quotes to expire. */
const STUCK_MS = 15_000;
/** How much longer the first outcome may take: on a busy machine the pages open slowly. */
const OPENING_MS = 45_000;
const PROGRESS_MS = 5_000;
/** The customers' browsers, in turn. Each has its own connections and storage. */
const CUSTOMERS = [
  { journal: "local", tabs: 2 },
  { journal: "session", tabs: 1 },
  { journal: "local", tabs: 1 },
];

/**
 * Returns the scale of a run: the number of customers, how long tabs rest between disturbances, how long the
 * service is down, how long the trouble lasts at least, and the share of intents, the first ones, that
 * customers may abort, as these can take half a minute to settle. In a small run faults are more frequent.
 */
function scaleOf(transfers) {
  const common = { troubleMs: 10_000, abortable: 0.5 };
  if (transfers <= 100) {
    return { customers: 4, pauseMs: [700, 2_500], downMs: [1_000, 2_000], troubleMs: 7_000, abortable: 0 };
  }
  if (transfers <= 1_000) return { ...common, customers: 6, pauseMs: [2_500, 8_000], downMs: [1_000, 3_000] };
  return { ...common, customers: 9, pauseMs: [4_000, 14_000], downMs: [1_000, 5_000] };
}

const UP_MS = [2_500, 7_000];

/** Kills the sandbox every few seconds and restarts it, until `end` is called; then it is up. */
function startOutages(sandbox, chance, downMs) {
  let isOver = false;
  const pause = async (range) => {
    for (const end = Date.now() + chance.between(...range); Date.now() < end && !isOver; ) await sleep(50);
  };
  const outages = { count: 0, failure: undefined };
  const run = async () => {
    for (;;) {
      await pause(UP_MS);
      if (isOver) return;
      sandbox.check();
      await sandbox.kill();
      outages.count += 1;
      await pause(downMs);
      await sandbox.start();
    }
  };
  const running = run().catch((error) => (outages.failure = error));
  outages.end = () => {
    isOver = true;
    return running;
  };
  return outages;
}

export async function runCheckout(options, say) {
  const { transfers, seed, weakness, chromium, packageFolder, program, folder } = options;
  const scale = scaleOf(transfers);
  const intents = makeIntents(transfers, seed);
  const ledger = new Ledger(intents);
  const [database, log] = [join(folder, "checkout.db"), join(folder, "checkout-sandbox.log")];
  const sandbox = new Sandbox({ program, database, seed, log });
  await sandbox.start(new Chance(seed, "ports"));
  const { credentials } = sandbox;
  const route = await (await Service.open(credentials)).makeRecipient();
  const loads = new Map();
  const configure = (basket) => {
    const load = (loads.get(basket) ?? 0) + 1;
    loads.set(basket, load);
    return {
      baseUrl: sandbox.baseUrl,
      cardUrl: sandbox.cardUrl,
      route,
      seed: `${seed}/${basket}/${load}`,
      timeoutMs: TIMEOUT_MS,
      parallel: 4,
      abortPercent: 5,
      abortBelow: scale.abortable * transfers,
      twicePercent: 5,
      journal: weakness === "journal" ? "memory" : basket.split("-", 1)[0],
      weakness: weakness === "journal" ? undefined : weakness,
    };
  };
  const shop = await startShop({ ledger, credentials, packageFolder, configure });
  await sandbox.setFaults(FAULTS);
  const browser = await launch(chromium);
  const tabs = [];
  const outages = startOutages(sandbox, new Chance(seed, "outages"), scale.downMs);
  let calmSince;
  let stages = [];
  try {
    for (let index = 0; index < scale.customers; index += 1) {
      const customer = CUSTOMERS[index % CUSTOMERS.length];
      const context = await browser.newContext();
      for (let number = 0; number < customer.tabs; number += 1) {
        const basket = `${customer.journal}-${index}-${number}`;
        tabs.push(
          new Tab({
            context,
            url: `${shop.url}/?basket=${basket}`,
            chance: new Chance(seed, `tab ${basket}`),
            // A closed tab loses its session storage.
            mayClose: customer.journal !== "session",
            pauseMs: scale.pauseMs,
            isCalm: () => calmSince !== undefined,
          }),
        );
      }
    }
    for (const tab of tabs) tab.live();
    const began = Date.now();
    let [resolved, resolvedAt, hours] = [0, began + OPENING_MS, 0];
    for (let shown = began; ; await sleep(100)) {
      sandbox.check();
      if (outages.failure) throw outages.failure;
      const left = transfers - ledger.resolved;
      if (ledger.resolved > resolved) [resolved, resolvedAt] = [ledger.resolved, Date.now()];
      const isStuck = Date.now() - resolvedAt > STUCK_MS;
      const areManyLeft = left > Math.max(3, transfers / 50) && !isStuck;
      if (calmSince === undefined && Date.now() - began >= scale.troubleMs && !areManyLeft) {
        calmSince = Date.now();
        await outages.end();
        await sandbox.setFaults([]);
        calmSince = Date.now();
      }
      const calm = calmSince === undefined ? 0 : Date.now() - calmSince;
      // All late requests have arrived. Repeated: a tab may have opened only after the first hour.
      if (calm > LATEST_MS + 10_000 * (hours + 1)) {
        hours += 1;
        await Promise.all(tabs.map((tab) => tab.passAnHour()));
      }
      // Late requests must have arrived before the rows are counted.
      if (calm > (ledger.isComplete ? LATEST_MS + 500 : CALM_MS)) break;
      if (Date.now() - shown > PROGRESS_MS) {
        shown = Date.now();
        const phase = calmSince ? "; calm now" : "";
        say(`${ledger.resolved} of ${transfers} transfers, ${outages.count} kills${phase}`);
      }
    }
    stages = await Promise.all(tabs.map((tab) => tab.stages()));
  } finally {
    for (const tab of tabs) tab.end();
    await browser.close();
    await shop.stop();
  }
  await sandbox.stop();
  const rows = await sandbox.rows();
  const verdict = judge({ intents, quotes: ledger.quotes, outcomes: ledger.outcomes, rows });
  return { ledger, tabs, kills: outages.count, verdict, stages: stages.flat() };
}

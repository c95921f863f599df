// Customers check out in a real browser while the network, the service and their own tabs fail them.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { Chance } from "./chance.mjs";
import { FAULTS, LATEST_MS } from "./faults.mjs";
import { makeIntents } from "./intents.mjs";
import { Ledger } from "./ledger.mjs";
import { Outages } from "./outages.mjs";
import { Sandbox } from "./sandbox.mjs";
import { CUSTOMERS, scaleOf } from "./scale.mjs";
import { Service } from "./service.mjs";
import { startShop } from "./shop-server.mjs";
import { Tab } from "./tab.mjs";
import { judge } from "./verdict.mjs";

/** How long one answer may take before the SDK takes it for lost. */
const TIMEOUT_MS = 1_500;
/**
 * How long the service stays up at the end before a transfer without an outcome counts as unresolved: the SDK
 * keeps asking for half a minute before it hands back a transfer that was called off.
 */
const CALM_MS = 60_000;
/** After so long without an outcome what is left waits for the end of its quotes. */
const STUCK_MS = 15_000;
const SAY_MS = 5_000;

export async function runCheckout({ transfers, seed, weakness, chromium, program, packageFolder, folder, say }) {
  const scale = scaleOf(transfers);
  const intents = makeIntents(transfers, seed);
  const ledger = new Ledger(intents);
  const sandbox = new Sandbox({ program, database: join(folder, "checkout.db"), seed, log: join(folder, "checkout-sandbox.log") });
  await sandbox.start(new Chance(seed, "ports"));
  const credentials = sandbox.credentials;
  const route = await (await Service.open(credentials)).makeRecipient();
  const loads = new Map();
  const shop = await startShop({
    ledger,
    credentials,
    packageFolder,
    configure: (basket) => {
      const load = (loads.get(basket) ?? 0) + 1;
      loads.set(basket, load);
      return {
        baseUrl: sandbox.baseUrl,
        cardUrl: sandbox.cardUrl,
        route,
        seed: `${seed}/${basket}/${load}`,
        timeoutMs: TIMEOUT_MS,
        parallel: scale.parallel,
        abortPercent: 5,
        abortBelow: scale.calledOff * transfers,
        twicePercent: 5,
        journal: weakness === "journal" ? "memory" : basket.split("-", 1)[0],
        weakness: weakness === "journal" ? undefined : weakness,
      };
    },
  });
  await sandbox.setFaults(FAULTS);
  const browser = await launch(chromium);
  const tabs = [];
  const outages = new Outages(sandbox, new Chance(seed, "outages"), scale);
  let calmSince;
  let stages = [];
  try {
    for (let index = 0; index < scale.customers; index += 1) {
      const customer = CUSTOMERS[index % CUSTOMERS.length];
      const context = await browser.newContext();
      for (let tab = 0; tab < customer.tabs; tab += 1) {
        const basket = `${customer.journal}-${index}-${tab}`;
        // The session's storage goes with its tab.
        const mayClose = customer.journal !== "session";
        const chance = new Chance(seed, `tab ${basket}`);
        tabs.push(new Tab({ context, url: `${shop.url}/?basket=${basket}`, chance, mayClose }));
      }
    }
    const lives = tabs.map((tab) => tab.live({ pauseMs: scale.pauseMs, isCalm: () => calmSince !== undefined }));
    let failure;
    const going = outages.go().catch((error) => (failure = error));
    const began = Date.now();
    let resolved = 0;
    let resolvedAt = began;
    let hours = 0;
    for (let told = began; ; await sleep(100)) {
      sandbox.check();
      if (failure) throw failure;
      const left = transfers - ledger.resolved;
      if (ledger.resolved > resolved) [resolved, resolvedAt] = [ledger.resolved, Date.now()];
      const isStuck = Date.now() - resolvedAt > STUCK_MS;
      const isTroubled = Date.now() - began < scale.troubleMs || (left > Math.max(3, transfers / 50) && !isStuck);
      if (!isTroubled && calmSince === undefined) {
        calmSince = Date.now();
        outages.end();
        await going;
        await sandbox.setFaults([]);
        calmSince = Date.now();
      }
      const calm = calmSince === undefined ? 0 : Date.now() - calmSince;
      // Everything that is late has come. Not once alone: a tab may have opened only after the first hour.
      if (calm > LATEST_MS + 10_000 * (hours + 1)) {
        hours += 1;
        await Promise.all(tabs.map((tab) => tab.passAnHour()));
      }
      // What is late must have come before the rows are counted.
      if (calm > (ledger.isComplete ? LATEST_MS + 500 : CALM_MS)) break;
      if (Date.now() - told > SAY_MS) {
        told = Date.now();
        say(`${ledger.resolved} of ${transfers} transfers, ${outages.count} kills${calmSince ? "; calm now" : ""}`);
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

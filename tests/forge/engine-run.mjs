import { setTimeout as sleep } from "node:timers/promises";
import { GOOD_CARD, REFUSED_CARD } from "../e2e/support/checkout.mjs";
import { startEngine } from "./engines.mjs";

/** Genuine messages for each forged one. */
const GENUINE = 0.4;
const CARDS = { refused: REFUSED_CARD, good: GOOD_CARD };
const FORM = "#forms iframe";
const POLL_MS = 200;
const SEE_MS = 10_000;
/** How long a run may take: so much, and so much for each message. */
const LIMIT_MS = 180_000;
const LIMIT_EACH_MS = 150;

/** Runs the page in one engine to its end and returns its report. The engine's failures are troubles too. */
export async function runEngine({ engine, program, count, pageUrl, openerUrl, say }) {
  const began = Date.now();
  let last = { forged: {}, accepted: {}, genuine: { said: 0, arrived: 0 }, troubles: [] };
  let browser;
  try {
    browser = await startEngine(engine, program);
    // The page is opened by a window of the card form's origin, and opens another.
    await browser.open(`${openerUrl}/opener?open=${encodeURIComponent(pageUrl)}`);
    const page = await browser.clickToOpen("#open");
    await browser.switchTo(page);
    await waitFor(() => browser.evaluate("() => Boolean(globalThis.forge)"));
    await browser.clickToOpen("#popup");
    await browser.switchTo(page);
    await browser.evaluate("(options) => forge.start(options)", { engine, forged: count, genuine: Math.round(count * GENUINE) });
    await watch(browser, count, (report) => {
      last = report;
      say(`${sum(report.forged)} of ${count} forged, accepted ${sum(report.accepted)}, genuine ${report.genuine.arrived}`);
    });
  } catch (error) {
    last.troubles.push(String(error.stack));
  } finally {
    await browser?.stop();
  }
  return { ...last, seconds: Math.round((Date.now() - began) / 100) / 10 };
}

/** Watches the page until it is done, and types awaited cards. `see` gets a report now and then. */
async function watch(browser, count, see) {
  const began = Date.now();
  let seen = began;
  let typed;
  for (;;) {
    const report = await browser.evaluate("() => forge.report()");
    if (report.isDone || Date.now() - seen > SEE_MS) {
      seen = Date.now();
      see(report);
    }
    if (report.isDone) return;
    if (Date.now() - began > LIMIT_MS + LIMIT_EACH_MS * count) throw new Error("it was not done in time");
    if (report.awaited && report.awaited !== typed) {
      typed = report.awaited;
      await browser.inFrame(FORM, (frame) => type(frame, CARDS[typed]));
    }
    await sleep(POLL_MS);
  }
}

async function type(frame, number) {
  await frame.fill("#card-number", number);
  await frame.fill("#card-expiry", "12/34");
  await frame.fill("#card-code", "123");
  await frame.fill("#card-name", "Ana Garcia");
  await frame.click("#verify");
}

async function waitFor(condition) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    // While a window goes from its first, empty document to the page, an engine may refuse to look into it.
    if (await condition().catch(() => false)) return;
  }
  throw new Error("the page did not come up");
}

function sum(counts) {
  return Object.values(counts).reduce((total, value) => total + value, 0);
}

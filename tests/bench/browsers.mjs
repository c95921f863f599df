// One interface for all engines: `open` a page, and `do` the work of `page/bench.js` in it.

import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { WebDriver } from "../e2e/support/webdriver.mjs";
import { ENGINES } from "./figures.mjs";

/** Lets a page collect garbage before each sample. */
const FLAGS = ["--js-flags=--expose-gc"];
const LIMIT_MS = 300_000;
const POLL_MS = 100;

export class Chromium {
  #browser;

  static async start(program) {
    const chromium = new Chromium();
    chromium.#browser = await launch(program, FLAGS);
    return chromium;
  }

  get version() {
    return `Chromium ${this.#browser.version()}`;
  }

  stop() {
    return this.#browser.close();
  }

  /** Opens a page in its own context with an empty cache, over an emulated `network` if given. */
  async open(url, network) {
    const context = await this.#browser.newContext({ locale: "en-US" });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(`${message.text()} (${message.location().url})`);
    });
    const session = await context.newCDPSession(page);
    const wire = { bytes: 0 };
    if (network) {
      session.on("Network.loadingFinished", ({ encodedDataLength }) => (wire.bytes += encodedDataLength));
      await slowDown(session, network);
    }
    await page.goto(url);
    return {
      ...pageOf((script, ...args) => page.evaluate(`(${script})(...${JSON.stringify(args)})`)),
      troubles,
      /** The bytes received over an emulated network so far. */
      wire,
      close: () => context.close(),
      async heapBytes() {
        await session.send("HeapProfiler.collectGarbage");
        return (await session.send("Runtime.getHeapUsage")).usedSize;
      },
    };
  }
}

async function slowDown(session, { latencyMs: latency, bitsPerSecond, slowdown: rate }) {
  const [downloadThroughput, uploadThroughput] = [bitsPerSecond / 8, bitsPerSecond / 8];
  const conditions = { offline: false, latency, downloadThroughput, uploadThroughput };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", conditions);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Starts Firefox or WebKit. */
export async function startOther(engine, program) {
  const driver = await WebDriver.start(engine, program);
  return {
    version: `${ENGINES[engine]} ${driver.version}`,
    stop: () => driver.stop(),
    async open(url) {
      await driver.open(url);
      return { ...pageOf((...args) => driver.evaluate(...args)), troubles: [], close: async () => {} };
    },
  };
}

function pageOf(evaluate) {
  return {
    evaluate,
    /** Does a work of the page and returns its result. Polls, as WebDriver limits how long a script runs. */
    async do(work, options = {}) {
      const end = Date.now() + LIMIT_MS;
      const until = async (script) => {
        for (; Date.now() < end; await sleep(POLL_MS)) {
          const found = await evaluate(script);
          if (found) return found;
        }
        throw new Error(`${work} did not end in time`);
      };
      await until("() => globalThis.isReady");
      await evaluate("(work, options) => void begin(work, options)", work, options);
      const { value, error } = await until("() => globalThis.ended");
      if (typeof error === "string") throw new Error(`${work}: ${error}`);
      return value;
    },
  };
}

// The engines, driven alike: a page is opened, and works of `page/bench.js` are done in it.

import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../e2e/support/browser.mjs";
import { WebDriver } from "../e2e/support/webdriver.mjs";

/** A sample begins with what the last one left swept away. */
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

  /** A page in a context of its own, whose cache is empty. `network` slows it down, where it is given. */
  async open(url, network) {
    const context = await this.#browser.newContext({ locale: "en-US" });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => message.type() === "error" && troubles.push(`${message.text()} (${message.location().url})`));
    const wire = { bytes: 0 };
    if (network) {
      const session = await context.newCDPSession(page);
      session.on("Network.loadingFinished", ({ encodedDataLength }) => (wire.bytes += encodedDataLength));
      await slowDown(session, network);
    }
    await page.goto(url);
    return new ChromiumPage(page, troubles, wire);
  }
}

async function slowDown(session, { latencyMs, bitsPerSecond, slowdown }) {
  const throughput = bitsPerSecond / 8;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: latencyMs, downloadThroughput: throughput, uploadThroughput: throughput });
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

class ChromiumPage {
  #page;

  /** `wire.bytes` is what has come over a network so far. */
  constructor(page, troubles, wire) {
    this.#page = page;
    this.troubles = troubles;
    this.wire = wire;
  }

  evaluate(script, ...args) {
    return this.#page.evaluate(`(${script})(...${JSON.stringify(args)})`);
  }

  async heapBytes() {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  }

  do(work, options = {}) {
    return doIn(this, work, options);
  }

  close() {
    return this.#page.context().close();
  }
}

/** Firefox or WebKit. */
export class OtherEngine {
  #driver;

  static async start(engine, program) {
    const other = new OtherEngine();
    other.#driver = await WebDriver.start(engine, program);
    return other;
  }

  stop() {
    return this.#driver.stop();
  }

  async open(url) {
    await this.#driver.open(url);
    const evaluate = (script, ...args) => this.#driver.evaluate(script, ...args);
    return { evaluate, troubles: [], do: (work, options = {}) => doIn({ evaluate }, work, options), close: async () => {} };
  }
}

/** Does a work of the page and gives what it came to. */
async function doIn(page, work, options) {
  const end = Date.now() + LIMIT_MS;
  const until = async (script) => {
    for (; Date.now() < end; await sleep(POLL_MS)) {
      const found = await page.evaluate(script);
      if (found) return found;
    }
    throw new Error(`the page did not come to the end of ${work}`);
  };
  await until("() => globalThis.isReady");
  await page.evaluate("(work, options) => void begin(work, options)", work, options);
  const { value, error } = await until("() => globalThis.ended");
  if (typeof error === "string") throw new Error(`${work}: ${error}`);
  return value;
}

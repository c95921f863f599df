// A small WebDriver client for Firefox and WebKit, which Playwright can't start from a system package. The
// well-known clients bring up to a hundred packages for the dozen commands that the tests need.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { START_MS } from "../../chromium-flags.mjs";
import { freePort } from "../../local-server.mjs";

const WAIT_MS = 30_000;
const POLL_MS = 50;
/** No command takes longer, but for the start of a browser. */
const COMMAND_MS = 60_000;
/** How often a driver is started that exits at once, as another program has taken its port. */
const MAX_STARTS = 3;
/** The standard's key of an element in JSON. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The standard's characters for keys. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", ArrowDown: "\uE015" };

/** Errors that may pass as the page goes on. */
const TRANSIENT = [
  "element not interactable",
  "invalid element state",
  "element click intercepted",
  "stale element reference",
  "no such element",
];

/** WebKit's driver finds its browser itself and shows it on DISPLAY. */
const CAPABILITIES = {
  firefox: {
    browserName: "firefox",
    "moz:firefoxOptions": { args: ["-headless"], prefs: { "intl.accept_languages": "en-US" } },
  },
  webkit: {},
};

/** A browser with one window, and in it one frame, that commands go to. */
export class WebDriver {
  #address;
  #child;
  #session;
  /** The browser's. */
  version;

  static async start(engine, program) {
    for (let starts = 1; ; starts += 1) {
      const driver = new WebDriver();
      try {
        await driver.#begin(engine, program);
        return driver;
      } catch (error) {
        const hasExited = driver.#child?.exitCode !== null;
        await driver.stop();
        if (!hasExited || starts === MAX_STARTS) throw error;
      }
    }
  }

  async #begin(engine, program) {
    const port = await freePort();
    this.#address = `http://127.0.0.1:${port}`;
    this.#child = spawn(program, [`--port=${port}`], { stdio: "ignore" });
    await this.#poll(async () => {
      const { exitCode } = this.#child;
      if (exitCode !== null) throw new Error(`the driver exited with ${exitCode}`);
      return (await this.#send("GET", "/status").catch(() => ({}))).ready;
    }, "the driver was not ready in time", START_MS);
    const wanted = { capabilities: { alwaysMatch: CAPABILITIES[engine] } };
    const { sessionId, capabilities } = await this.#send("POST", "/session", wanted, START_MS);
    this.#session = `/session/${sessionId}`;
    this.version = capabilities.browserVersion;
    await this.#ask("POST", "/timeouts", { script: WAIT_MS, pageLoad: WAIT_MS, implicit: 0 });
  }

  async stop() {
    if (this.#session) await this.#ask("DELETE", "").catch(() => {});
    this.#session = undefined;
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill();
    await ended;
  }

  open(url) {
    return this.#ask("POST", "/url", { url });
  }

  /** Runs a function in the page, with arguments that are JSON or elements. */
  evaluate(script, ...args) {
    return this.#ask("POST", "/execute/sync", { script: `return (${script})(...arguments)`, args });
  }

  /** Waits until a function in the page returns something truthy, and returns that. */
  until(script, ...args) {
    const message = `waited in vain for ${script} with ${JSON.stringify(args)}`;
    return this.#poll(() => this.evaluate(script, ...args), message);
  }

  find(css) {
    return this.until("(css) => document.querySelector(css)", css);
  }

  click(css) {
    return this.#withElement(css, (path) => this.#ask("POST", `${path}/click`, {}));
  }

  type(css, text) {
    return this.#withElement(css, async (path) => {
      // WebKit has no focus in a frame of another origin before a click there.
      await this.#ask("POST", `${path}/click`, {});
      await this.#ask("POST", `${path}/clear`, {});
      await this.#ask("POST", `${path}/value`, { text });
    });
  }

  /** Presses keys, by their names, with the focus where it is. */
  press(...keys) {
    return this.typeKeys(keys.map((key) => KEYS[key]));
  }

  /** Types a text, or keys, where the focus is. */
  typeKeys(text) {
    const actions = [...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    return this.#ask("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  back() {
    return this.#ask("POST", "/back", {});
  }

  async fill(css, value) {
    await this.find(css);
    const script = `(css, value) => {
      const control = document.querySelector(css);
      control.focus();
      control.value = value;
      for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
    }`;
    await this.evaluate(script, css, value);
  }

  /** Runs `work` with the commands going to a frame of the page. */
  async inFrame(css, work) {
    const frame = await this.find(css);
    // What is scrolled into view inside a frame of another origin may still be out of view on the page.
    await this.evaluate('(frame) => frame.scrollIntoView({ block: "start", behavior: "instant" })', frame);
    await this.#ask("POST", "/frame", { id: frame });
    try {
      return await work(this);
    } finally {
      await this.#ask("POST", "/frame/parent", {});
    }
  }

  windows() {
    return this.#ask("GET", "/window/handles");
  }

  /** Clicks an element and returns the handle of the window that this opens. */
  async clickToOpen(css) {
    const before = await this.windows();
    await this.click(css);
    const opened = async () => (await this.windows()).find((handle) => !before.includes(handle));
    return this.#poll(opened, `${css} opened no window`);
  }

  switchTo(handle) {
    return this.#ask("POST", "/window", { handle });
  }

  setSize(width, height) {
    return this.#ask("POST", "/window/rect", { width, height });
  }

  async screenshot() {
    return Buffer.from(await this.#ask("GET", "/screenshot"), "base64");
  }

  /** Repeats `work` with the path of an element until it can be used. */
  async #withElement(css, work) {
    for (const end = Date.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const path = `/element/${(await this.find(css))[ELEMENT]}`;
      try {
        return await work(path);
      } catch (error) {
        if (!TRANSIENT.includes(error.code) || Date.now() > end) throw error;
      }
    }
  }

  async #poll(find, message, limitMs = WAIT_MS) {
    for (const end = Date.now() + limitMs; Date.now() < end; await sleep(POLL_MS)) {
      const found = await find();
      if (found) return found;
    }
    throw new Error(message);
  }

  #ask(method, path, body) {
    return this.#send(method, this.#session + path, body);
  }

  async #send(method, path, body, limitMs = COMMAND_MS) {
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.timeout(limitMs);
    const command = `${method} ${path.replace(/^\/session\/[^/]+/, "")}`;
    const sent = fetch(this.#address + path, { method, headers, signal, body: body && JSON.stringify(body) });
    const reply = await sent.catch((cause) => {
      throw new Error(`${command}: ${cause.message}`, { cause });
    });
    const { value } = await reply.json();
    if (reply.ok) return value;
    throw Object.assign(new Error(`${command}: ${value.error}: ${value.message}`), { code: value.error });
  }
}

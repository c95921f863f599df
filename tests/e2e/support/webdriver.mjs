// A small WebDriver client for the engines that Playwright cannot start from a system package: Firefox and
// WebKit. It is hand-written because the dozen commands it needs are HTTP requests with JSON, while the
// well-known clients bring up to a hundred packages, some of which download browsers.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 20_000;
/** How long a page may take to come to what is waited for. */
const WAIT_MS = 20_000;
const POLL_MS = 50;

/** How the standard marks an element in JSON. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** What becomes possible when the page has gone on. */
const NOT_YET = [
  "element not interactable",
  "invalid element state",
  "element click intercepted",
  "stale element reference",
  "no such element",
];

/** Each engine's capabilities. WebKit's driver finds its browser itself and shows it on DISPLAY. */
const CAPABILITIES = {
  firefox: {
    browserName: "firefox",
    "moz:firefoxOptions": { args: ["-headless"], prefs: { "intl.accept_languages": "en-US" } },
  },
  webkit: {},
};

/** A browser with one window that commands go to, and in it one frame. */
export class WebDriver {
  #address;
  #child;
  #session;

  /** Starts an engine's driver, and its browser, which accepts any certificate unless told otherwise. */
  static async start(engine, program, acceptInsecureCerts = true) {
    const driver = new WebDriver();
    const port = await freePort();
    driver.#address = `http://127.0.0.1:${port}`;
    driver.#child = spawn(program, [`--port=${port}`], { stdio: "ignore" });
    try {
      await driver.#ready();
      const { sessionId } = await driver.#send("POST", "/session", {
        capabilities: { alwaysMatch: { ...CAPABILITIES[engine], acceptInsecureCerts } },
      });
      driver.#session = `/session/${sessionId}`;
      await driver.#ask("POST", "/timeouts", { script: WAIT_MS, pageLoad: WAIT_MS, implicit: 0 });
    } catch (error) {
      await driver.stop();
      throw error;
    }
    return driver;
  }

  /** Ends the browser, then its driver. */
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

  /** Runs a function in the page with arguments that are JSON or elements, and returns its result. */
  evaluate(script, ...args) {
    return this.#ask("POST", "/execute/sync", { script: `return (${script})(...arguments)`, args });
  }

  /** Waits until a function of the page returns something true, and gives that back. */
  async until(script, ...args) {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const found = await this.evaluate(script, ...args);
      if (found) return found;
    }
    throw new Error(`it was waited in vain for ${script} with ${JSON.stringify(args)}`);
  }

  /** Waits for an element. */
  find(css) {
    return this.until("(css) => document.querySelector(css)", css);
  }

  click(css) {
    return this.#patiently(css, (path) => this.#ask("POST", `${path}/click`, {}));
  }

  /** Replaces what stands in an input, key by key. */
  type(css, text) {
    return this.#patiently(css, async (path) => {
      // WebKit finds no focus in a frame of another origin before something there was clicked.
      await this.#ask("POST", `${path}/click`, {});
      await this.#ask("POST", `${path}/clear`, {});
      await this.#ask("POST", `${path}/value`, { text });
    });
  }

  /** Replaces what stands in an input at once, as Playwright does. */
  fill(css, text) {
    return this.#set(css, text);
  }

  /** Chooses an option of a list by its value. */
  choose(css, value) {
    return this.#set(css, value);
  }

  /** Does `work` with the commands going to a frame of the page. */
  async inFrame(css, work) {
    const frame = await this.find(css);
    // What is scrolled into view in a frame of another origin may still be out of view on the page.
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

  /** Clicks what opens another window, and gives that window. */
  async clickToOpen(css) {
    const before = await this.windows();
    await this.click(css);
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const opened = (await this.windows()).find((handle) => !before.includes(handle));
      if (opened) return opened;
    }
    throw new Error(`${css} opened no window`);
  }

  switchTo(handle) {
    return this.#ask("POST", "/window", { handle });
  }

  setSize(width, height) {
    return this.#ask("POST", "/window/rect", { width, height });
  }

  /** A picture of what is in view, as PNG. */
  async screenshot() {
    return Buffer.from(await this.#ask("GET", "/screenshot"), "base64");
  }

  async #set(css, value) {
    await this.find(css);
    const script = `(css, value) => {
      const control = document.querySelector(css);
      control.focus();
      control.value = value;
      for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
    }`;
    await this.evaluate(script, css, value);
  }

  /** Does something with an element, as soon as a person could. */
  async #patiently(css, work) {
    for (const end = Date.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const path = `/element/${idOf(await this.find(css))}`;
      try {
        return await work(path);
      } catch (error) {
        if (!NOT_YET.includes(error.code) || Date.now() > end) throw error;
      }
    }
  }

  async #ready() {
    for (const end = Date.now() + START_MS; Date.now() < end; await sleep(POLL_MS)) {
      if (this.#child.exitCode !== null) throw new Error(`the driver ended with status ${this.#child.exitCode}`);
      const { ready } = await this.#send("GET", "/status").catch(() => ({}));
      if (ready) return;
    }
    throw new Error("the driver was not ready in time");
  }

  #ask(method, path, body) {
    return this.#send(method, this.#session + path, body);
  }

  async #send(method, path, body) {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(this.#address + path, { method, headers, body: body && JSON.stringify(body) });
    const { value } = await reply.json();
    if (reply.ok) return value;
    const text = `${method} ${path.replace(/^\/session\/[^/]+/, "")}: ${value.error}: ${value.message}`;
    throw Object.assign(new Error(text), { code: value.error });
  }
}

function idOf(element) {
  return element[ELEMENT];
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

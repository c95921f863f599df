import { failure, invalid, standardFailure } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { readMembers } from "../input/plain.js";
import { readSignal, unlessAborted } from "../input/signal.js";
import { nodeModule } from "./node.js";
import { findProgram } from "./sandbox-program.js";
import { Sandbox, readAddresses, readTime } from "./sandbox.js";

const CODE = "InvalidConfiguration";
const OPTIONS = [
  "port", "cardPort", "db", "config", "seed", "frameAncestors", "controlOrigins", "contract", "now", "frozen",
  "webhook", "listen", "hosts", "program", "signal",
];
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
/** Pages of tests: on this machine, on any port. */
const LOCAL_PAGES = ["http://127.0.0.1:*", "http://localhost:*"];
/** How much output is kept for an error. */
const MAX_OUTPUT = 8_192;

export async function startSandbox(options = {}) {
  const { spawn } = await nodeModule("child_process", "startSandbox");
  const { fileURLToPath } = await nodeModule("url", "startSandbox");
  const signal = readSignal(options);
  const { program: path, db, config, ...settings } = readKnown(options, OPTIONS, CODE);
  const args = readArguments(settings);
  const file = readPath(db, "db", fileURLToPath);
  if (file !== undefined) args.push("--db", file);
  const data = await configFile(config, fileURLToPath);
  args.push(...data.args);
  const program = await findProgram(readPath(path, "program", fileURLToPath));
  if (signal?.aborted) throw standardFailure("Aborted");
  // The sandbox ends with its stdin, which the system closes, however this process ends.
  const child = spawn(program, [...args, "--json", "--stop-with-stdin"], {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const end = new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("close", (code, by) => resolve({ code, by }));
  });
  child.stdin.on("error", () => {});
  try {
    return new StartedSandbox(await addressesOf(child, end, signal), child, end);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    await data.remove();
  }
}

/** Returns the arguments for the world's data: those of a file, or of a temporary one with an object's JSON. */
async function configFile(config, fileURLToPath) {
  if (config === undefined) return { args: [], remove() {} };
  const isFile = typeof config === "string" || config instanceof URL;
  if (isFile) return { args: ["--config", readPath(config, "config", fileURLToPath)], remove() {} };
  const text = JSON.stringify(readMembers(config, "config", CODE));
  const { mkdtemp, rm, writeFile } = await nodeModule("fs/promises", "startSandbox");
  const { tmpdir } = await nodeModule("os", "startSandbox");
  const { join } = await nodeModule("path", "startSandbox");
  const folder = await mkdtemp(join(tmpdir(), "remitkit-sandbox-"));
  await writeFile(join(folder, "config.json"), text);
  return { args: ["--config", join(folder, "config.json")], remove: () => rm(folder, { recursive: true }) };
}

class StartedSandbox extends Sandbox {
  #child;
  #end;
  #stopping;

  constructor(addresses, child, end) {
    super(addresses);
    this.#child = child;
    this.#end = end;
    // A process that forgets `stop` still ends, and the sandbox with it.
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref();
  }

  get pid() {
    return this.#child.pid;
  }

  stop() {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose ?? Symbol()]() {
    return this.stop();
  }

  async #stop() {
    const child = this.#child;
    for (const handle of [child, child.stdout, child.stderr]) handle.ref();
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await this.#end;
    clearTimeout(timer);
  }
}

// The program was found before.
const NO_LOADER =
  "its program is there, but not what it needs to run. It needs glibc, which Alpine and other systems with " +
  "musl lack: use an image such as node:22-slim, or build the program there";

function readArguments(options) {
  const { port, cardPort, seed, frameAncestors, controlOrigins = LOCAL_PAGES } = options;
  const { contract, now, frozen, webhook, listen, hosts = [] } = options;
  const args = ["--port", readPort(port, "port"), "--card-port", readPort(cardPort, "cardPort")];
  if (seed !== undefined) {
    if (!(typeof seed === "bigint" || Number.isSafeInteger(seed)) || seed < 0 || seed >= 2n ** 64n) {
      throw invalid(CODE, "seed", "a whole number, not negative");
    }
    args.push("--seed", String(seed));
  }
  if (frameAncestors !== undefined) {
    args.push(...readTexts(frameAncestors, "frameAncestors", "--frame-ancestor"));
  }
  args.push(...readTexts(controlOrigins, "controlOrigins", "--control-origin"));
  if (contract) args.push("--contract");
  if (now !== undefined) args.push("--now", readTime(now, "now", CODE));
  if (frozen) args.push("--frozen");
  if (webhook !== undefined) args.push(...readWebhook(webhook));
  if (listen !== undefined) args.push(...readTexts([listen], "listen", "--listen"));
  args.push(...readTexts(hosts, "hosts", "--allow-host"));
  return args;
}

function readWebhook(webhook) {
  const { url, key, automatic = true } = readKnown(webhook, ["url", "key", "automatic"], CODE, "webhook");
  if (!URL.canParse(url) || new URL(url).protocol !== "http:") {
    throw invalid(CODE, "webhook.url", "an http address");
  }
  if (typeof key !== "string" || key === "") throw invalid(CODE, "webhook.key", "a text");
  const args = ["--webhook", String(url), "--webhook-key", key];
  return automatic ? args : [...args, "--webhook-by-hand"];
}

function readTexts(texts, option, argument) {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
    throw invalid(CODE, option, "a list of texts");
  }
  return texts.flatMap((text) => [argument, text]);
}

function readPort(port = 0, option) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid(CODE, option, "a port, or 0 for any that is free");
  }
  return String(port);
}

function readPath(path, option, fileURLToPath) {
  if (path === undefined) return undefined;
  if (path?.protocol === "file:") return fileURLToPath(String(path));
  if (typeof path === "string" && path !== "") return path;
  throw invalid(CODE, option, "a path, or a URL of a file");
}

/** Waits for the sandbox's first line, which has its addresses. Drains all later output. */
async function addressesOf(child, end, signal) {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    complaint = (complaint + chunk).slice(-MAX_OUTPUT);
  });
  const notStarted = (how, cause) => {
    const reason = complaint.trim() === "" ? "" : `\n${complaint.trim()}`;
    return failure(CODE, `The sandbox did not start: ${how}.${reason}`, { cause });
  };
  let timer;
  const line = new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text = text.length > MAX_OUTPUT ? text : text + chunk;
      const [first, ...others] = text.split("\n");
      if (others.length > 0) resolve(first);
    });
    const late = () => reject(notStarted(`it was not ready after ${START_TIMEOUT_MS / 1000} s`));
    timer = setTimeout(late, START_TIMEOUT_MS);
    end.then(({ error, code, by }) => {
      const how = error?.code === "ENOENT" ? NO_LOADER : error?.message;
      reject(notStarted(how ?? `it ended with ${by ?? `status ${code}`}`, error));
    });
  });
  try {
    return readAddresses(JSON.parse(await unlessAborted(line, signal, "Aborted")));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause.option?.startsWith("addresses")) {
      throw notStarted("it does not announce itself as a sandbox does", cause);
    }
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

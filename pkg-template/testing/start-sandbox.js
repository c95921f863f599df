import { failure, invalid, standardFailure } from "../errors.js";
import { readMembers } from "../plain.js";
import { readSignal } from "../signal.js";
import { nodeModule } from "./node.js";
import { findProgram } from "./sandbox-program.js";
import { Sandbox, readAddresses } from "./sandbox.js";

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
/** A page of the tests is on this machine, on any port. */
const LOCAL_PAGES = ["http://127.0.0.1:*", "http://localhost:*"];
/** Of what it writes to its stderr, so much is kept for the error. */
const KEPT_STDERR = 8_192;

export async function startSandbox(options = {}) {
  const { spawn } = await nodeModule("child_process", "startSandbox");
  const { fileURLToPath } = await nodeModule("url", "startSandbox");
  const signal = readSignal(options);
  const { program: wanted, db, ...settings } = readMembers(options, "options", "InvalidConfiguration");
  const args = readArguments(settings);
  const file = readPath(db, "db", fileURLToPath);
  if (file !== undefined) {
    args.push("--db", file);
  }
  const program = await findProgram(readPath(wanted, "program", fileURLToPath));
  if (signal?.aborted) {
    throw standardFailure("Aborted");
  }
  // Its end is tied to a pipe that this process alone holds: the system closes it however this process ends.
  const child = spawn(program, [...args, "--json", "--stop-with-stdin"], {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const end = new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("close", (code, by) => resolve({ code, by }));
  });
  child.stdin.on("error", () => {});
  const complaint = keepComplaint(child.stderr);
  try {
    const addresses = await announced(child, end, signal, complaint);
    return new StartedSandbox(addresses, child, end);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

class StartedSandbox extends Sandbox {
  #child;
  #end;
  #stopping;

  constructor(addresses, child, end) {
    super(addresses);
    this.#child = child;
    this.#end = end;
    // What forgets to stop it shall still end by itself, and take it along.
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      handle.unref();
    }
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
    for (const handle of [child, child.stdout, child.stderr]) {
      handle.ref();
    }
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    await this.#end;
    clearTimeout(timer);
  }
}

function readArguments({
  port,
  cardPort,
  seed,
  frameAncestors,
  controlOrigins = LOCAL_PAGES,
  contract,
}) {
  const args = ["--port", readPort(port, "port"), "--card-port", readPort(cardPort, "cardPort")];
  if (seed !== undefined) {
    if (!(typeof seed === "bigint" || Number.isSafeInteger(seed)) || seed < 0 || seed >= 2n ** 64n) {
      throw invalid("InvalidConfiguration", "seed", "a whole number, not negative");
    }
    args.push("--seed", String(seed));
  }
  if (frameAncestors !== undefined) {
    args.push(...readOrigins(frameAncestors, "frameAncestors", "--frame-ancestor"));
  }
  args.push(...readOrigins(controlOrigins, "controlOrigins", "--control-origin"));
  if (contract) {
    args.push("--contract");
  }
  return args;
}

function readOrigins(origins, option, argument) {
  if (!Array.isArray(origins) || !origins.every((origin) => typeof origin === "string")) {
    throw invalid("InvalidConfiguration", option, "a list of origins");
  }
  return origins.flatMap((origin) => [argument, origin]);
}

function readPort(port = 0, option) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid("InvalidConfiguration", option, "a port, or 0 for any that is free");
  }
  return String(port);
}

function readPath(path, option, fileURLToPath) {
  if (path === undefined) {
    return undefined;
  }
  if (path?.protocol === "file:") {
    return fileURLToPath(String(path));
  }
  if (typeof path !== "string" || path === "") {
    throw invalid("InvalidConfiguration", option, "a path, or a URL of a file");
  }
  return path;
}

/** Waits for the line with which it says that it is ready, and lets all else it prints pass. */
async function announced(child, end, signal, complaint) {
  let timer;
  let onAbort;
  const line = new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text = text.length > KEPT_STDERR ? text : text + chunk;
      const [first, ...others] = text.split("\n");
      if (others.length > 0) {
        resolve(first);
      }
    });
    timer = setTimeout(
      () => reject(notStarted(`it was not ready after ${START_LIMIT_MS / 1000} s`, complaint)),
      START_LIMIT_MS,
    );
    onAbort = () => reject(standardFailure("Aborted"));
    signal?.addEventListener("abort", onAbort, { once: true });
    end.then(({ error, code, by }) => {
      const how = error?.message ?? `it ended with ${by ?? `status ${code}`}`;
      reject(notStarted(how, complaint, error));
    });
  });
  try {
    return readAddresses(JSON.parse(await line));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause.option?.startsWith("addresses")) {
      throw notStarted("it does not announce itself as a sandbox does", complaint, cause);
    }
    throw cause;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function keepComplaint(stderr) {
  let kept = "";
  stderr.setEncoding("utf8").on("data", (chunk) => {
    kept = (kept + chunk).slice(-KEPT_STDERR);
  });
  return () => kept.trim();
}

function notStarted(how, complaint, cause) {
  const said = complaint();
  const message = `The sandbox did not start: ${how}.${said === "" ? "" : `\n${said}`}`;
  return failure("InvalidConfiguration", message, { cause });
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

// Below the system's ephemeral ports: no other process takes the port while the sandbox is down.
const PORTS = [18_000, 28_000];
const READY_MS = 20_000;

/** A sandbox on one database file that is killed and restarted at the same addresses. */
export class Sandbox {
  #options;
  #log;
  #faults = [];
  #ports;
  #child;
  #announced;
  #failure;

  /** @param options `{ program, database, seed, log }` */
  constructor(options) {
    this.#options = options;
    this.#log = createWriteStream(options.log);
  }

  get baseUrl() {
    return this.#announced.baseUrl;
  }

  get cardUrl() {
    return this.#announced.cardUrl;
  }

  /** What a shop's backend needs to get tokens. */
  get credentials() {
    const { baseUrl, clientId, clientSecret, senderId } = this.#announced;
    return { baseUrl, clientId, clientSecret, senderId };
  }

  async start(chance) {
    this.#ports ??= await freePorts(chance);
    for (const began = Date.now(); ; await sleep(200)) {
      try {
        await this.#launch();
        break;
      } catch (error) {
        // A connection of the killed process may hold the port for a moment.
        if (Date.now() - began > READY_MS) throw error;
      }
    }
    await this.#postFaults();
  }

  /** Ends it as a power cut would. */
  async kill() {
    const child = this.#child;
    this.#child = undefined;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Stops it cleanly. */
  async stop() {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    child.stdin.end();
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`the sandbox ended with status ${code}`);
  }

  /** Fails if it ended by itself. */
  check() {
    if (this.#failure) throw this.#failure;
  }

  /** Sets the faults, for every later start as well. */
  async setFaults(faults) {
    this.#faults = faults;
    if (this.#child) await this.#postFaults();
  }

  /** Reads the transfers from the database file, without the running sandbox. */
  async rows() {
    const { program, database } = this.#options;
    const args = ["--db", database, "--list-transfers"];
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.pipe(this.#log, { end: false });
    const rows = [];
    for await (const line of createInterface({ input: child.stdout })) rows.push(JSON.parse(line));
    if (child.exitCode === null) await once(child, "exit");
    if (child.exitCode !== 0) throw new Error(`--list-transfers ended with status ${child.exitCode}`);
    return rows;
  }

  async #launch() {
    const { program, database, seed } = this.#options;
    const [port, cardPort] = this.#ports;
    const args = ["--port", port, "--card-port", cardPort, "--db", database, "--seed", seed];
    const child = spawn(program, [...args, "--json", "--stop-with-stdin"]);
    child.stderr.pipe(this.#log, { end: false });
    // A killed process cannot read what is still to be written.
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout });
    const announced = once(lines, "line").then(([line]) => JSON.parse(line));
    const ended = once(child, "exit").then(([code, signal]) => {
      const failure = new Error(`the sandbox ended by itself (${signal ?? `status ${code}`})`);
      if (this.#child === child) {
        this.#child = undefined;
        this.#failure = failure;
      }
      throw failure;
    });
    ended.catch(() => {});
    this.#announced = await Promise.race([announced, ended]);
    this.#child = child;
  }

  async #postFaults() {
    const address = `${this.baseUrl}/sandbox/faults`;
    const body = JSON.stringify({ faults: this.#faults });
    const post = { method: "POST", headers: { "content-type": "application/json" }, body };
    for (const init of [{ method: "DELETE" }, post]) {
      const reply = await fetch(address, init);
      if (!reply.ok) throw new Error(`/sandbox/faults answered ${reply.status}: ${await reply.text()}`);
    }
  }
}

/** Returns two ports that are not in use. */
async function freePorts(chance) {
  const ports = new Set();
  while (ports.size < 2) {
    const port = chance.between(...PORTS);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

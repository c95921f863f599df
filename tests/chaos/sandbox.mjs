import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

// Below the system's ephemeral ports: no other process may take the port while the sandbox is down.
const PORTS = [18_000, 28_000];
const READY_MS = 20_000;

/** A sandbox on one database file that is killed and started again at the same addresses. */
export class Sandbox {
  #program;
  #database;
  #seed;
  #log;
  #faults = [];
  #ports;
  #child;
  #announced;
  #trouble;

  constructor({ program, database, seed, log }) {
    this.#program = program;
    this.#database = database;
    this.#seed = seed;
    this.#log = createWriteStream(log);
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

  get isUp() {
    return this.#child !== undefined;
  }

  async start(chance) {
    this.#ports ??= await freePorts(chance);
    for (const began = Date.now(); ; await sleep(200)) {
      try {
        await this.#begin();
        break;
      } catch (error) {
        // A connection of the killed one may hold the port for a moment.
        if (Date.now() - began > READY_MS) throw error;
      }
    }
    await this.#tellFaults();
  }

  /** As a power cut would end it. */
  async kill() {
    const child = this.#child;
    this.#child = undefined;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Ends it in peace. */
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
    if (this.#trouble) throw this.#trouble;
  }

  /** From now on these faults are there, after each start. */
  async setFaults(faults) {
    this.#faults = faults;
    if (this.isUp) await this.#tellFaults();
  }

  /** The rows of the database, read from its file: the sandbox is not asked. */
  async rows() {
    const child = spawn(this.#program, ["--db", this.#database, "--list-transfers"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.pipe(this.#log, { end: false });
    const rows = [];
    for await (const line of createInterface({ input: child.stdout })) rows.push(JSON.parse(line));
    if (child.exitCode === null) await once(child, "exit");
    if (child.exitCode !== 0) throw new Error(`--list-transfers ended with status ${child.exitCode}`);
    return rows;
  }

  async #begin() {
    const [port, cardPort] = this.#ports;
    const child = spawn(
      this.#program,
      ["--port", port, "--card-port", cardPort, "--db", this.#database, "--seed", this.#seed, "--json", "--stop-with-stdin"],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    child.stderr.pipe(this.#log, { end: false });
    // A killed one cannot read what is still to be written.
    child.stdin.on("error", () => {});
    const lines = createInterface({ input: child.stdout });
    const first = once(lines, "line").then(([line]) => JSON.parse(line));
    const ended = once(child, "exit").then(([code, signal]) => {
      if (this.#child === child) {
        this.#child = undefined;
        this.#trouble = new Error(`the sandbox ended by itself (${signal ?? `status ${code}`})`);
      }
      throw new Error(`the sandbox did not start (${signal ?? `status ${code}`})`);
    });
    ended.catch(() => {});
    this.#announced = await Promise.race([first, ended]);
    this.#child = child;
  }

  async #tellFaults() {
    const address = `${this.baseUrl}/sandbox/faults`;
    const body = JSON.stringify({ faults: this.#faults });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    for (const reply of [await fetch(address, { method: "DELETE" }), await fetch(address, init)]) {
      if (!reply.ok) throw new Error(`the sandbox answered /sandbox/faults with ${reply.status}: ${await reply.text()}`);
    }
  }
}

/** Two ports that nobody listens on. */
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
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

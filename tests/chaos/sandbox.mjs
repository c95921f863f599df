import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

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

  /** Starts it, the first time at two ports by chance. */
  async start(chance) {
    const isFirst = this.#ports === undefined;
    for (const began = Date.now(); ; await sleep(200)) {
      if (isFirst) this.#ports = [chance.between(...PORTS), chance.between(...PORTS)];
      try {
        await this.#launch();
        break;
      } catch (error) {
        // A port is in use, later perhaps by a connection of the killed process for a moment.
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
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: Infinity });
    return stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line));
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

// A sandbox and a shop for one lane, reset between walks.

import { once } from "node:events";
import { join } from "node:path";
import { createBackend } from "../../www/backend/server.mjs";
import { Chance } from "../chaos/chance.mjs";
import { Sandbox } from "../chaos/sandbox.mjs";

/** More than any walk can send. */
const BALANCE = { clientId: "sandbox-client", cents: 100_000_000_000 };
const LIFETIMES = { quoteSeconds: 900, cardSessionSeconds: 1_800 };

export class World {
  #sandbox;
  #server;

  static async start({ program, folder, seed, site }) {
    const world = new World();
    const files = { database: join(folder, `${seed}.db`), log: join(folder, `${seed}.log`) };
    const sandbox = new Sandbox({ program, seed: String(seed), ...files });
    await sandbox.start(new Chance(seed, "ports"));
    world.#sandbox = sandbox;
    const config = { ...sandbox.credentials, cardUrl: sandbox.cardUrl, port: 0 };
    world.#server = createBackend(config, site).listen(0, "127.0.0.1");
    await once(world.#server, "listening");
    return world;
  }

  get shopUrl() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async reset() {
    await this.post("reset", {});
    await this.calm();
  }

  /** Removes all faults, and restores the balance and the lifetimes. */
  async calm() {
    await this.post("balance", BALANCE);
    await this.post("lifetimes", LIFETIMES);
    await this.#call("faults", { method: "DELETE" });
  }

  post(path, body) {
    const headers = { "content-type": "application/json" };
    return this.#call(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async rows() {
    return (await this.#call("transfers")).json();
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#sandbox.stop();
  }

  async #call(path, init) {
    const reply = await fetch(`${this.#sandbox.baseUrl}/sandbox/${path}`, init);
    if (!reply.ok) throw new Error(`/sandbox/${path} answered ${reply.status}: ${await reply.text()}`);
    return reply;
  }
}

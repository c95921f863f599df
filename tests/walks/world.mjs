// A sandbox and a shop of one's own, which are brought back to their start between walks.

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
    const sandbox = new Sandbox({ program, database: join(folder, `${seed}.db`), seed: String(seed), log: join(folder, `${seed}.log`) });
    await sandbox.start(new Chance(seed, "ports"));
    world.#sandbox = sandbox;
    const config = { ...sandbox.credentials, cardUrl: sandbox.cardUrl, port: 0 };
    world.#server = createBackend(config, site);
    await new Promise((resolve) => world.#server.listen(0, "127.0.0.1", resolve));
    return world;
  }

  get shopUrl() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Everything as at the start. */
  async reset() {
    await this.tell("reset", {});
    await this.calm();
  }

  /** Nothing goes wrong any more, there is money, and what is handed out is good for long. */
  async calm() {
    await this.tell("balance", BALANCE);
    await this.tell("lifetimes", LIFETIMES);
    await this.#ask("faults", { method: "DELETE" });
  }

  tell(path, body) {
    return this.#ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }

  async rows() {
    return (await this.#ask("transfers")).json();
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#sandbox.stop();
  }

  async #ask(path, init) {
    const reply = await fetch(`${this.#sandbox.baseUrl}/sandbox/${path}`, init);
    if (!reply.ok) throw new Error(`the sandbox answered /sandbox/${path} with ${reply.status}: ${await reply.text()}`);
    return reply;
  }
}

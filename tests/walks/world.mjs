// A sandbox and a shop for one lane, reset between walks.

import { startDemo } from "../../www/demo.mjs";

/** More than any walk can send. */
const BALANCE = { clientId: "sandbox-client", cents: 100_000_000_000 };
const LIFETIMES = { quoteSeconds: 900, cardSessionSeconds: 1_800 };

export class World {
  #demo;

  static async start({ program, seed, shop }) {
    const world = new World();
    world.#demo = await startDemo({ program, args: ["--seed", String(seed)], folder: shop });
    return world;
  }

  get shopUrl() {
    return this.#demo.shopUrl;
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

  stop() {
    return this.#demo.stop();
  }

  async #call(path, init) {
    const reply = await fetch(`${this.#demo.baseUrl}/sandbox/${path}`, init);
    if (!reply.ok) throw new Error(`/sandbox/${path} answered ${reply.status}: ${await reply.text()}`);
    return reply;
  }
}

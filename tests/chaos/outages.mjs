import { setTimeout as sleep } from "node:timers/promises";

/** Kills the sandbox every few seconds and starts it again. */
export class Outages {
  #sandbox;
  #chance;
  #upMs;
  #downMs;
  #isOver = false;
  count = 0;

  constructor(sandbox, chance, { upMs, downMs }) {
    this.#sandbox = sandbox;
    this.#chance = chance;
    this.#upMs = upMs;
    this.#downMs = downMs;
  }

  async go() {
    for (;;) {
      await this.#pause(this.#upMs);
      if (this.#isOver) return;
      this.#sandbox.check();
      await this.#sandbox.kill();
      this.count += 1;
      await this.#pause(this.#downMs);
      await this.#sandbox.start();
    }
  }

  /** No more of them. The sandbox is up when what `go` gave has ended. */
  end() {
    this.#isOver = true;
  }

  async #pause(range) {
    const end = Date.now() + this.#chance.between(...range);
    while (Date.now() < end && !this.#isOver) await sleep(50);
  }
}

// The third proof, in the page: the card form is mounted and destroyed repeatedly and leaves nothing behind.

import { Chance } from "../chaos/chance.mjs";
import { memoryOf } from "./memory.mjs";
import { ID, REQUESTS } from "./samples.mjs";

const AT_ONCE = 4;
const READY_MS = 20_000;

export class Mounts {
  #module;
  #glue;
  #service;
  #container;
  #timers = new Set();
  #kit;

  constructor({ module, glue, service, container }) {
    this.#module = module;
    this.#glue = glue;
    this.#service = service;
    this.#container = container;
    this.#countTimers();
  }

  /** The cycles `from` up to `to`. Gives what is there afterwards and should not be. */
  async cycle({ seed, from, to }) {
    this.#service.behave = ({ path }) =>
      path.startsWith("/v1/card-onboarding-sessions/")
        ? { body: JSON.stringify({ id: ID, status: "SUCCEEDED", expirationDate: "2030-01-01T00:00:00Z", cardId: ID }) }
        : {};
    this.#kit = await this.#module.createRemitKit(REQUESTS.options("memory"));
    let next = from;
    let faults = 0;
    const one = async () => {
      while (next < to) {
        const at = next++;
        try {
          await this.#mountOnce(new Chance(seed, `mount/${at}`));
        } catch (error) {
          faults += 1;
          console.error(at, error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    await this.#kit.destroy();
    this.#kit = undefined;
    this.#service.take();
    return {
      faults,
      timers: this.#timers.size,
      elements: this.#container.childElementCount,
      wasmBytes: memoryOf(this.#glue.exports).buffer.byteLength,
    };
  }

  async #mountOnce(chance) {
    const form = await this.#kit.cardForm({ container: this.#container, theme: { lng: chance.pick(["en", "es-MX"]) } });
    const kind = chance.between(0, 5);
    const heard = new Promise((resolve) => form.on("READY", resolve));
    // Some are gone before they have loaded.
    if (kind > 0) await within(heard, "READY");
    if (kind === 2) {
      const again = new Promise((resolve) => form.on("READY", resolve));
      form.update({ theme: { primary: "#0a7", lng: "es-MX" } });
      await within(again, "READY again");
    }
    if (kind === 3) await form.renew();
    if (kind === 4) for await (const event of form) if (event.type === "CARD_VALIDATION_START") break;
    if (kind === 5) await within(Promise.race([form.completed, failed(form)]), "an end");
    form.destroy();
  }

  #countTimers() {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    globalThis.setTimeout = (call, ms, ...args) => {
      const id = set(() => {
        this.#timers.delete(id);
        call(...args);
      }, ms);
      this.#timers.add(id);
      return id;
    };
    globalThis.clearTimeout = (id) => {
      this.#timers.delete(id);
      clear(id);
    };
  }
}

const failed = (form) => new Promise((resolve) => form.on("CARD_VALIDATION_STOP_FAIL", resolve));

async function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, READY_MS, new Error(`${what} did not come`));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// One life of the SDK on which inputs are tried: a kit, what it gives out, and everything around it.

import { ASIDE_ID } from "./service.mjs";
import { memoryOf } from "./memory.mjs";
import { ID, QUOTE, REQUESTS, place } from "./samples.mjs";
import { said, same } from "./said.mjs";

export class Bench {
  journal = new Map();
  #fields;
  #form;

  constructor({ module, glue, service, clock, container }) {
    Object.assign(this, { module, glue, service, clock, container, isOurs: module.isRemitError });
  }

  async begin() {
    this.kit = await this.newKit();
    this.#fields = undefined;
    this.#form = undefined;
  }

  newKit() {
    return this.module.createRemitKit(REQUESTS.options(this.journal));
  }

  async fieldForm() {
    this.#fields ??= await this.kit.recipientAccountFields(REQUESTS.corridorFields());
    return this.#fields;
  }

  /** One that is on the page: a new one where the last was destroyed. */
  async cardForm() {
    if (!this.#form?.element?.isConnected) {
      this.#form?.destroy();
      this.#form = await this.kit.cardForm({ container: this.container, sessionId: ID });
      this.#form.completed.catch(() => {});
    }
    return this.#form;
  }

  /** What a value does that leads back into the SDK while the SDK reads it. */
  reenter() {
    try {
      this.kit.contentSecurityPolicy();
      this.kit.getQuote(ASIDE_ID).catch(() => {});
      this.module.toMinorUnits("1.00", { decimalPlaces: 2 });
    } catch {
      // After a crash the call that is judged says so.
    }
  }

  /** Fails unless all is as at the beginning. */
  async isSound() {
    const quote = await this.clock.settle(this.kit.quote(REQUESTS.quote()));
    const policy = this.kit.contentSecurityPolicy();
    const units = this.module.toMinorUnits("125.50", { decimalPlaces: 2 });
    this.service.take();
    return (
      same(said(quote?.value), said(QUOTE)) && policy["frame-src"][0] === place.cardUrl && units === 12550
    );
  }

  /** How the kit ended. */
  async end() {
    const outcome = await this.clock.settle((async () => this.kit.destroy())());
    this.journal.clear();
    this.service.take();
    return outcome;
  }

  async wasmBytes() {
    return memoryOf(this.glue.exports).buffer.byteLength;
  }
}

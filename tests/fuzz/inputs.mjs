// The first proof: hostile values, one after the other, each with its verdict.

import { Chance } from "../chaos/chance.mjs";
import { asJson, same } from "./json.mjs";
import { ID, QUOTE, REQUESTS, place } from "./samples.mjs";
import { ASIDE_ID } from "./service.mjs";
import { SUBJECTS } from "./subjects.mjs";
import { describe, faultOfUncaught, faultsOf } from "./verdict.mjs";

/** The inputs of one kit. */
const BATCH = 50;
/** The wasm may grow to what its largest inputs need, and no further. */
const MOST_WASM_BYTES = 64 * 1024 * 1024;

/** A kit on which inputs are tried, and what it returned. */
export class Bench {
  journal = new Map();
  #fields;
  #form;

  /** @param parts `{ module, memory, service, clock, container }` */
  constructor(parts) {
    Object.assign(this, parts, { isOurs: parts.module.isRemitError });
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

  /** Returns a form that is on the page: a new one if the last was destroyed. */
  async cardForm() {
    if (!this.#form?.element?.isConnected) {
      this.#form?.destroy();
      this.#form = await this.kit.cardForm({ container: this.container, sessionId: ID });
      this.#form.completed.catch(() => {});
    }
    return this.#form;
  }

  /** Calls the SDK from a value that the SDK is reading. */
  reenter() {
    try {
      this.kit.contentSecurityPolicy();
      this.kit.getQuote(ASIDE_ID).catch(() => {});
      this.module.toMinorUnits("1.00", { decimalPlaces: 2 });
    } catch {
      // A crash is reported by the call that is judged.
    }
  }

  /** Returns why the SDK no longer works as at the beginning, if so. */
  async unsoundness() {
    try {
      const quote = await this.clock.settle(this.kit.quote(REQUESTS.quote()));
      const policy = this.kit.contentSecurityPolicy();
      const units = this.module.toMinorUnits("125.50", { decimalPlaces: 2 });
      const isSame = same(asJson(quote?.value), asJson(QUOTE)) && policy["frame-src"][0] === place.cardUrl;
      if (!isSame || units !== 12550) return "a correct call has another result than before";
    } catch (error) {
      return describe(error);
    }
    this.service.take();
    const bytes = this.memory.buffer.byteLength;
    return bytes > MOST_WASM_BYTES ? `the wasm has ${bytes} bytes` : undefined;
  }

  /** Destroys the kit; returns the outcome. */
  async end() {
    const outcome = await this.clock.settle((async () => this.kit.destroy())());
    this.journal.clear();
    this.service.take();
    return outcome;
  }
}

/** Returns what a page can call: the module's functions, and the methods of what they return. */
export async function callable(bench) {
  await bench.begin();
  const { module, kit, container } = bench;
  const objects = {
    RemitError: new module.RemitError("Aborted", "", {}),
    RemitKit: kit,
    FieldForm: await bench.fieldForm(),
    TransferAttempt: await kit.prepareTransfer(REQUESTS.transfer(ID)),
    CardForm: await bench.cardForm(),
    PushToCardFlow: kit.pushToCard(REQUESTS.flow(container)),
  };
  const methodsOf = ([name, object]) => {
    const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
    const methods = Reflect.ownKeys(members).filter((key) => typeof members[key].value === "function");
    return methods.filter((key) => key !== "constructor").map((key) => `${name}.${nameOf(key)}`);
  };
  const functions = Object.keys(module).filter((name) => typeof module[name] === "function");
  return [...functions, ...Object.entries(objects).flatMap(methodsOf)];
}

const nameOf = (key) => (typeof key === "string" ? key : `[${key.description.split(".").at(-1)}]`);

/**
 * Tries the inputs `from` up to `to` of a seed. Calls `tell` with `{ at }` before each, and with
 * `{ fault, at, name, says }` for each fault; `takeUncaught` returns uncaught errors.
 */
export async function tryInputs({ seed, from, to, names, bench, world, takeUncaught, tell }) {
  for (let start = from; start < to; start += BATCH) {
    const range = { at: start, to: Math.min(start + BATCH, to) };
    await bench.begin();
    for (let at = start; at < range.to; at += 1) {
      const name = names[at % names.length];
      tell({ at });
      for (const found of await tryInput({ seed, at, name, bench, world })) tell({ ...found, at, name });
    }
    const says = await bench.unsoundness();
    if (says) tell({ fault: "unsound", ...range, says });
    const outcome = await bench.end();
    for (const found of faultsOf({ outcome, isOurs: bench.isOurs })) {
      tell({ ...found, ...range, name: "RemitKit.destroy" });
    }
    for (const error of takeUncaught()) tell({ ...faultOfUncaught(error), ...range });
  }
}

async function tryInput({ seed, at, name, bench, world }) {
  const subject = SUBJECTS[name];
  const make = (reenter) => subject.make(new Chance(seed, `${name}/${at}`), { ...world, reenter });
  const args = make(() => bench.reenter());
  bench.service.take();
  const outcome = await bench.clock.settle((async () => subject.call(bench, args))());
  const requests = bench.service.take();
  let difference;
  if (outcome !== undefined && !("error" in outcome && requests.length === 0)) {
    try {
      difference = subject.difference(make(() => {}), { requests, outcome, journal: bench.journal });
    } catch (error) {
      difference = `what cannot be read was accepted: ${describe(error)}`;
    }
  }
  bench.journal.clear();
  return faultsOf({ outcome, isOurs: bench.isOurs, difference });
}

// The second proof: several kits and forms at once, called in an order that nobody would write. Every promise
// must settle.

import { Chance } from "../chaos/chance.mjs";
import { uuid } from "./kit-subjects.mjs";
import { ID, REQUESTS, TOKEN } from "./samples.mjs";
import { faultOfUncaught, faultsAfterDestroy, faultsOf } from "./verdict.mjs";

const STATUSES = [200, 200, 200, 200, 400, 401, 404, 409, 429, 500, 503];

/**
 * Plays the stories `from` up to `to` of a seed. Calls `tell` with `{ at }` before each, and with
 * `{ fault, at, says }` for each fault. Returns how many promises there were.
 */
export async function playStories({ seed, from, to, module, service, clock, container, takeUncaught, tell }) {
  let promises = 0;
  for (let at = from; at < to; at += 1) {
    tell({ at });
    const story = new Story({ chance: new Chance(seed, `story/${at}`), module, service, clock, container });
    for (const found of await story.play()) tell({ ...found, at });
    for (const error of takeUncaught()) tell({ ...faultOfUncaught(error), at });
    promises += story.promises;
  }
  return promises;
}

/** Kits whose page interferes, and a dozen things done to them without waiting. */
class Story {
  promises = 0;
  kits = [];
  controllers = [];
  attempts = [];
  forms = [];
  flows = [];
  fieldForms = [];
  journal = new Map();
  #open = [];

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Returns the faults. */
  async play() {
    const { chance, clock, kits, service } = this;
    service.behave = () => this.#behavior();
    const made = Array.from({ length: chance.between(1, 3) }, () => this.#newKit());
    for (const promise of made) this.#watch("createRemitKit", promise.then((kit) => kits.push(kit)));
    await clock.settle(Promise.allSettled(made));
    const steps = kits.length > 0 ? chance.between(6, 18) : 0;
    for (let step = 0; step < steps; step += 1) {
      this.#act(chance.pick(kits));
      if (chance.happens(40)) await clock.pass(chance.pick([0, 0, 1, 10, 500, 2_500]));
    }
    const faults = await this.#settleAll();
    for (const kit of kits) this.#watch("destroy", kit.destroy());
    faults.push(...(await this.#settleAll()));
    for (const kit of kits) faults.push(...(await this.#callDestroyed(kit)));
    service.behave = () => ({});
    // Background work ends before the next story.
    await clock.pass(600_000);
    service.take();
    return faults;
  }

  async #settleAll() {
    const faults = [];
    // A settled promise may have led to others.
    while (this.#open.length > 0) {
      for (const { what, promise } of this.#open.splice(0)) {
        const outcome = await this.clock.settle(promise);
        const found = faultsOf({ outcome, isOurs: this.module.isRemitError });
        faults.push(...found.map((fault) => ({ ...fault, says: `${what}: ${fault.says}` })));
      }
    }
    return faults;
  }

  async #callDestroyed(kit) {
    const faults = [];
    for (const what of ["nonce", "quote", "pendingTransfers", "contentSecurityPolicy"]) {
      const call = async () => kit[what](...(what === "quote" ? [REQUESTS.quote()] : []));
      const found = faultsAfterDestroy(await this.clock.settle(call()));
      faults.push(...found.map((fault) => ({ ...fault, says: what })));
    }
    return faults;
  }

  /** Requires a promise, or a call that may throw at once, to settle well. */
  #watch(what, work) {
    const promise = typeof work === "function" ? (async () => work())() : work;
    promise.catch(() => {});
    this.promises += 1;
    this.#open.push({ what, promise });
  }

  #behavior() {
    const { chance } = this;
    if (chance.happens(8)) return { fails: true, afterMs: chance.between(0, 300) };
    if (chance.happens(3)) return { never: true };
    const answer = { afterMs: chance.pick([0, 0, 0, 1, 50, 900, 4_000]), status: chance.pick(STATUSES) };
    return chance.happens(5) ? { ...answer, body: chance.pick(["", "{", "null", "[]", "<html>"]) } : answer;
  }

  #newKit() {
    const journal = this.chance.pick(["memory", this.journal, this.#store()]);
    const options = { ...REQUESTS.options(journal), token: this.#tokenSource() };
    if (this.chance.happens(50)) options.onDiagnostic = this.#diagnosticListener();
    return this.module.createRemitKit(options);
  }

  /** Calls a kit while the SDK waits for the page, or has called it. */
  #interfere() {
    const { chance, kits } = this;
    if (kits.length === 0) return;
    const kit = chance.pick(kits);
    chance.pick([
      () => kit.contentSecurityPolicy(),
      () => this.#watch("nonce within", kit.nonce()),
      () => this.#watch("destroy within", kit.destroy()),
      () => this.#abort(),
      () => this.#watch("pendingTransfers within", kit.pendingTransfers()),
      () => this.#watch("prepareTransfer within", this.#prepare(kit)),
    ])();
  }

  #tokenSource() {
    const { chance, kits } = this;
    return chance.pick([
      TOKEN,
      () => TOKEN,
      async () => ({ access_token: TOKEN, expires_in: 1 }),
      () => new Promise((resolve) => setTimeout(resolve, chance.between(0, 2_000), TOKEN)),
      () => {
        if (chance.happens(60)) this.#interfere();
        return TOKEN;
      },
      async () => {
        // Waits for a call that waits for this token.
        if (kits.length > 0) await chance.pick(kits).nonce();
        return TOKEN;
      },
      async () => {
        if (kits.length > 0 && chance.happens(30)) await chance.pick(kits).destroy();
        return TOKEN;
      },
      () => (chance.happens(20) ? new Promise(() => {}) : TOKEN),
      () => (chance.happens(30) ? Promise.reject(undefined) : TOKEN),
    ]);
  }

  #diagnosticListener() {
    return () => {
      if (this.chance.happens(20)) this.#interfere();
      if (this.chance.happens(5)) throw new Error("a listener's own");
    };
  }

  /** A journal's store that hangs, throws, re-enters or is slow. */
  #store() {
    const { chance, journal } = this;
    const trouble = chance.between(0, 3);
    const method = (name) => (...args) => {
      if (trouble === 0 && chance.happens(20)) return new Promise(() => {});
      if (trouble === 1 && chance.happens(20)) throw undefined;
      if (trouble === 2 && chance.happens(30)) this.#interfere();
      const answer = journal[name](...args);
      const isSlow = trouble === 3;
      return isSlow ? new Promise((resolve) => setTimeout(resolve, chance.between(0, 500), answer)) : answer;
    };
    return Object.fromEntries(["get", "set", "delete", "keys"].map((name) => [name, method(name)]));
  }

  #abort() {
    if (this.controllers.length === 0) return;
    this.chance.pick(this.controllers).abort(this.chance.pick([undefined, 1, new Error("x")]));
  }

  #options() {
    const { chance } = this;
    if (chance.happens(40)) return undefined;
    const controller = new AbortController();
    this.controllers.push(controller);
    if (chance.happens(10)) controller.abort();
    else if (chance.happens(30)) setTimeout(() => controller.abort(), chance.between(0, 3_000));
    return { signal: controller.signal };
  }

  async #prepare(kit) {
    const id = this.chance.happens(50) ? ID : uuid(this.chance);
    const attempt = await kit.prepareTransfer(REQUESTS.transfer(id), this.#options());
    this.attempts.push(attempt);
    return attempt;
  }

  #act(kit) {
    const { chance } = this;
    const call = (name, ...args) => () => this.#watch(name, kit[name](...args, this.#options()));
    const some = (list, use) => () => list.length > 0 && use(chance.pick(list));
    const prepare = () => this.#watch("prepareTransfer", this.#prepare(kit));
    const abort = () => this.#abort();
    const useAttempt = some(this.attempts, (attempt) => {
      const name = chance.pick(["submit", "submit", "resume", "discard"]);
      this.#watch(name, attempt[name](this.#options()));
    });
    const acts = [
      call("quote", REQUESTS.quote()),
      call("corridors", {}),
      call("createRecipient", REQUESTS.recipient()),
      call("updateSender", ID, REQUESTS.sender()),
      call("transferReceipt", ID),
      () => {
        const form = kit.recipientFields(REQUESTS.corridorFields(), this.#options());
        this.#watch("recipientFields", form.then((found) => this.fieldForms.push(found)));
      },
      some(this.fieldForms, (form) => {
        this.#watch("check", () => form.check(REQUESTS.values()));
        this.#watch("options", form.options("LIST", { NOTE: "x" }, this.#options()));
      }),
      ...[prepare, prepare],
      call("transfer", REQUESTS.transfer(uuid(chance))),
      ...[useAttempt, useAttempt],
      () => {
        const pending = kit.pendingTransfers();
        this.#watch("pendingTransfers", pending.then((found) => this.attempts.push(...found)));
      },
      ...[abort, abort],
      () => chance.happens(30) && this.#watch("destroy", kit.destroy()),
      () => this.#watch("contentSecurityPolicy", () => kit.contentSecurityPolicy()),
      () => this.#mount(kit),
      some(this.forms, (form) => this.#useCardForm(form)),
      () => this.#useFlow(kit),
    ];
    try {
      chance.pick(acts)();
    } catch (error) {
      this.#watch("a call that throws at once", Promise.reject(error));
    }
  }

  #mount(kit) {
    const mounted = kit.cardForm({ container: this.container }, this.#options()).then((form) => {
      this.forms.push(form);
      const minute = new Promise((resolve) => setTimeout(resolve, 60_000));
      this.#watch("completed", Promise.race([form.completed, minute]));
      this.#listen(form);
      setTimeout(() => form.destroy(), 90_000);
    });
    this.#watch("cardForm", mounted);
  }

  #listen(form) {
    const { chance } = this;
    for (const type of ["READY", "CARD_VALIDATION_START", "CARD_VALIDATION_STOP_FAIL"]) {
      if (chance.happens(50)) continue;
      form.on(type, () => {
        if (chance.happens(25)) this.#interfere();
        else if (chance.happens(25)) throw new Error("a listener's own");
        else this.#useCardForm(form);
      });
    }
    if (chance.happens(50)) {
      this.#watch("events", async () => {
        for await (const event of form) if (event.type === "READY" && chance.happens(50)) break;
      });
    }
  }

  #useCardForm(form) {
    this.chance.pick([
      () => this.#watch("form.destroy", () => form.destroy()),
      () => this.#watch("update", () => form.update({ theme: { primary: "#0a7" } })),
      () => this.#watch("renew", form.renew(this.#options())),
    ])();
  }

  #useFlow(kit) {
    const { chance, flows } = this;
    if (flows.length === 0 || chance.happens(50)) {
      flows.push(kit.pushToCard(REQUESTS.flow(this.container), this.#options()));
    }
    const flow = chance.pick(flows);
    if (chance.happens(25)) this.#watch("return", flow.return());
    else this.#watch("next", flow.next());
    // A step may wait for the customer.
    setTimeout(() => this.#watch("return", flow.return()), 90_000);
  }
}

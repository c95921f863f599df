// One story: kits with hosts that interfere, and a dozen things done to them without waiting.

import { faultsOfEnd, isCrash } from "./ends.mjs";
import { uuid } from "./kit-subjects.mjs";
import { ID, REQUESTS, TOKEN } from "./samples.mjs";
import { describe } from "./verdict.mjs";

const STATUSES = [200, 200, 200, 200, 400, 401, 404, 409, 429, 500, 503];

export class Story {
  #chance;
  #module;
  #service;
  #clock;
  #container;
  #kits = [];
  #controllers = [];
  #attempts = [];
  #forms = [];
  #flows = [];
  #fieldForms = [];
  #journal = new Map();
  /** Whatever was given out: `{ what, promise }`. */
  #promised = [];

  constructor({ chance, module, service, clock, container }) {
    this.#chance = chance;
    this.#module = module;
    this.#service = service;
    this.#clock = clock;
    this.#container = container;
  }

  get promises() {
    return this.#promised.length;
  }

  /** The faults of it. */
  async play() {
    const chance = this.#chance;
    this.#service.behave = () => this.#behaviour();
    const made = Array.from({ length: chance.between(1, 3) }, () => this.#newKit());
    for (const promise of made) this.#note("createRemitKit", promise.then((kit) => this.#kits.push(kit)));
    await this.#clock.settle(Promise.allSettled(made));
    const steps = this.#kits.length > 0 ? chance.between(6, 18) : 0;
    for (let step = 0; step < steps; step += 1) {
      this.#act();
      if (chance.happens(40)) await this.#clock.pass(chance.pick([0, 0, 1, 10, 500, 2_500]));
    }
    const faults = await this.#settleAll();
    for (const kit of this.#kits) this.#note("destroy", kit.destroy());
    faults.push(...(await this.#settleAll()));
    for (const kit of this.#kits) faults.push(...(await this.#callDestroyed(kit)));
    this.#service.behave = () => ({});
    // What goes on in the background ends before the next story begins.
    await this.#clock.pass(600_000);
    this.#service.take();
    return faults;
  }

  /** What nobody caught: a crash is a fault, and so is an error of ours that nobody can get at. */
  judgeStray(error) {
    const fault = isCrash(error) ? "recursiveUse" : "wrongEnds";
    return [{ fault, says: `uncaught: ${describe(error)}` }];
  }

  async #settleAll() {
    const faults = [];
    // What settles may have led to more.
    while (this.#promised.length > 0) {
      for (const { what, promise } of this.#promised.splice(0)) {
        const outcome = await this.#clock.settle(promise);
        faults.push(...faultsOfEnd(outcome, { isOurs: this.#module.isRemitError, what }));
      }
    }
    return faults;
  }

  async #callDestroyed(kit) {
    const calls = { nonce: () => kit.nonce(), quote: () => kit.quote(REQUESTS.quote()), pendingTransfers: () => kit.pendingTransfers(), contentSecurityPolicy: () => kit.contentSecurityPolicy() };
    const faults = [];
    for (const [what, call] of Object.entries(calls)) {
      const outcome = await this.#clock.settle((async () => call())());
      faults.push(...faultsOfEnd(outcome, { isOurs: this.#module.isRemitError, what, destroyed: true }));
    }
    return faults;
  }

  #note(what, promise) {
    promise.catch(() => {});
    this.#promised.push({ what, promise });
  }

  /** Calls something that may throw at once, as a promise. */
  #try(what, call) {
    this.#note(what, (async () => call())());
  }

  #behaviour() {
    const chance = this.#chance;
    if (chance.happens(8)) return { fails: true, afterMs: chance.between(0, 300) };
    if (chance.happens(3)) return { never: true };
    const answer = { afterMs: chance.pick([0, 0, 0, 1, 50, 900, 4_000]), status: chance.pick(STATUSES) };
    return chance.happens(5) ? { ...answer, body: chance.pick(["", "{", "null", "[]", "<html>"]) } : answer;
  }

  #newKit() {
    const journal = this.#chance.pick(["memory", this.#journal, this.#store()]);
    const options = { ...REQUESTS.options(journal), token: this.#tokenSource(), onDiagnostic: this.#watcher() };
    if (this.#chance.happens(50)) delete options.onDiagnostic;
    return this.#module.createRemitKit(options);
  }

  /** Something that the page does while the SDK waits for it, or has called it. */
  #interfere() {
    const chance = this.#chance;
    const kit = this.#kits.length > 0 ? chance.pick(this.#kits) : undefined;
    if (kit === undefined) return undefined;
    const kind = chance.between(0, 5);
    if (kind === 0) return kit.contentSecurityPolicy();
    if (kind === 1) return this.#note("nonce within", kit.nonce());
    if (kind === 2) return this.#note("destroy within", kit.destroy());
    if (kind === 3) return this.#abort();
    if (kind === 4) return this.#note("pendingTransfers within", kit.pendingTransfers());
    return this.#note("prepareTransfer within", this.#prepare(kit));
  }

  #tokenSource() {
    const chance = this.#chance;
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
        // It waits for a call that waits for it.
        if (this.#kits.length > 0) await chance.pick(this.#kits).nonce();
        return TOKEN;
      },
      async () => {
        if (this.#kits.length > 0 && chance.happens(30)) await chance.pick(this.#kits).destroy();
        return TOKEN;
      },
      () => (chance.happens(20) ? new Promise(() => {}) : TOKEN),
      () => (chance.happens(30) ? Promise.reject(undefined) : TOKEN),
    ]);
  }

  #watcher() {
    return () => {
      const chance = this.#chance;
      if (chance.happens(20)) this.#interfere();
      if (chance.happens(5)) throw new Error("a watcher's own");
    };
  }

  #store() {
    const chance = this.#chance;
    const trouble = chance.between(0, 3);
    const within = (method) => (...args) => {
      if (trouble === 0 && chance.happens(20)) return new Promise(() => {});
      if (trouble === 1 && chance.happens(20)) throw undefined;
      if (trouble === 2 && chance.happens(30)) this.#interfere();
      const answer = this.#journal[method](...args);
      return trouble === 3 ? new Promise((resolve) => setTimeout(resolve, chance.between(0, 500), answer)) : answer;
    };
    return { get: within("get"), set: within("set"), delete: within("delete"), keys: within("keys") };
  }

  #abort() {
    if (this.#controllers.length > 0) this.#chance.pick(this.#controllers).abort(this.#chance.pick([undefined, 1, new Error("x")]));
  }

  #options() {
    const chance = this.#chance;
    if (chance.happens(40)) return undefined;
    const controller = new AbortController();
    this.#controllers.push(controller);
    if (chance.happens(10)) controller.abort();
    else if (chance.happens(30)) setTimeout(() => controller.abort(), chance.between(0, 3_000));
    return { signal: controller.signal };
  }

  async #prepare(kit) {
    const attempt = await kit.prepareTransfer(REQUESTS.transfer(this.#chance.happens(50) ? ID : uuid(this.#chance)), this.#options());
    this.#attempts.push(attempt);
    return attempt;
  }

  #act() {
    const chance = this.#chance;
    const kit = chance.pick(this.#kits);
    const acts = [
      () => this.#note("quote", kit.quote(REQUESTS.quote(), this.#options())),
      () => this.#note("corridors", kit.corridors({}, this.#options())),
      () => this.#note("createRecipient", kit.createRecipient(REQUESTS.recipient(), this.#options())),
      () => this.#note("updateSender", kit.updateSender(ID, REQUESTS.sender(), this.#options())),
      () => this.#note("transferReceipt", kit.transferReceipt(ID, this.#options())),
      () => this.#note("recipientFields", kit.recipientFields(REQUESTS.corridorFields(), this.#options()).then((form) => this.#fieldForms.push(form))),
      () => this.#fieldForm(),
      () => this.#note("prepareTransfer", this.#prepare(kit)),
      () => this.#note("prepareTransfer", this.#prepare(kit)),
      () => this.#note("transfer", kit.transfer(REQUESTS.transfer(uuid(chance)), this.#options())),
      () => this.#attempt(),
      () => this.#attempt(),
      () => this.#note("pendingTransfers", kit.pendingTransfers().then((found) => this.#attempts.push(...found))),
      () => this.#abort(),
      () => this.#abort(),
      () => chance.happens(30) && this.#note("destroy", kit.destroy()),
      () => this.#try("contentSecurityPolicy", () => kit.contentSecurityPolicy()),
      () => this.#mount(kit),
      () => this.#cardForm(),
      () => this.#flow(kit),
    ];
    try {
      chance.pick(acts)();
    } catch (error) {
      this.#note("a call that throws at once", Promise.reject(error));
    }
  }

  #fieldForm() {
    if (this.#fieldForms.length === 0) return;
    const form = this.#chance.pick(this.#fieldForms);
    this.#try("check", () => form.check(REQUESTS.values()));
    this.#note("options", form.options("LIST", { NOTE: "x" }, this.#options()));
  }

  #attempt() {
    if (this.#attempts.length === 0) return;
    const attempt = this.#chance.pick(this.#attempts);
    const name = this.#chance.pick(["submit", "submit", "resume", "discard"]);
    this.#note(name, attempt[name](this.#options()));
  }

  /** In Node there is no page to mount it on, which is an error of ours. */
  #mount(kit) {
    const mounted = kit.cardForm({ container: this.#container }, this.#options()).then((form) => {
      this.#forms.push(form);
      this.#note("completed", Promise.race([form.completed, new Promise((resolve) => setTimeout(resolve, 60_000))]));
      this.#listen(form);
      setTimeout(() => form.destroy(), 90_000);
    });
    this.#note("cardForm", mounted);
  }

  #listen(form) {
    const chance = this.#chance;
    for (const type of ["READY", "CARD_VALIDATION_START", "CARD_VALIDATION_STOP_FAIL"]) {
      if (chance.happens(50)) continue;
      form.on(type, () => {
        const kind = chance.between(0, 4);
        if (kind === 0) form.destroy();
        else if (kind === 1) form.update({ theme: { primary: "red" } });
        else if (kind === 2) this.#note("renew within", form.renew(this.#options()));
        else if (kind === 3) this.#interfere();
        else throw new Error("a listener's own");
      });
    }
    if (chance.happens(50)) {
      const read = async () => {
        for await (const event of form) if (event.type === "READY" && chance.happens(50)) break;
      };
      this.#note("events", read());
    }
  }

  #cardForm() {
    if (this.#forms.length === 0) return;
    const form = this.#chance.pick(this.#forms);
    const kind = this.#chance.between(0, 2);
    if (kind === 0) this.#try("form.destroy", () => form.destroy());
    else if (kind === 1) this.#try("update", () => form.update({ theme: { primary: "#0a7" } }));
    else this.#note("renew", form.renew(this.#options()));
  }

  #flow(kit) {
    const chance = this.#chance;
    if (this.#flows.length === 0 || chance.happens(50)) {
      if (kit.pushToCard === undefined) return;
      this.#flows.push(kit.pushToCard(REQUESTS.flow(this.#container ?? "#none"), this.#options()));
    }
    const flow = chance.pick(this.#flows);
    if (chance.happens(25)) this.#note("return", flow.return());
    else this.#note("next", flow.next());
    // A step that waits for the customer is ended, as a page would.
    setTimeout(() => this.#note("return", flow.return()), 90_000);
  }
}

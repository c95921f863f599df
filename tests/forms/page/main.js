// A random customer fills in both forms while others do what they do to a page; after each step it is read as a
// person reads it. `forms.start` begins a run, `forms.report` says how far it is.

import { defineRemitAmount, defineRemitFields } from "/fields.js";
import { Chance } from "/chaos/chance.mjs";
import { bare, controlsOf, digitsOf, fieldOf, sideOf, unitsOf, wrongAmount, wrongFields, wrongIn } from "./seen.js";
import { service } from "./kit.js";
import { autofill, decorate, press, sleep, translate } from "./third-parties.js";
import { viewOf } from "./views.js";

const AMOUNTS = [
  "200", "125.50", "125,50", "1,250.00", "1.250,50", "0,99", "99999999", "12x", "", " 300 ", "٣٠٠", "1 000", "0", "7,5",
];
const NAMES = ["Ana", "José María", "Иван", "O'Brien", "", " Eva ", "李明"];
const TEXTS = {
  NAME: NAMES,
  SSN: ["123456789", "123-45-6789", "12345", ""],
  iban: ["ES91 2100 0418 4502 0005 1332", "es9121000418450200051332", "ES92 2100 0418 4502 0005 1332", "DE8937"],
  NOTE: ["", "Calle 5", "Calle 5 de Mayo, piso 3"],
  PHONE: ["5512345678", "+52 1 (55) 1234-5678", "12", ""],
  BIRTH: ["1990-03-15", "2001-12-01", ""],
  BANK: ["A", "B", ""],
};
const COUNTRIES = ["COL", "BRA", "MEX", "JPN", "KWT"];
const EVENTS = [["input"], ["input", "change"], ["change"], ["keyup", "blur"], []];
const SLEEPS_MS = [1_000, 20_000, 60_000, 3_600_000];
const LANGUAGES = ["en", "es", "fr"];
const MESSAGES = [undefined, { hints: { NAME: "As in the passport." } }, { fields: { NAME: "Given name" } }];
const TRACE = 15;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nameOf = (control) => fieldOf(control) ?? sideOf(control);
const focused = () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
};

class Run {
  findings = [];
  steps = 0;
  counts = {};
  isDone = false;
  #trace = [];
  #props = { country: "COL", amount: "200", required: true };
  #language = "en";
  // What the customer entered, by control: an amount only of the side that was typed last.
  #entered = new Map();
  #heard = [];
  #translator;

  constructor({ seed, steps, react }) {
    this.seed = seed;
    this.wanted = steps;
    this.chance = new Chance(seed, "forms");
    this.form = document.querySelector("form");
    this.form.addEventListener("submit", (event) => this.#onSubmit(event));
    this.next = document.querySelector("button");
    this.view = viewOf(document.querySelector("#place"), react);
    addEventListener("error", ({ message }) => this.#find(`error: ${message}`));
    addEventListener("unhandledrejection", ({ reason }) => this.#find(`rejection: ${reason}`));
  }

  async run() {
    await this.#show({});
    await wait(300);
    const all = Object.entries(STEPS).flatMap(([name, often]) => Array(often).fill(name));
    while (this.steps < this.wanted) {
      const name = this.chance.pick(all);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      this.steps += 1;
      const before = this.#focus();
      const what = await this[name](this.chance);
      this.#trace = [...this.#trace, [this.steps, name, what]].slice(-TRACE);
      this.#verify();
      await wait(this.chance.happens(20) ? this.chance.between(100, 400) : this.chance.between(0, 40));
      this.#verify();
      if (!CUSTOMERS.includes(name)) this.#verifyFocus(before);
    }
    this.isDone = true;
  }

  #find(what) {
    this.findings.push({ what, step: this.steps, trace: this.#trace });
  }

  async #show(change) {
    this.#props = { ...this.#props, ...change };
    await this.view.show(this.#props);
    for (const element of [this.view.amount, this.view.fields]) this.#listenTo(element);
  }

  #listening = new WeakSet();
  #listenTo(element) {
    if (!element || this.#listening.has(element)) return;
    this.#listening.add(element);
    for (const type of ["quote", "pricechanged", "expired", "ready", "fieldchange", "error"]) {
      element.addEventListener(type, () => {
        if (!element.isConnected) this.#find(`${element.localName} tells ${type} after its removal`);
      });
    }
  }

  get #there() {
    return [this.view.amount, this.view.fields].filter((element) => element?.isConnected && element.shadowRoot);
  }

  #controls(name) {
    return this.#there.filter(({ localName }) => !name || localName === name).flatMap(controlsOf);
  }

  get #open() {
    return this.#controls().filter((one) => !one.readOnly && !one.matches(":disabled"));
  }

  #spoken() {
    return this.#props.lang ?? this.#language;
  }

  #verify() {
    const { amount, fields } = this.view;
    if (!amount || !fields) return;
    for (const wrong of wrongIn({ amount, fields }, this.#spoken())) this.#find(wrong);
    for (const [control, text] of this.#entered) {
      const isThere = control.isConnected && controlsOf(control.getRootNode().host).includes(control);
      if (isThere && this.#isKept(control, text)) continue;
      this.#entered.delete(control);
      if (!isThere) continue;
      this.#find(`${nameOf(control)}: ${JSON.stringify(text)} was entered, ${JSON.stringify(control.value)} is seen`);
    }
  }

  // A value becomes what is sent, and an amount is written as its language does.
  #isKept(control, text) {
    const [seen, entered] = [bare(control.value), bare(text)];
    const units = (one) => unitsOf(one, 3, this.#spoken());
    if (sideOf(control)) return seen === entered || units(control.value) === units(text);
    const isNumber = fieldOf(control) === "PHONE" && seen !== "" && digitsOf(entered).endsWith(digitsOf(seen));
    return isNumber || seen === entered;
  }

  #focus() {
    const control = focused();
    return control?.matches?.("[part~=control]") ? control : undefined;
  }

  #verifyFocus(before) {
    // Of several problems, a summary takes it from the first once its words are there.
    if (before === undefined || !before.isConnected || focused()?.matches("[part=summary]")) return;
    if (focused() === before || !controlsOf(before.getRootNode().host).includes(before)) return;
    this.#find(`the focus is lost: ${nameOf(before)} had it, ${focused()?.outerHTML.slice(0, 80)} has it`);
  }

  #onSubmit(event) {
    event.preventDefault();
    const { amount, fields } = this.view;
    const data = new FormData(this.form);
    const quote = data.get("quote");
    const sent = data.get("fields");
    const { quoteHistoryId = "" } = amount.request ?? {};
    if (amount.isConnected && (quote ?? "") !== quoteHistoryId) this.#find(`${quote} is submitted for ${quoteHistoryId}`);
    const wrong = [
      ...(amount.isConnected && quote ? wrongAmount(amount, this.#spoken()) : []),
      ...(fields.isConnected && sent ? wrongFields(fields, JSON.parse(sent)) : []),
    ];
    for (const one of wrong) this.#find(`submitted: ${one}`);
    this.counts.submitted = (this.counts.submitted ?? 0) + 1;
  }

  // What a control is given may at once be written as its language does, and what stood there before is no entry.
  #note(control, text, before) {
    if (text === before) return;
    if (sideOf(control)) this.#forgetAmounts();
    if (control.isConnected && control.value === text) this.#entered.set(control, text);
    else this.#entered.delete(control);
  }

  #forgetAmounts() {
    for (const [control] of this.#entered) if (sideOf(control)) this.#entered.delete(control);
  }

  // What the customer does.

  async type(chance) {
    const controls = this.#open.filter(({ localName }) => localName === "input");
    if (controls.length === 0) return "nothing";
    const control = chance.pick(controls);
    const text = chance.pick(sideOf(control) ? AMOUNTS : (TEXTS[fieldOf(control)] ?? NAMES));
    const before = control.value;
    control.focus();
    const isComposed = chance.happens(15) && control.type === "text";
    if (isComposed) control.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true, composed: true }));
    const pieces = control.type === "text" && chance.happens(50) ? [text.slice(0, 1), text] : [text];
    for (const piece of pieces) {
      autofill(control, piece, ["input"]);
      if (pieces.length > 1) await wait(chance.between(0, 60));
    }
    if (isComposed) {
      const key = { key: "Enter", keyCode: 229, bubbles: true, composed: true };
      const { submitted } = this.counts;
      control.dispatchEvent(new KeyboardEvent("keydown", key));
      control.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, composed: true }));
      if (this.counts.submitted !== submitted) this.#find("a composition has submitted");
    }
    this.#note(control, text, before);
    return [nameOf(control), text];
  }

  choose(chance) {
    const isList = ({ localName, options }) => localName === "select" && options.length > 1;
    const lists = this.#controls("remit-fields").filter(isList);
    const radios = this.#there.flatMap((element) => [...element.shadowRoot.querySelectorAll("[type=radio]")]);
    if (radios.length > 0 && chance.happens(60)) {
      this.#forgetAmounts();
      const radio = chance.pick(radios);
      radio.click();
      return radio.value;
    }
    if (lists.length === 0) return "nothing";
    const value = chance.pick(TEXTS.BANK);
    autofill(lists[0], value, chance.pick([["input", "change"], ["change"]]));
    this.#note(lists[0], value);
    return value;
  }

  tab() {
    focused()?.blur?.();
  }

  async submit(chance) {
    const events = [() => {}, () => wait(chance.between(0, 120)), () => translate(), () => this.#fill(chance)];
    const before = this.#heights();
    const event = chance.pick(events);
    const isThere = await press(this.next, event);
    if (isThere) return;
    const after = this.#heights();
    const parts = [...new Set([...before.keys(), ...after.keys()])];
    const others = parts.filter((part) => before.get(part) !== after.get(part));
    const inner = others.filter((part) => !others.some((one) => one !== part && part.contains(one)));
    const changes = inner.map((part) => `${part.outerHTML} had ${before.get(part)} px, has ${after.get(part)}`);
    this.#find(`the button has moved under a press, ${event}: ${changes.join("; ")}`);
  }

  #heights() {
    const parts = this.#there.flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll("[part]")]);
    return new Map(parts.map((part) => [part, part.offsetHeight]));
  }

  enter() {
    const control = this.#focus();
    control?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true, composed: true }));
  }

  // What others do.

  #fill(chance) {
    if (this.#open.length === 0) return "nothing";
    const control = chance.pick(this.#open);
    const texts = sideOf(control) ? AMOUNTS : (TEXTS[fieldOf(control)] ?? NAMES);
    const text = chance.pick(texts.filter((one) => one !== ""));
    const events = chance.pick(EVENTS);
    const before = control.value;
    autofill(control, text, events);
    this.#note(control, text, before);
    return [nameOf(control), text, events];
  }

  fill(chance) {
    return this.#fill(chance);
  }

  halfDate() {
    // No script can type half a date: the engine's own answer is put in its place.
    const [control] = this.#controls("remit-fields").filter(({ type }) => type === "date");
    if (!control) return "nothing";
    autofill(control, "", ["input"]);
    const half = { valid: false, badInput: true };
    Object.defineProperty(control, "validity", { configurable: true, get: () => half });
    control.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true, composed: true }));
    this.#entered.delete(control);
    for (const type of ["input", "change"]) {
      control.addEventListener(type, () => delete control.validity, { once: true, capture: true });
    }
    return undefined;
  }

  translatePage(chance) {
    return translate(document.body, chance.happens(30));
  }

  translator(chance) {
    this.#translator?.disconnect();
    this.#translator = undefined;
    if (chance.happens(50)) return "off";
    this.#translator = new MutationObserver(() => translate());
    for (const root of [document.body, ...this.#there.map(({ shadowRoot }) => shadowRoot)]) {
      this.#translator.observe(root, { subtree: true, childList: true, characterData: true });
    }
    return "on";
  }

  decorate() {
    decorate();
  }

  async pageLanguage(chance) {
    const language = chance.pick(LANGUAGES);
    const isOwn = chance.happens(50);
    const isLoading = this.#there.some((element) => element.isLoading);
    const before = this.#focus();
    document.documentElement.lang = language;
    this.#language = language;
    this.#forgetAmounts();
    await this.#show({ lang: isOwn ? language : undefined });
    // Texts of another language load.
    await wait(150);
    if (before?.isConnected === false && !isLoading) this.#find(`another language replaces ${nameOf(before)}`);
    return [language, isOwn];
  }

  async messages(chance) {
    await this.#show({ messages: chance.pick(MESSAGES) });
  }

  // What frameworks do at each change.
  again() {
    this.view.setAgain();
  }

  async attributes(chance) {
    const change = chance.pick([
      () => ({ country: chance.pick(COUNTRIES) }),
      () => ({ amount: chance.pick(["200", "300"]) }),
      () => ({ method: chance.pick([undefined, "BANK_ACCOUNT", "PUSH_TO_CARD"]) }),
      () => ({ compare: chance.happens(50) }),
      () => ({ order: chance.pick([undefined, "method amount"]) }),
      () => ({ required: chance.happens(80) }),
      () => ({ hidden: chance.pick([undefined, "NOTE", "BANK"]) }),
      () => ({ withheld: chance.pick([undefined, "A"]) }),
    ])();
    this.#forgetAmounts();
    // A choice that is offered no longer is taken back.
    for (const [control] of this.#entered) if (control.value === change.withheld) this.#entered.delete(control);
    await this.#show(change);
    return change;
  }

  async remove(chance) {
    const removed = chance.pick(["amount", "fields"]);
    const element = this.view[removed];
    if (!element?.isConnected) return "nothing";
    const kept = new Map(this.#entered);
    await this.#show({ removed });
    const asked = service.asked.length;
    await wait(chance.between(0, 300));
    if (removed === "amount" && service.asked.length > asked) this.#find("it asks after its removal");
    await this.#show({ removed: undefined });
    await wait(200);
    this.#entered = this.view.keepsRemoved && removed === "amount" ? kept : new Map();
    return removed;
  }

  async clock(chance) {
    const ms = chance.pick(SLEEPS_MS);
    // The service's time goes on, too.
    await fetch(`/sleep?ms=${ms}`);
    sleep(ms);
    return ms;
  }

  behave(chance) {
    Object.assign(service, {
      waitsMs: chance.pick([0, 0, 30, 200]),
      looksUpMs: chance.pick([0, 0, 100]),
      lives: chance.pick([300_000, 300_000, 5_000]),
      fails: chance.happens(15),
      price: chance.between(0, 3) * 100,
    });
  }

  refresh() {
    this.view.amount?.refresh?.();
  }

  async shownAgain(chance) {
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    // WebKit clears these in a task of its own, and says nothing.
    const isCleared = chance.happens(50);
    if (isCleared) for (const control of this.#controls()) if (control.type === "text") autofill(control, "", []);
    await wait(20);
    return isCleared;
  }

  reset() {
    this.#entered.clear();
    this.form.reset();
  }
}

/** How often each is done. */
const STEPS = {
  type: 10, choose: 4, tab: 4, submit: 4, enter: 2,
  fill: 6, halfDate: 1, translatePage: 4, translator: 1, decorate: 1, pageLanguage: 2, messages: 1, attributes: 4, again: 2,
  remove: 2, clock: 2, behave: 4, refresh: 1, shownAgain: 1, reset: 1,
};
/** Those that move the focus. */
const CUSTOMERS = ["type", "choose", "tab", "submit", "enter", "remove", "reset", "attributes"];

let run;
const ends = (what) => {
  return { isDone: true, steps: run?.steps ?? 0, counts: {}, findings: [{ what: String(what?.stack ?? what), trace: [] }] };
};
let failed;
window.forms = {
  async start(options) {
    try {
      const react = options.react ? await import("/react-shop.js") : undefined;
      defineRemitAmount();
      defineRemitFields();
      run = new Run({ ...options, react });
      await run.run();
    } catch (error) {
      failed = ends(error);
    }
  },
  report() {
    if (failed || run === undefined) return failed ?? { isDone: false, steps: 0, findings: [], counts: {} };
    const { isDone, steps, findings, counts } = run;
    return { isDone, steps, findings, counts };
  },
};

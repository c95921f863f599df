// What the pages of a walk said and sent, in the order in which it came.

import { wordsOf } from "./words.mjs";

/** The buttons that settle what is said of an earlier transfer. */
const LABELS = { both: [...wordsOf("earlier.both"), ...wordsOf("earlier.also")], dismiss: wordsOf("action.dismiss") };

/** Reads, inside the page, what it says now. */
function installReader() {
  const text = (selector, root = document) => root?.querySelector(selector)?.textContent.trim() ?? "";
  const texts = (selector, root = document) => [...(root?.querySelectorAll(selector) ?? [])].map((one) => one.textContent.trim());
  globalThis.__read = () => {
    const { documentElement: page } = document;
    const submit = document.querySelector(".actions button[type=submit]");
    const summary = document.querySelector(".summary");
    return {
      step: page.dataset.step ?? "",
      language: page.lang,
      title: text("#step-title"),
      notices: [...document.querySelectorAll(".notice")].map((one) => ({ text: one.textContent, tone: one.className, quote: one.dataset.quote })),
      done: { transferId: text("[data-transfer]"), confirmation: text("[data-confirmation]"), status: document.querySelector(".status-badge")?.dataset.status ?? "" },
      facts: Object.fromEntries([...document.querySelectorAll(".panel .fact[data-fact]")].map((one) => [one.dataset.fact, text("dd span, dd", one)])),
      price: {
        isBusy: summary?.getAttribute("aria-busy") === "true",
        send: text(".line.send dd", summary),
        total: text(".line.total dd", summary),
        receive: text(".line.receive dd", summary),
        fees: texts(".line.fee dd", summary),
      },
      typed: { send: document.querySelector("#amount-send")?.value, receive: document.querySelector("#amount-receive")?.value },
      send: submit && page.dataset.step === "review" ? { label: submit.textContent.trim(), isBusy: submit.hasAttribute("data-busy") } : undefined,
      card: document.querySelector(".card-status")?.dataset.status ?? "",
    };
  };
}

/** Tells each change of it, once everything that changes with it has changed. */
function installTeller(labels) {
  let last = "";
  let isDue = false;
  const tell = () => {
    isDue = false;
    // A page that is being replaced has nothing to read.
    if (!document.documentElement) return;
    const now = JSON.stringify(globalThis.__read());
    if (now === last) return;
    last = now;
    globalThis.__said?.({ at: Date.now(), page: now });
  };
  const due = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(tell, 0);
  };
  // Enter in a form is a click on its button, too.
  const pressed = ({ isTrusted, target }) => {
    const button = target.closest?.("button");
    if (!isTrusted || !button) return;
    const { send } = globalThis.__read();
    const isSend = send?.isBusy === false && button.matches(".actions button[type=submit]");
    const isOfNotice = button.closest("main > .notice-slot .notice") !== null;
    const label = isSend ? send.label : button.textContent.trim();
    const isBoth = isOfNotice && labels.both.includes(label);
    if (isSend || isBoth) globalThis.__pressed?.({ at: Date.now(), isBoth, label });
    else if (isOfNotice && labels.dismiss.includes(label)) globalThis.__dismissed?.({ at: Date.now() });
  };
  addEventListener("click", pressed, true);
  new MutationObserver(due).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Reports the page's requests to the service and their replies, before the page itself can react to them. */
function installTap() {
  const own = globalThis.fetch;
  const tell = (exchange) => globalThis.__exchanged?.({ at: Date.now(), ...exchange });
  globalThis.fetch = async (...call) => {
    const { url, method, body } = call[0] instanceof Request ? { ...parts(call[0]), body: call[1]?.body } : { url: String(call[0]), method: "GET", ...call[1] };
    const path = new URL(url, location).pathname;
    const sent = typeof body === "string" ? body : body && !(body instanceof ReadableStream) ? new TextDecoder().decode(body) : "";
    if (method === "POST" && path === "/v1/transfers") tell({ kind: "posted", sent });
    const reply = await own(...call);
    if (/^\/v1\/(quote|transfers|recipients|senders)/.test(path)) await told(reply.clone(), { method, path, sent });
    return reply;
  };
  const parts = ({ url, method }) => ({ url, method });
  const told = async (reply, exchange) => {
    const body = await reply.json().catch(() => undefined);
    if (body) tell({ kind: "replied", ...exchange, ok: reply.ok, status: reply.status, body: JSON.stringify(body) });
  };
}

/** Lets `__hurry(rate)` shorten the page's waits: its own pauses and the SDK's, never the service's reply. */
function installHurry() {
  const { setTimeout: own, clearTimeout: stop } = globalThis;
  const timers = new Map();
  let rate = 1;
  const arm = (id, timer) => {
    const run = () => {
      timers.delete(id ?? timer.native);
      timer.work();
    };
    timer.native = own(run, Math.max(0, timer.due - Date.now()) / rate);
    return timer.native;
  };
  globalThis.setTimeout = (work, ms = 0, ...more) => {
    if (typeof work !== "function") return own(work, ms, ...more);
    const timer = { work: () => work(...more), due: Date.now() + Number(ms) };
    const id = arm(undefined, timer);
    timers.set(id, timer);
    return id;
  };
  globalThis.clearTimeout = (id) => {
    stop(timers.get(id)?.native ?? id);
    timers.delete(id);
  };
  globalThis.__hurry = (wanted) => {
    if (rate === wanted) return;
    rate = wanted;
    for (const [id, timer] of timers) {
      stop(timer.native);
      arm(id, timer);
    }
  };
}

/** Watches the pages of a context. */
export class Recorder {
  events = [];
  /** Every price that the service has given, by its id. */
  quotes = new Map();
  /** The names of recipients, by their id. */
  recipients = new Map();
  troubles = [];
  #stops = [];

  static async on(context) {
    const recorder = new Recorder();
    const bind = (name, heard) => context.exposeBinding(name, ({ page, frame }, told) => frame === page.mainFrame() && heard(told, page.tab));
    await bind("__said", ({ at, page }, tab) => recorder.note({ kind: "said", at, tab, ...JSON.parse(page) }));
    await bind("__pressed", (press, tab) => recorder.note({ kind: "pressed", tab, ...press }));
    await bind("__dismissed", (press, tab) => recorder.note({ kind: "dismissed", tab, ...press }));
    await bind("__exchanged", (exchange, tab) => recorder.#heard(exchange, tab));
    for (const script of [installHurry, installReader, installTeller, installTap]) await context.addInitScript(script, LABELS);
    return recorder;
  }

  forget() {
    for (const stop of this.#stops.splice(0)) stop();
    this.events = [];
    this.quotes = new Map();
    this.recipients = new Map();
    this.troubles = [];
  }

  note(event) {
    this.events.push({ at: Date.now(), ...event });
  }

  watch(page, tab) {
    page.tab = tab;
    const heard = {
      domcontentloaded: () => this.note({ kind: "loaded", tab }),
      pageerror: (error) => this.troubles.push(`${error}`),
      crash: () => this.troubles.push("the page crashed"),
    };
    for (const [event, listener] of Object.entries(heard)) page.on(event, listener);
    this.#stops.push(() => Object.entries(heard).forEach(([event, listener]) => page.off(event, listener)));
  }

  #heard({ kind, at, sent, method, path, ok, status, body }, tab) {
    if (kind === "posted") return this.note({ kind, at, tab, quote: JSON.parse(sent).quoteHistoryId });
    if (ok && path.startsWith("/v1/senders/") && ["PATCH", "PUT"].includes(method)) this.note({ kind: "saved", at, tab });
    const reply = JSON.parse(body);
    if (method === "POST" && path === "/v1/transfers") this.note({ kind: "answered", at, tab, quote: JSON.parse(sent).quoteHistoryId, status });
    for (const one of Array.isArray(reply) ? reply : [reply]) {
      if (one?.quoteHistoryId && one.sendAmount) this.quotes.set(one.quoteHistoryId, one);
      // A list has decimals.
      if (one?.quote?.quoteHistoryId && !Array.isArray(reply)) this.quotes.set(one.quote.quoteHistoryId, one.quote);
    }
    if (method === "POST" && path === "/v1/recipients" && reply.recipientId) {
      const fields = Object.fromEntries((JSON.parse(sent).fields ?? []).map(({ id, value }) => [id, value]));
      this.recipients.set(reply.recipientId, fields.companyName ?? [fields.firstName, fields.lastName].filter(Boolean).join(" "));
    }
    return undefined;
  }
}

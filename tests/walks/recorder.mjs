// Records what the pages of a walk show and send, in order.

import { textsOf } from "../e2e/support/texts.mjs";

/** The buttons of a notice about an earlier transfer. */
const LABELS = {
  both: [...textsOf("earlier.both"), ...textsOf("earlier.also")],
  dismiss: textsOf("action.dismiss"),
  accept: textsOf("review.accept"),
};

/** Installs `__read()`, which returns what the page shows. */
function installReader() {
  const text = (selector, root = document) => root?.querySelector(selector)?.textContent.trim() ?? "";
  const all = (selector, root = document) => [...(root?.querySelectorAll(selector) ?? [])];
  // The summary of a checkout stays in the page, but hidden, while its transfers are shown.
  const isShown = (element) => element?.checkVisibility() ?? false;
  globalThis.__read = () => {
    const { documentElement: page } = document;
    const submit = document.querySelector(".actions button[type=submit]");
    const summary = document.querySelector(".summary");
    const line = (name) => text(`.line.${name} dd`, summary);
    return {
      step: page.dataset.step ?? "",
      title: text("#step-title"),
      notices: all(".notice")
        .filter(isShown)
        .map((notice) => ({ text: notice.textContent, quote: notice.dataset.quote })),
      done: { transferId: text("[data-transfer]"), confirmation: text("[data-confirmation]") },
      facts: Object.fromEntries(
        all(".panel .fact[data-fact]").map((fact) => [fact.dataset.fact, text("dd span, dd", fact)]),
      ),
      price: {
        isBusy: isShown(summary) && summary.getAttribute("aria-busy") === "true",
        send: line("send"),
        total: line("total"),
        receive: line("receive"),
        fees: all(".line.fee dd", summary).map((fee) => fee.textContent.trim()),
      },
      typed: {
        send: document.querySelector("[data-side=send] input")?.value,
        receive: document.querySelector("[data-side=receive] input")?.value,
      },
      send:
        submit && page.dataset.step === "review"
          ? { label: submit.textContent.trim(), isBusy: submit.hasAttribute("data-busy") }
          : undefined,
      card: document.querySelector(".card-status")?.dataset.status ?? "",
    };
  };
}

/** Reports each change of what the page shows, and the presses that decide about a transfer. */
function installObserver(labels) {
  const report = (event) => globalThis.__report?.({ at: Date.now(), ...event });
  let last = "";
  let timer;
  const read = () => {
    timer = undefined;
    // A page that is being replaced has no root.
    if (!document.documentElement) return;
    const page = globalThis.__read();
    const now = JSON.stringify(page);
    if (now !== last) report({ kind: "page", ...page });
    last = now;
  };
  // Waits for the other changes of the same task.
  const changed = () => (timer ??= setTimeout(read, 0));
  // Enter in a form also clicks its button.
  const clicked = ({ isTrusted, target }) => {
    const button = target.closest?.("button");
    if (!isTrusted || !button) return;
    const { send, price } = globalThis.__read();
    const isSend = send?.isBusy === false && button.matches(".actions button[type=submit]");
    const isInNotice = button.closest("main > .notice-slot .notice") !== null;
    const label = isSend ? send.label : button.textContent.trim();
    const isBoth = isInNotice && labels.both.includes(label);
    if (isSend || isBoth) report({ kind: "pressed", isBoth });
    else if (labels.accept.includes(label)) report({ kind: "accepted", price });
    else if (isInNotice && labels.dismiss.includes(label)) report({ kind: "dismissed" });
  };
  addEventListener("click", clicked, true);
  const every = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(changed).observe(document, every);
}

/** Reports the page's requests to the service, and their replies before the page can react to them. */
function installTap() {
  const { fetch } = globalThis;
  const report = (event) => globalThis.__report?.({ at: Date.now(), ...event });
  globalThis.fetch = async (target, init) => {
    const request = new Request(target, init);
    const { method } = request;
    const path = new URL(request.url).pathname;
    const sent = await request.clone().text();
    if (method === "POST" && path === "/v1/transfers") report({ kind: "posted", sent });
    const reply = await fetch(request);
    if (/^\/v1\/(quote|transfers|recipients|senders)/.test(path)) {
      const data = await reply.clone().json().catch(() => undefined);
      if (data) report({ kind: "replied", method, path, sent, ok: reply.ok, status: reply.status, data });
    }
    return reply;
  };
}

/** Installs `__hurry(rate)`, which shortens later pauses of page and SDK, not the service's replies. */
function installHurry() {
  const { setTimeout } = globalThis;
  let rate = 1;
  globalThis.setTimeout = (work, ms = 0, ...more) => setTimeout(work, Number(ms) / rate, ...more);
  globalThis.__hurry = (wanted) => {
    rate = wanted;
  };
}

export class Recorder {
  #stops = [];

  static async on(context) {
    const recorder = new Recorder();
    recorder.clear();
    await context.exposeBinding("__report", ({ page, frame }, event) => {
      if (frame === page.mainFrame()) recorder.#receive({ tab: page.tab, ...event });
    });
    for (const script of [installHurry, installReader, installObserver, installTap]) {
      await context.addInitScript(script, LABELS);
    }
    return recorder;
  }

  clear() {
    for (const stop of this.#stops.splice(0)) stop();
    this.events = [];
    this.quotes = new Map();
    this.recipients = new Map();
    this.pageErrors = [];
  }

  note(event) {
    this.events.push({ at: Date.now(), ...event });
  }

  watch(page, tab) {
    page.tab = tab;
    const listeners = {
      domcontentloaded: () => this.note({ kind: "loaded", tab }),
      pageerror: (error) => this.pageErrors.push(`${error}`),
      crash: () => this.pageErrors.push("the page crashed"),
    };
    for (const [event, listener] of Object.entries(listeners)) {
      page.on(event, listener);
      this.#stops.push(() => page.off(event, listener));
    }
  }

  #receive(event) {
    const { kind, at, tab } = event;
    if (kind === "replied") this.#receiveReply(event);
    else if (kind !== "posted") this.note(event);
    else this.note({ kind, at, tab, quote: JSON.parse(event.sent).quoteHistoryId });
  }

  #receiveReply({ at, tab, method, path, sent, ok, status, data }) {
    const isPost = (wanted) => method === "POST" && path === wanted;
    if (ok && path.startsWith("/v1/senders/") && ["PATCH", "PUT"].includes(method)) {
      this.note({ kind: "saved", at, tab });
    }
    if (isPost("/v1/transfers")) {
      this.note({ kind: "answered", at, tab, quote: JSON.parse(sent).quoteHistoryId, status });
    }
    // In a list of transfers, quotes have decimals.
    for (const quote of Array.isArray(data) ? data : [data, data.quote]) {
      if (quote?.quoteHistoryId && quote.sendAmount) this.quotes.set(quote.quoteHistoryId, quote);
    }
    if (isPost("/v1/recipients") && data.recipientId) {
      const fields = Object.fromEntries((JSON.parse(sent).fields ?? []).map(({ id, value }) => [id, value]));
      const name = [fields.firstName, fields.lastName].filter(Boolean).join(" ");
      this.recipients.set(data.recipientId, fields.companyName ?? name);
    }
  }
}

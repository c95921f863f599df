import type { Quote } from "remitkit";
import { ABSENT, countryName, money, rateLine } from "../amounts";
import { deliveryOf, momentWords } from "../delivery";
import { isRetryable } from "../errors";
import { adjustmentName, t } from "../messages";
import type { QuoteExpiry } from "../quote_expiry";
import type { Checkout } from "../state";
import { follow, h, setText, type LiveText } from "./dom";
import { errorNotice, notice, NoticeSlot } from "./notice";

/** From then on it is said that a price is on its way. */
const SLOW_MS = 2_000;

/** The running account of the transfer: what is sent, what it costs, what arrives. */
export class Summary {
  readonly element: HTMLElement;
  /** What is said here stands in the place of the figures, which keeps its height. */
  readonly slot = new NoticeSlot(undefined, () => document.getElementById("summary-title"));
  readonly #checkout: Checkout;
  readonly #lines = {
    send: h("dd"),
    total: h("dd", { class: "strong" }),
    receive: h("dd", { class: "strong" }),
    rate: h("dd"),
    arrives: h("dd", { class: "sentence" }),
    held: h("span", { role: "timer" }),
    to: h("dd"),
  };
  readonly #total = line(() => t("summary.total"), this.#lines.total, "total");
  #fees: HTMLElement[] = [];
  readonly #disclosures = h("div", { class: "disclosures" });
  readonly #spoken = h("p", { class: "visually-hidden", role: "status" });
  #shown: Quote | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  /** What is said of the waiting itself. */
  #waiting: HTMLElement | undefined;

  constructor(checkout: Checkout, expiry: QuoteExpiry) {
    this.#checkout = checkout;
    const { send, receive, rate, arrives, held, to } = this.#lines;
    this.element = h(
      "aside",
      { class: "summary", "aria-labelledby": "summary-title" },
      h("h2", { id: "summary-title", tabindex: -1 }, () => t("summary.title")),
      h(
        "div",
        { class: "summary-body" },
        h(
          "dl",
          { class: "lines" },
          line(() => t("summary.send"), send, "send"),
          this.#total,
          line(() => t("summary.receive"), receive, "receive"),
          line(() => t("summary.rate"), rate, "rate"),
          line(() => t("summary.arrives"), arrives),
          line(() => t("summary.held"), h("dd", {}, held), "held"),
          line(() => t("summary.to"), to, "to"),
        ),
        this.slot.element,
      ),
      this.#disclosures,
      this.#spoken,
    );
    this.#showFees(undefined);
    follow(this.element, () => this.#show());
    checkout.watch(() => this.#show());
    expiry.watch((seconds) => {
      const text = seconds === undefined ? ABSENT : clockFace(seconds);
      if (held.textContent !== text) held.textContent = text;
    });
  }

  #show(): void {
    const { quote, quoting, route, recipient, transfer } = this.#checkout.state;
    const lines = this.#lines;
    this.element.setAttribute("aria-busy", String(quoting));
    this.#speakOfWaiting();
    lines.send.textContent = money(quote?.sendAmount);
    lines.total.textContent = money(quote?.totalCost);
    lines.receive.textContent = money(quote?.receiveAmount);
    lines.rate.textContent = quote ? rateLine(quote) : ABSENT;
    const available = new Date(transfer?.dateAvailable ?? Number.NaN);
    lines.arrives.textContent = Number.isNaN(available.valueOf()) ? ((quote && deliveryOf(quote, "short")) ?? ABSENT) : momentWords(available, "short");
    const place = route ? countryName(route.country) : ABSENT;
    lines.to.textContent = recipient ? `${recipient.name}, ${place}` : place;
    // While the next quote is under way the figures of the last one stay, dimmed; nothing moves.
    if (!quoting || quote !== this.#shown) {
      this.#showFees(quote);
      this.#disclosures.replaceChildren(...disclosures(quote).map((text) => h("p", {}, text)));
      this.#speak(quote);
      this.#shown = quote;
    }
  }

  // Old figures without a word would be taken for those of what was typed.
  #speakOfWaiting(): void {
    const { quoting, quoteError } = this.#checkout.state;
    if (quoting) {
      this.#slow ??= setTimeout(() => this.#say(slowNotice()), navigator.onLine ? SLOW_MS : 0);
      return;
    }
    clearTimeout(this.#slow);
    this.#slow = undefined;
    if (isRetryable(quoteError) && quoteError !== undefined) this.#say(errorNotice(quoteError, []));
    else this.#waiting?.remove();
  }

  #say(shown: HTMLElement): void {
    if (this.slot.element.hasChildNodes() && !this.#waiting?.isConnected) return;
    this.#waiting = shown;
    this.slot.put(shown);
  }

  #showFees(quote: Quote | undefined): void {
    const fees = quote?.adjustments ?? [];
    const rows =
      fees.length > 0
        ? fees.map((fee) => line(() => adjustmentName(fee), h("dd", {}, () => money(fee.amount)), "fee"))
        : [line(() => t("summary.fee"), h("dd", {}, quote ? () => money({ value: 0, currency: quote.sendAmount.currency }) : ABSENT), "fee")];
    for (const row of this.#fees) row.remove();
    this.#total.before(...rows);
    this.#fees = rows;
  }

  #speak(quote: Quote | undefined): void {
    const words = () => (quote ? t("summary.spoken", { receive: money(quote.receiveAmount), total: money(quote.totalCost) }) : "");
    // A price that was renewed and is the same is no news.
    if (this.#spoken.textContent !== words()) setText(this.#spoken, words);
  }
}

function slowNotice(): HTMLElement {
  if (navigator.onLine) return notice({ tone: "info", title: () => t("summary.slow"), text: () => t("loading.long") });
  return notice({ tone: "info", title: () => t("error.title.offline"), text: () => t("error.text.offline") });
}

function clockFace(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = minutes < 60 ? [minutes, seconds % 60] : [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function line(label: LiveText, value: HTMLElement, kind = ""): HTMLElement {
  return h("div", { class: `line ${kind}` }, h("dt", {}, label), value);
}

// The interface leaves the shape of disclosures open; only texts are shown.
function disclosures(quote: Quote | undefined): string[] {
  const sent: unknown = quote?.disclosures;
  return Array.isArray(sent) ? sent.filter((text) => typeof text === "string") : [];
}

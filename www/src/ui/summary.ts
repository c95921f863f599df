import type { Quote } from "remitkit";
import { UNKNOWN, countryName, money, rateLine } from "../amounts";
import { deliveryText, formatArrival } from "../delivery";
import { isRetryable } from "../errors";
import { adjustmentName, t, type TextKey } from "../messages";
import { QuoteExpiry } from "../quote_expiry";
import { recipientOf } from "../sent_transfers";
import type { Checkout } from "../state";
import { disclosureTexts } from "./disclosures";
import { h, live, setText, type LiveText } from "./dom";
import { errorNotice, notice, NoticeSlot } from "./notice";

const SLOW_MS = 2_000;

/** The figures of the current quote: what is sent, what it costs, what arrives. */
export class Summary {
  readonly element: HTMLElement;
  /** A notice in this slot covers the figures, which keep their height. */
  readonly slot = new NoticeSlot(undefined, "summary-title");
  readonly #lines = {
    send: h("dd"),
    total: h("dd.strong"),
    receive: h("dd.strong"),
    rate: h("dd"),
    arrives: h("dd.sentence"),
    held: h("span", { role: "timer" }),
    to: h("dd"),
  };
  readonly #total = line("total", this.#lines.total);
  /** The total again, beside the button on a phone. Screen readers have it here. */
  readonly total = h("p.actions-total", { "aria-hidden": "true" });
  readonly #disclosures = h("div.disclosures");
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  #fees: HTMLElement[] = [];
  #shown: Quote | undefined;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #waitNotice: HTMLElement | undefined;

  /** Calls `renewQuote` when the price has expired. */
  constructor(
    private readonly checkout: Checkout,
    renewQuote: () => void,
  ) {
    const { send, receive, rate, arrives, held, to } = this.#lines;
    const lines = [
      line("send", send),
      this.#total,
      line("receive", receive),
      line("rate", rate),
      line("arrives", arrives),
      line("held", h("dd", held)),
      line("to", to),
    ];
    this.element = h("aside.summary", { "aria-labelledby": "summary-title" }, [
      h("h2", { id: "summary-title", tabindex: -1 }, () => t("summary.title")),
      h("div.summary-body", h("dl.lines", ...lines), this.slot.element),
      this.#disclosures,
      this.#spoken,
    ]);
    this.#showFees(undefined);
    live(this.element, () => this.#show());
    checkout.watch(() => this.#show());
    const showTimeLeft = (seconds: number | undefined) => {
      held.textContent = seconds === undefined ? UNKNOWN : clockText(seconds);
    };
    showTimeLeft(undefined);
    new QuoteExpiry(checkout, showTimeLeft, renewQuote);
  }

  #show(): void {
    const { quote, quoting, route, recipient, transfer, sent } = this.checkout.state;
    const { send, total, receive, rate, arrives, to } = this.#lines;
    this.element.setAttribute("aria-busy", String(quoting));
    this.#announceWait();
    send.textContent = money(quote?.sendAmount);
    total.textContent = money(quote?.totalCost);
    this.total.replaceChildren(h("span", () => t("summary.total")), h("span", money(quote?.totalCost)));
    receive.textContent = money(quote?.receiveAmount);
    rate.textContent = quote ? rateLine(quote) : UNKNOWN;
    const { dateAvailable } = transfer ?? {};
    const date = dateAvailable && formatArrival(new Date(dateAvailable));
    arrives.textContent = date || (quote && deliveryText(quote)) || UNKNOWN;
    const country = route?.country ?? transfer?.quote?.destinationCountry;
    const name = recipient?.name ?? (transfer && recipientOf(transfer, sent));
    to.textContent = [name, country && countryName(country)].filter(Boolean).join(", ") || UNKNOWN;
    // While the next quote is on its way the old figures stay, dimmed, so that nothing moves.
    if (quoting && quote === this.#shown) return;
    this.#shown = quote;
    this.#showFees(quote);
    // The page of a transfer has those of the receipt.
    const disclosures = transfer ? [] : disclosureTexts(quote?.disclosures);
    this.#disclosures.replaceChildren(...disclosures.map((text) => h("p", text)));
    const spoken = () => {
      const values = quote && { receive: money(quote.receiveAmount), total: money(quote.totalCost) };
      return values ? t("summary.spoken", values) : "";
    };
    // A renewed price with the same figures is no news.
    if (this.#spoken.textContent !== spoken()) setText(this.#spoken, spoken);
  }

  /** Says that the figures are old while a price takes long or can't be fetched. */
  #announceWait(): void {
    const { quoting, quoteError } = this.checkout.state;
    if (quoting) {
      this.#slowTimer ??= setTimeout(() => this.#showWait(waitNotice()), SLOW_MS);
      return;
    }
    clearTimeout(this.#slowTimer);
    this.#slowTimer = undefined;
    if (quoteError !== undefined && isRetryable(quoteError)) this.#showWait(errorNotice(quoteError, []));
    else this.#waitNotice?.remove();
  }

  #showWait(shown: HTMLElement): void {
    if (!this.slot.isEmpty && !this.#waitNotice?.isConnected) return;
    this.#waitNotice = shown;
    this.slot.put(shown);
  }

  #showFees(quote: Quote | undefined): void {
    const none = () => (quote ? money({ value: 0, currency: quote.sendAmount.currency }) : UNKNOWN);
    const fees = (quote?.adjustments ?? []).map((fee) =>
      line("fee", h("dd", () => money(fee.amount)), () => adjustmentName(fee)),
    );
    for (const row of this.#fees) row.remove();
    this.#fees = fees.length > 0 ? fees : [line("fee", h("dd", none))];
    this.#total.before(...this.#fees);
  }
}

function waitNotice(): HTMLElement {
  const [title, text] = navigator.onLine
    ? (["action.pricing", "loading.long"] as const)
    : (["error.title.offline", "error.text.offline"] as const);
  return notice({ tone: "info", title: () => t(title), text: () => t(text) });
}

function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours] : []), minutes, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function line(name: string, value: HTMLElement, label: LiveText = () => t(`summary.${name}` as TextKey)) {
  return h("div", { class: `line ${name}` }, h("dt", label), value);
}

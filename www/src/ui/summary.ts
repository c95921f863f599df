import type { Quote } from "remitkit";
import { UNKNOWN, countryName, money, rateLine } from "../amounts";
import { deliveryText, formatArrival } from "../delivery";
import { isRetryable } from "../errors";
import { adjustmentName, t, type TextKey } from "../messages";
import { serviceNow, serviceTime } from "../remit";
import { recipientOf } from "../sent_transfers";
import type { Checkout } from "../state";
import { disclosureParagraphs } from "./disclosures";
import { figure, h, live, setText, showAll, type LiveText } from "./dom";
import { errorNotice, NoticeSlot, plainNotice } from "./notice";

const SLOW_MS = 2_000;
const SECOND_MS = 1_000;

/** The figures of the current quote: what is sent, what it costs, what arrives. */
export class Summary {
  readonly element: HTMLElement;
  /** A notice in this slot covers the figures, which keep their height. */
  readonly slot = new NoticeSlot(undefined, "summary-title");
  readonly #lines = h("dl.lines");
  readonly #timer = figure(h("span", { role: "timer" }, UNKNOWN));
  /** The total again, beside the button on a phone. Screen readers have it here. */
  readonly total = h("p.actions-total.spread", { "aria-hidden": "true" });
  readonly #disclosures = h("div.disclosures.stack.tight.muted.small");
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  /** The price that is counted down, and when it expires; undefined means an unknown expiry. */
  #held: Quote | undefined;
  #expiresAt: number | undefined;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #waitNotice: HTMLElement | undefined;

  /**
   * Calls `renewQuote`, which has to start at once, when the price expires while the page is visible and nothing
   * is being sent.
   */
  constructor(
    private readonly checkout: Checkout,
    private readonly renewQuote: () => void,
  ) {
    this.element = h("aside.summary", { "aria-labelledby": "summary-title" }, [
      h("h2", { id: "summary-title", tabindex: -1 }, () => t("summary.title")),
      h("div.summary-body", this.#lines, this.slot.element),
      this.#disclosures,
      this.#spoken,
    ]);
    live(this.element, () => this.#show());
    checkout.addEventListener("change", () => {
      this.#show();
      if (checkout.state.quote !== this.#held) this.#hold(checkout.state.quote);
    });
    setInterval(() => this.#countDown(), SECOND_MS);
    document.addEventListener("visibilitychange", () => this.#countDown());
  }

  /** Whether the step announces the price instead. */
  set isSilent(isSilent: boolean) {
    this.#spoken.setAttribute("aria-live", isSilent ? "off" : "polite");
  }

  #hold(quote: Quote | undefined): void {
    this.#held = quote;
    const stated = serviceTime(quote?.expirationDate);
    // If a fresh quote has already expired, this clock is wrong too: the service alone decides then.
    this.#expiresAt = stated > serviceNow() ? stated : undefined;
    this.#countDown();
  }

  #countDown(): void {
    const { sending, quoting, transfer } = this.checkout.state;
    const expiresAt = transfer ? undefined : this.#expiresAt;
    const leftMs = expiresAt === undefined ? undefined : Math.max(0, expiresAt - serviceNow());
    setText(this.#timer, leftMs === undefined ? UNKNOWN : clockText(leftMs));
    if (leftMs === 0 && !quoting && !sending && !document.hidden) this.renewQuote();
  }

  #show(): void {
    const { quote, quoting, transfer } = this.checkout.state;
    this.element.setAttribute("aria-busy", String(quoting));
    this.#announceWait();
    showAll(this.#lines, this.#figures());
    const held = this.#lines.querySelector(".held dd");
    if (!held?.contains(this.#timer)) held?.append(this.#timer);
    const total = money(quote?.totalCost);
    showAll(this.total, [h("span", () => t("summary.total")), figure(h("span", total))]);
    // The page of a transfer has those of the receipt.
    showAll(this.#disclosures, transfer ? [] : disclosureParagraphs(quote?.disclosures));
    // A renewed price with the same figures is no news.
    setText(this.#spoken, quote ? t("summary.spoken", { receive: money(quote.receiveAmount), total }) : "");
  }

  /** While the next quote is on its way, those of the last one stay, dimmed, so that nothing moves. */
  #figures(): HTMLElement[] {
    const { quote, route, recipient, transfer, sent } = this.checkout.state;
    const noFee = quote && { value: 0, currency: quote.sendAmount.currency };
    const fees = (quote?.adjustments ?? []).map((fee) =>
      line("fee", figure(h("dd", money(fee.amount))), () => adjustmentName(fee)),
    );
    const { dateAvailable } = transfer ?? {};
    const date = dateAvailable && formatArrival(dateAvailable);
    const country = route?.country ?? transfer?.quote?.destinationCountry;
    const name = recipient?.name ?? (transfer && recipientOf(transfer, sent));
    const to = [name, country && countryName(country)].filter(Boolean).join(", ");
    return [
      line("send", figure(h("dd", money(quote?.sendAmount)))),
      ...(fees.length > 0 ? fees : [line("fee", figure(h("dd", money(noFee))))]),
      line("total", figure(h("dd.strong", money(quote?.totalCost)))),
      line("receive", figure(h("dd.strong", money(quote?.receiveAmount)))),
      line("rate", figure(h("dd", quote ? rateLine(quote) : UNKNOWN))),
      line("arrives", h("dd.sentence", date || (quote && deliveryText(quote)) || UNKNOWN)),
      line("held", h("dd")),
      line("to", h("dd", to || UNKNOWN)),
    ];
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
}

function waitNotice(): HTMLElement {
  const [title, text] = navigator.onLine
    ? (["action.pricing", "loading.long"] as const)
    : (["error.title.offline", "error.text.offline"] as const);
  return plainNotice("info", title, text);
}

/** Formats a time as `09:59`, from an hour on as `01:00:00`. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  return new Date(seconds * SECOND_MS).toISOString().slice(seconds < 3_600 ? 14 : 11, 19);
}

function line(name: string, value: HTMLElement, label: LiveText = () => t(`summary.${name}` as TextKey)) {
  return h("div", { class: `line ${name}` }, h("dt", label), value);
}

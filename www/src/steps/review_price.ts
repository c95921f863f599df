import type { Quote } from "remitkit";
import { isSamePrice, type AgreedPrice } from "../agreed_price";
import { quoteChanges } from "../amounts";
import { t } from "../messages";
import { Disclosures } from "../ui/disclosures";
import { h, inPlace, refreshTexts, showAll, type LiveText } from "../ui/dom";
import { action, NoticeSlot } from "../ui/notice";
import { PressGuard } from "../ui/press_guard";
import { priceFacts, priceNotice, type PriceCause } from "./review_facts";
import type { App } from "./step";

interface Surroundings {
  submit: HTMLButtonElement;
  notSent: LiveText;
  /** Is called when Send may have come to take presses, or not to. */
  changed: () => void;
  signal: AbortSignal;
}

/**
 * The price on the review. One that changes is announced, and a worse one is paid only once the customer has
 * accepted it.
 */
export class ReviewPrice {
  readonly facts = h("dl.facts.price-first");
  readonly disclosures = new Disclosures("quote", () => t("review.disclosures"));
  /** At the head of the panel. */
  readonly slot: NoticeSlot;
  /** Beside Send, where it is in view and moves nothing: a worse price is accepted in it. */
  readonly acceptSlot = new NoticeSlot(focusNotice);
  readonly guard: PressGuard;
  /** Why the next price may be another, and whether the customer is then led to what has changed. */
  expected: { cause: PriceCause; asked: boolean } = { cause: "moved", asked: false };
  #shown: Quote | undefined;
  /** What a price is compared with. */
  #agreed: AgreedPrice | undefined;

  constructor(
    private readonly app: App,
    private readonly around: Surroundings,
  ) {
    ({ quote: this.#shown, agreed: this.#agreed } = app.checkout.state);
    this.slot = app.createHeadSlot();
    this.guard = new PressGuard(around.changed, around.signal);
  }

  /** The price that Send pays. */
  get payable(): Quote | undefined {
    return this.app.checkout.isAgreed ? this.#shown : undefined;
  }

  get hasNotice(): boolean {
    return !this.slot.isEmpty || !this.acceptSlot.isEmpty;
  }

  /** Shows the checkout's price if it is another one; returns whether it is. */
  update(): boolean {
    const { quote, agreed } = this.app.checkout.state;
    if (quote === this.#shown) return false;
    const isNews = !this.#shown || !quote || !isSamePrice(this.#shown, quote);
    this.#shown = quote;
    if (isNews) this.guard.restart();
    if (!quote) {
      this.acceptSlot.clear();
      return false;
    }
    showAll(this.facts, priceFacts(quote));
    this.disclosures.show(quote.disclosures);
    if (!this.app.checkout.isAgreed) {
      // The notice stays as it is if it names this price already.
      if (agreed && (isNews || this.acceptSlot.isEmpty)) this.#askToAccept(agreed, quote);
      return true;
    }
    this.acceptSlot.clear();
    if (this.#agreed && quoteChanges(this.#agreed.quote, quote).length > 0) {
      const shown = priceNotice(this.#agreed.quote, quote, this.#options(this.#agreed));
      if (this.expected.asked) this.slot.show(shown);
      else this.slot.put(shown);
    }
    this.#agreed = agreed;
    return true;
  }

  /** Leads to the notice in which a price has to be accepted; returns whether there is one. */
  leadToAccept(): boolean {
    const [asked] = this.acceptSlot.element.children;
    if (asked instanceof HTMLElement) focusNotice(asked);
    return asked !== undefined;
  }

  refreshTexts(): void {
    for (const { element } of [this.slot, this.acceptSlot]) refreshTexts(element);
  }

  #askToAccept(agreed: AgreedPrice, quote: Quote): void {
    const { asked: isFocused } = this.expected;
    const actions = [action("review.accept", () => this.#accept())];
    const shown = priceNotice(agreed.quote, quote, { ...this.#options(agreed), actions, isFocused });
    this.slot.clear();
    this.acceptSlot.put(shown);
    if (isFocused) focusNotice(shown);
    else if (!isTyping()) shown.scrollIntoView({ block: "nearest" });
  }

  /** Accepts the price that the notice names, unless there is another by now. */
  #accept(): void {
    const { checkout } = this.app;
    const { submit, changed } = this.around;
    if (!this.guard.takesPress) return;
    checkout.agree(this.#shown);
    if (!checkout.isAgreed) return;
    this.#agreed = checkout.state.agreed;
    // The second click of two was meant for this one.
    this.guard.restart();
    inPlace(submit, () => {
      this.acceptSlot.clear();
      changed();
    });
    submit.focus({ preventScroll: true });
  }

  #options({ quotedFor }: AgreedPrice) {
    const isSameAccount = quotedFor === this.app.checkout.state.quotedFor;
    return { cause: isSameAccount ? this.expected.cause : ("account" as const), notSent: this.around.notSent };
  }
}

function focusNotice(shown: HTMLElement): void {
  shown.scrollIntoView({ block: "nearest" });
  shown.focus({ preventScroll: true });
}

/** Whether the customer is at a field, from which no notice takes them away. */
function isTyping(): boolean {
  return document.activeElement?.matches("input, select, textarea") ?? false;
}

import type { Transfer } from "remitkit";
import { timeoutSignal } from "./compat";
import { isReload, saveDraft, takeDraft } from "./draft";
import { EarlierTransfers } from "./earlier_transfers";
import { LANGUAGE_CHANGED, lookUp, t } from "./messages";
import { isPickup } from "./methods";
import { Quotes } from "./quotes";
import { kit } from "./remit";
import * as store from "./sent_transfers";
import { Checkout } from "./state";
import { keepsTransfers } from "./storage";
import { accountStep } from "./steps/account";
import { amountStep } from "./steps/amount";
import { doneStep } from "./steps/done";
import { pickupStep } from "./steps/pickup";
import { profileStep } from "./steps/profile";
import { recipientStep } from "./steps/recipient";
import { reviewStep } from "./steps/review";
import { isSidePage, type App, type Step, type StepName } from "./steps/step";
import { transfersStep } from "./steps/transfers";
import { h, refreshTexts, untilSeen } from "./ui/dom";
import { endWaiting } from "./ui/loading";
import { NoticeSlot, plainNotice } from "./ui/notice";
import { languageSwitch, profileButton, siteFoot, siteHead } from "./ui/site";
import { Stepper } from "./ui/stepper";
import { Summary } from "./ui/summary";

const STEPS: Record<StepName, (app: App) => Step> = {
  amount: amountStep,
  recipient: recipientStep,
  account: (app) => (isPickup(app.checkout.state.route?.transferMethod) ? pickupStep : accountStep)(app),
  review: reviewStep,
  done: (app) => {
    const { transfer } = app.checkout.state;
    return transfer ? doneStep(app, transfer) : amountStep(app);
  },
  profile: profileStep,
  transfers: transfersStep,
};

/** How long the first step may be held back for a transfer that an earlier page left open. */
const LOOKUP_MS = 3_000;

/** The page: stepper, current step and summary. */
export class Shop {
  readonly checkout = new Checkout();
  readonly quotes = new Quotes(this.checkout);
  readonly draft = takeDraft();
  readonly earlier = new EarlierTransfers((transfer, sent) => this.#showTransfer(transfer, sent));
  readonly #stepper = new Stepper((name) => this.go(name));
  readonly #summary = new Summary(this.checkout, () => this.#renewQuote());
  /** Covers the figures of the summary, so that a notice moves nothing while the customer types. */
  readonly priceSlot = this.#summary.slot;
  readonly #stepPlace = h("section.step-place.stack", { "aria-labelledby": "step-title" });
  readonly #actions = h("div.actions");
  readonly #columns = h("div.columns");
  readonly #main = h("main", { id: "main", tabindex: -1 });
  #step: Step | undefined;
  #name: StepName = "amount";
  /** The last step of the transfer; side pages lead back to it. */
  origin: StepName = "amount";
  #hasProblem = false;
  /** Records that the customer has seen the transfer on the page. */
  #markSeen: (() => void) | undefined;

  constructor(root: HTMLElement) {
    const profile = profileButton(() => this.go("profile"));
    this.#main.append(this.#stepper.element, this.earlier.element);
    root.append(siteHead([profile, languageSwitch()]), this.#main, siteFoot());
    // The service words parts of a quote. From the review on, the quote must stay as it was confirmed.
    addEventListener(LANGUAGE_CHANGED, () => {
      const isOpen = this.origin !== "done" && this.origin !== "review";
      if (isOpen && this.checkout.state.quote) this.#renewQuote();
      this.#setTitle();
    });
    this.checkout.addEventListener("change", () => {
      profile.disabled = this.checkout.state.sending;
      refreshTexts(this.#stepper.element);
      saveDraft(this.checkout.state, this.origin);
    });
    addEventListener("popstate", () => this.#followHistory());
    root.addEventListener("change", () => this.#step?.keep?.());
    addEventListener("pagehide", () => this.#step?.keep?.());
  }

  /** Shows a step and adds it to the browser's history. */
  go(step: StepName): void {
    if (this.checkout.state.sending) return;
    this.#show(step);
    if (history.state !== step) history.pushState(step, "", step === "amount" ? "./" : `#${step}`);
  }

  /** Creates a slot for the head of the panel. A notice there takes the focus. */
  createHeadSlot(): NoticeSlot {
    return new NoticeSlot((notice) => {
      this.#mountColumns();
      scrollTo({ top: 0 });
      notice.focus({ preventScroll: true });
    });
  }

  /** Says in the page's title whether the step's input has to be corrected. */
  markProblem(hasProblem: boolean): void {
    this.#hasProblem = hasProblem;
    this.#setTitle();
  }

  refreshTitle(): void {
    refreshTexts(this.#stepPlace);
    this.#setTitle();
  }

  /** Starts at the first step, or at the transfer that the tab showed before a reload. */
  start(): void {
    // A reload that coincides with the last step can leave the browser without its history entry.
    const shown = history.state === "done" || isReload() ? store.shownTransfer() : undefined;
    this.#startOver();
    store.resumeCheckout();
    void this.#restore(shown);
    // Before the customer sends anything that this page could not find again.
    void keepsTransfers().then((isKept) => {
      if (!isKept) this.earlier.element.before(plainNotice("info", "storage.title", "storage.text"));
    });
  }

  /** Shows a previous transfer, if there is one. Meanwhile CSS hides the steps. */
  async #restore(shown: string | undefined): Promise<void> {
    const { documentElement: page } = document;
    const isOpen = shown !== undefined || store.sentTransfers().some(({ isShown }) => !isShown);
    page.toggleAttribute("data-looking", isOpen);
    const release = () => page.removeAttribute("data-looking");
    setTimeout(release, LOOKUP_MS);
    if (shown) {
      const signal = timeoutSignal(LOOKUP_MS);
      const read = kit().then((remit) => remit.getTransfer(shown, { signal }));
      // If it can't be read, the customer finds it among their transfers.
      const transfer = await read.catch(() => undefined);
      if (transfer) this.#showTransfer(transfer, store.sentTransferById(shown));
    }
    await this.earlier.start(LOOKUP_MS);
    release();
  }

  #showTransfer(transfer: Transfer, sent: store.SentTransfer | undefined): void {
    // The checkout belongs to the transfer that is being sent.
    if (this.checkout.state.sending) return;
    this.quotes.cancel();
    this.checkout.change({ transfer, sent, quote: transfer.quote ?? undefined, quoting: false });
    this.go("done");
  }

  #startOver(): void {
    history.replaceState("amount", "", "./");
    this.#show("amount");
  }

  #show(name: StepName): void {
    const isFirst = this.#step === undefined;
    this.#step?.leave();
    this.priceSlot.clear();
    endWaiting();
    this.#name = name;
    this.#hasProblem = false;
    if (!isSidePage(name)) this.origin = name;
    this.#markSeen?.();
    if (name === "done") this.#markShown();
    else if (!isFirst && !isSidePage(name)) store.markShown(undefined);
    const step = STEPS[name](this);
    this.#step = step;
    this.#summary.isSilent = step.announcesPrices ?? false;
    const title = h("h1", { id: "step-title", tabindex: -1 }, step.title);
    const about = step.about && h("p.muted", step.about);
    this.#stepPlace.replaceChildren(
      h("header.step-head.stack.tight", title, about),
      h("div.panel", step.panel),
    );
    this.#actions.replaceChildren(this.#summary.total, ...step.actions);
    this.#mountColumns();
    this.#showStepper();
    document.documentElement.dataset["step"] = name;
    this.#setTitle();
    saveDraft(this.checkout.state, this.origin);
    step.enter?.();
    if (isFirst) return;
    scrollTo({ top: 0 });
    title.focus({ preventScroll: true });
  }

  #markShown(): void {
    const { transfer, sent } = this.checkout.state;
    if (!transfer) return;
    store.markShown(transfer.transferId);
    if (!sent) return;
    store.rememberMade(sent, transfer.transferId);
    this.earlier.drop(sent.quoteHistoryId);
    // If the tab is closed before the customer has seen it, the next page shows the transfer.
    const markSeen = () => {
      store.rememberMade(sent, transfer.transferId, true);
      this.#markSeen = undefined;
    };
    this.#markSeen = markSeen;
    void untilSeen().then(() => this.#markSeen === markSeen && markSeen());
  }

  /** Mounts the columns again: browsers then don't count a step of another height as a layout shift. */
  #mountColumns(): void {
    this.#main.append(this.#columns);
    this.#columns.replaceChildren(this.#stepPlace, this.#summary.element, this.#actions);
  }

  #showStepper(): void {
    const account = () => {
      const { transfer, route } = this.checkout.state;
      const method = transfer?.quote?.transferMethod ?? route?.transferMethod ?? "PUSH_TO_CARD";
      return lookUp(`steps.${method}`) ?? t("steps.account");
    };
    this.#stepper.show(account, this.origin);
    this.#stepper.element.hidden = isSidePage(this.#name);
  }

  #renewQuote(): void {
    if (this.#step?.renewQuote) this.#step.renewQuote();
    else void this.quotes.fetch();
  }

  #setTitle(): void {
    const title = `${this.#step?.title() ?? ""} · Sendero`;
    document.title = this.#hasProblem ? `Error: ${title}` : title;
  }

  /** Follows Back and Forward to a step whose requirements are met, but never past a transfer. */
  #followHistory(): void {
    // An amount that was typed a moment ago has no price yet.
    this.#step?.keep?.();
    const { recipient, account, pickup, transfer, sending, route, amount } = this.checkout.state;
    const step = history.state as StepName;
    // A Back pressed while sending can arrive with the outcome, before the customer has seen that.
    if (sending || this.#markSeen) {
      history.pushState(this.#name, "", `#${this.#name}`);
      return;
    }
    if (transfer && step !== "done" && !isSidePage(step)) {
      this.checkout.restart();
      this.#startOver();
      return;
    }
    const destination = isPickup(route?.transferMethod) ? pickup : account;
    const hasAmount = route !== undefined && amount !== undefined;
    const hasRecipient = hasAmount && recipient !== undefined;
    const isOpen: Record<StepName, boolean> = {
      amount: true,
      recipient: hasAmount,
      account: hasRecipient,
      review: hasRecipient && destination !== undefined,
      done: transfer !== undefined,
      profile: true,
      transfers: true,
    };
    if (isOpen[step]) this.#show(step);
    // The first step keeps its input, such as an amount that has to be corrected.
    else if (this.#name === "amount") history.replaceState("amount", "", "./");
    else this.#startOver();
  }
}

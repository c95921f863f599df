import type { Transfer } from "remitkit";
import { isReload, saveDraft, takeDraft } from "./draft";
import { EarlierTransfers } from "./earlier_transfers";
import { onLanguage, t, type TextKey } from "./messages";
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
import { notice, NoticeSlot } from "./ui/notice";
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

/** What the step is called in which the customer says where the money arrives. */
const DESTINATION_LABELS: Record<string, TextKey> = {
  PUSH_TO_CARD: "steps.card",
  MOBILE_WALLET: "steps.wallet",
  CASH_PICKUP: "steps.pickup",
};

/** How long the first step may be held back for a transfer that an earlier page left open. */
const LOOKUP_MS = 3_000;

/** The page: stepper, current step and summary. */
export class Shop implements App {
  readonly checkout = new Checkout();
  readonly quotes = new Quotes(this.checkout);
  readonly draft = takeDraft();
  readonly earlier = new EarlierTransfers((transfer, sent) => this.#showTransfer(transfer, sent));
  readonly #stepper = new Stepper((name) => this.go(name as StepName));
  readonly #summary = new Summary(this.checkout, () => this.#renewQuote());
  readonly #stepPlace = h("section.step-place", { "aria-labelledby": "step-title" });
  readonly #actions = h("div.actions");
  readonly #columns = h("div.columns");
  readonly #main = h("main", { id: "main", tabindex: -1 });
  #step: Step | undefined;
  #name: StepName = "amount";
  /** The last step of the transfer; side pages lead back to it. */
  #origin: StepName = "amount";
  #stepperMethod: string | undefined;
  #hasProblem = false;
  /** Records that the customer has seen the transfer on the page. */
  #markSeen: (() => void) | undefined;

  constructor(root: HTMLElement) {
    const profile = profileButton(() => this.go("profile"));
    this.#main.append(this.#stepper.element, this.earlier.element);
    root.append(siteHead([profile, languageSwitch()]), this.#main, siteFoot());
    // The service words parts of a quote. From the review on, the quote must stay as it was confirmed.
    onLanguage(() => {
      const isOpen = this.#origin !== "done" && this.#origin !== "review";
      if (isOpen && this.checkout.state.quote) this.#renewQuote();
      this.#setTitle();
    });
    this.checkout.watch(() => {
      profile.disabled = this.checkout.state.sending;
      if (this.#method() !== this.#stepperMethod) this.#showStepper();
    });
    this.checkout.watch(() => saveDraft(this.checkout.state, this.#origin));
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

  get origin(): StepName {
    return this.#origin;
  }

  get priceSlot(): NoticeSlot {
    return this.#summary.slot;
  }

  createHeadSlot(): NoticeSlot {
    return new NoticeSlot((notice) => {
      this.#mountColumns();
      scrollTo({ top: 0 });
      notice.focus({ preventScroll: true });
    });
  }

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
    void this.#checkStorage();
  }

  /** Says before the customer sends anything that this page could not find it again. */
  async #checkStorage(): Promise<void> {
    if (await keepsTransfers()) return;
    const [title, text] = [() => t("storage.title"), () => t("storage.text")];
    this.earlier.element.before(notice({ tone: "info", title, text }));
  }

  /** Shows a previous transfer, if there is one. Meanwhile CSS hides the steps. */
  async #restore(shown: string | undefined): Promise<void> {
    const { documentElement: page } = document;
    const isOpen = shown !== undefined || store.sentTransfers().some(({ isShown }) => !isShown);
    page.toggleAttribute("data-looking", isOpen);
    const release = () => page.removeAttribute("data-looking");
    setTimeout(release, LOOKUP_MS);
    try {
      if (shown) {
        const signal = AbortSignal.timeout(LOOKUP_MS);
        this.#showTransfer(await (await kit()).getTransfer(shown, { signal }), store.sentTransferById(shown));
      }
    } catch {
      // The customer finds it among their transfers.
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
    if (!isSidePage(name)) this.#origin = name;
    this.#markSeen?.();
    if (name === "done") this.#markShown();
    else if (!isFirst && !isSidePage(name)) store.clearShown();
    const step = STEPS[name](this);
    this.#step = step;
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
    saveDraft(this.checkout.state, this.#origin);
    step.enter?.();
    if (isFirst) return;
    scrollTo({ top: 0 });
    title.focus({ preventScroll: true });
  }

  #markShown(): void {
    const { transfer, sent } = this.checkout.state;
    if (!transfer) return;
    store.markShown(transfer.transferId, sent);
    if (!sent) return;
    this.earlier.drop(sent.quoteHistoryId);
    // If the tab is closed before the customer has seen it, the next page shows the transfer.
    const markSeen = () => {
      store.markSeen(transfer.transferId, sent);
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

  #method(): string {
    const { transfer, route } = this.checkout.state;
    return transfer?.quote?.transferMethod ?? route?.transferMethod ?? "PUSH_TO_CARD";
  }

  #showStepper(): void {
    const method = this.#method();
    const account = DESTINATION_LABELS[method] ?? "steps.account";
    const steps = [
      { name: "amount", label: () => t("steps.amount") },
      { name: "recipient", label: () => t("steps.recipient") },
      { name: "account", label: () => t(account) },
      { name: "review", label: () => t("steps.review") },
    ];
    this.#stepper.show(steps, this.#origin);
    this.#stepper.element.hidden = isSidePage(this.#name);
    this.#stepperMethod = method;
  }

  #renewQuote(): void {
    if (this.#step?.renewQuote) this.#step.renewQuote();
    else void this.quotes.fetch();
  }

  #setTitle(): void {
    const title = `${this.#step?.title() ?? ""} · Sendero`;
    document.title = this.#hasProblem ? t("title.problem", { title }) : title;
  }

  /** Follows Back and Forward to a step whose requirements are met, but never past a transfer. */
  #followHistory(): void {
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

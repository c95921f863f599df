import type { Transfer } from "remitkit";
import { isReload, keepDraft, readDraft } from "./draft";
import { EarlierTransfers } from "./earlier";
import { onLanguage, t } from "./messages";
import { isPickup } from "./methods";
import { QuoteExpiry } from "./quote_expiry";
import { Quotes } from "./quotes";
import { kit } from "./remit";
import { leaveShown, noteShown, noteTold, resumeCheckout, sentTransfers, shownTransfer, type Sent } from "./sent";
import { Checkout } from "./state";
import { accountStep } from "./steps/account";
import { amountStep } from "./steps/amount";
import { doneStep } from "./steps/done";
import { pickupStep } from "./steps/pickup";
import { profileStep } from "./steps/profile";
import { recipientStep } from "./steps/recipient";
import { reviewStep } from "./steps/review";
import type { App, Step } from "./steps/step";
import { isAside, type StepName } from "./steps/step_name";
import { transfersStep } from "./steps/transfers";
import { h, relabel, untilSeen } from "./ui/dom";
import { endWaiting } from "./ui/loading";
import { NoticeSlot } from "./ui/notice";
import { profileButton, siteFoot, siteHead } from "./ui/site";
import { Stepper } from "./ui/stepper";
import { Summary } from "./ui/summary";

const STEPS: Record<StepName, (app: App) => Step> = {
  amount: amountStep,
  recipient: recipientStep,
  account: (app) => (isPickup(app.checkout.state.route?.transferMethod) ? pickupStep : accountStep)(app),
  review: reviewStep,
  done: doneStep,
  profile: profileStep,
  transfers: transfersStep,
};

// Longer than this nobody is kept waiting for what an earlier page has left open.
const LOOK_MS = 3_000;

/** The page: frame, current step, summary. */
export class Shop implements App {
  readonly checkout = new Checkout();
  readonly quotes = new Quotes(this.checkout);
  readonly #stepper = new Stepper((name) => this.go(name as StepName));
  readonly #place = h("section", { class: "step-place", "aria-labelledby": "step-title" });
  readonly #actions = h("div", { class: "actions" });
  readonly #expiry = new QuoteExpiry(this.checkout, () => this.#renew());
  readonly #summary = new Summary(this.checkout, this.#expiry);
  readonly #columns = h("div", { class: "columns" });
  readonly #tools = h("div", { class: "tools" });
  readonly draft = readDraft();
  readonly earlier = new EarlierTransfers((transfer, sent) => this.#showTransfer(transfer, sent));
  #step: Step | undefined;
  /** Notes that the customer has been told of the transfer on the page. */
  #told: (() => void) | undefined;
  #name: StepName | undefined;
  #stepsFor: string | undefined;
  #origin: StepName = "amount";

  constructor(root: HTMLElement) {
    const profile = profileButton(() => this.go("profile"));
    root.append(
      siteHead(profile),
      h("main", { id: "main", tabindex: -1 }, this.#stepper.element, this.earlier.element, this.#tools),
      siteFoot(),
    );
    // The service words parts of a quote; while a transfer is under way its quote must stay as confirmed.
    onLanguage(() => {
      const { quote } = this.checkout.state;
      if (quote && this.#origin !== "done" && this.#origin !== "review") void this.quotes.ask();
      document.title = this.#title();
    });
    this.checkout.watch(() => {
      profile.disabled = this.checkout.state.sending;
      const method = this.checkout.state.route?.transferMethod;
      if (method && method !== this.#stepsFor) this.#showSteps();
    });
    addEventListener("popstate", () => this.#fromHistory());
    this.checkout.watch(() => keepDraft(this.checkout.state, this.#origin));
    root.addEventListener("change", () => this.#step?.keep?.());
    addEventListener("pagehide", () => this.#step?.keep?.());
  }

  /** Shows a step and puts it into the browser's history, so that Back goes one step back. */
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

  headSlot(): NoticeSlot {
    return new NoticeSlot((notice) => {
      this.#putInPlace();
      scrollTo({ top: 0 });
      notice.focus({ preventScroll: true });
    });
  }

  retitle(): void {
    relabel(this.#place);
    document.title = this.#title();
  }

  /** Starts at the first step whatever step the address names, unless a transfer was shown. */
  start(): void {
    // A reload that comes as the last page does may leave the browser without its entry in the history.
    const shown = history.state === "done" || isReload() ? shownTransfer() : undefined;
    this.#restart();
    resumeCheckout();
    void this.#settle(shown);
  }

  // The steps are held back where there may be something else to show.
  async #settle(shown: string | undefined): Promise<void> {
    const page = document.documentElement;
    page.toggleAttribute("data-looking", shown !== undefined || sentTransfers().some(({ isShown }) => !isShown));
    const released = () => page.removeAttribute("data-looking");
    setTimeout(released, LOOK_MS);
    if (shown) await this.#showAgain(shown);
    await this.earlier.begin(LOOK_MS);
    released();
  }

  async #showAgain(transferId: string): Promise<void> {
    try {
      const remit = await kit();
      const transfer = await remit.getTransfer(transferId, { signal: AbortSignal.timeout(LOOK_MS) });
      this.#showTransfer(transfer, sentTransfers().find((sent) => sent.transferId === transferId));
    } catch {
      // Then it is found among the customer's transfers.
    }
  }

  #showTransfer(transfer: Transfer, sent: Sent | undefined): void {
    this.quotes.drop();
    this.checkout.change({ transfer, sent, quote: transfer.quote ?? undefined, quoting: false });
    this.go("done");
  }

  #restart(): void {
    history.replaceState("amount", "", "./");
    this.#show("amount");
  }

  #show(name: StepName): void {
    const first = this.#step === undefined;
    this.#step?.leave();
    this.priceSlot.clear();
    endWaiting();
    this.#name = name;
    if (!isAside(name)) this.#origin = name;
    this.#told?.();
    if (name === "done") this.#noteShown();
    else if (!first && !isAside(name)) leaveShown();
    const step = STEPS[name](this);
    this.#step = step;
    const title = h("h1", { id: "step-title", tabindex: -1 }, step.title);
    this.#place.replaceChildren(
      h("header", { class: "step-head stack tight" }, title, step.about && h("p", { class: "muted" }, step.about)),
      h("div", { class: "panel" }, step.panel),
    );
    this.#actions.replaceChildren(...step.actions);
    this.#putInPlace();
    this.#tools.replaceChildren(...(step.tool ? [step.tool] : []));
    this.#showSteps();
    document.documentElement.dataset["step"] = name;
    document.title = this.#title();
    keepDraft(this.checkout.state, this.#origin);
    step.enter?.();
    if (!first) {
      scrollTo({ top: 0 });
      title.focus({ preventScroll: true });
    }
  }

  #noteShown(): void {
    const { transfer, sent } = this.checkout.state;
    if (!transfer) return;
    noteShown(transfer.transferId, sent);
    if (!sent) return;
    this.earlier.drop(sent.quoteHistoryId);
    // Where the tab is closed before, the next page tells of it.
    const told = () => {
      noteTold(transfer.transferId, sent);
      this.#told = undefined;
    };
    this.#told = told;
    void untilSeen().then(() => this.#told === told && told());
  }

  // Anew, as the step is: otherwise what stands below would be seen to jump with the height of the step.
  #putInPlace(): void {
    this.#tools.before(this.#columns);
    this.#columns.replaceChildren(this.#place, this.#summary.element, this.#actions);
  }

  #showSteps(): void {
    const method = this.checkout.state.route?.transferMethod ?? "PUSH_TO_CARD";
    const account = method === "PUSH_TO_CARD" ? "steps.card" : isPickup(method) ? "steps.pickup" : "steps.account";
    const steps = [
      { name: "amount", label: () => t("steps.amount") },
      { name: "recipient", label: () => t("steps.recipient") },
      { name: "account", label: () => t(account) },
      { name: "review", label: () => t("steps.review") },
    ];
    if (this.#name) this.#stepper.show(steps, this.#origin);
    this.#stepper.element.hidden = this.#name !== undefined && isAside(this.#name);
    this.#stepsFor = method;
  }

  #renew(): void {
    if (this.#step?.renew) this.#step.renew();
    else void this.quotes.ask();
  }

  #title(): string {
    return `${this.#step?.title() ?? ""} · Sendero`;
  }

  // A step can be gone to by Back and Forward if what it builds on is there, and never past a transfer.
  #fromHistory(): void {
    const { recipient, account, pickup, transfer, sending, route } = this.checkout.state;
    const wanted = history.state as StepName;
    // Pressed while it is sent, Back may arrive after the outcome, which nobody has seen by then.
    if (sending || this.#told) {
      history.pushState(this.#name, "", `#${this.#name}`);
      return;
    }
    if (transfer && wanted !== "done" && !isAside(wanted)) {
      this.checkout.restart();
      this.#restart();
      return;
    }
    const open =
      wanted === "amount" ||
      isAside(wanted) ||
      (wanted === "done" && transfer !== undefined) ||
      (wanted === "recipient" && route !== undefined) ||
      (wanted === "account" && recipient !== undefined) ||
      (wanted === "review" && recipient !== undefined && (isPickup(route?.transferMethod) ? pickup : account) !== undefined);
    if (open) this.#show(wanted);
    else this.#restart();
  }
}

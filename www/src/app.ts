import { isRemitError } from "remitkit";
import { currentLanguage, onLanguage, setLanguage, t, type Language } from "./messages";
import { needsAccount } from "./methods";
import { Quotes } from "./quotes";
import { interruptedAttempts, settleAttempt, unsettledNotice } from "./sending";
import { Checkout } from "./state";
import { accountStep } from "./steps/account";
import { amountStep } from "./steps/amount";
import { doneStep } from "./steps/done";
import { recipientStep } from "./steps/recipient";
import { reviewStep } from "./steps/review";
import type { App, Step, StepName } from "./steps/step";
import { follow, h, on } from "./ui/dom";
import { mark } from "./ui/icons";
import { endWaiting } from "./ui/loading";
import { errorNotice, NoticeSlot, notice } from "./ui/notice";
import { Stepper } from "./ui/stepper";
import { Summary } from "./ui/summary";

const STEPS: Record<StepName, (app: App) => Step> = {
  amount: amountStep,
  recipient: recipientStep,
  account: accountStep,
  review: reviewStep,
  done: doneStep,
};

/** The page: frame, current step, summary. */
export class Shop implements App {
  readonly checkout = new Checkout();
  readonly quotes = new Quotes(this.checkout);
  readonly #stepper = new Stepper((name) => this.go(name as StepName));
  readonly #place = h("section", { class: "step-place", "aria-labelledby": "step-title" });
  readonly #actions = h("div", { class: "actions" });
  readonly #summary = new Summary(this.checkout).element;
  readonly #columns = h("div", { class: "columns" });
  readonly #slot = new NoticeSlot();
  #step: Step | undefined;
  #name: StepName | undefined;
  #stepsFor: string | undefined;

  constructor(root: HTMLElement) {
    root.append(
      header(),
      h(
        "main",
        { id: "main" },
        this.#stepper.element,
        this.#slot.element,
        this.#columns,
      ),
      footer(),
    );
    // The service words parts of a quote; while a transfer is under way its quote must stay as it was confirmed.
    onLanguage(() => {
      const { quote } = this.checkout.state;
      if (quote && this.#name !== "done" && this.#name !== "review") void this.quotes.ask();
      document.title = this.#title();
    });
    this.checkout.watch(() => {
      const method = this.checkout.state.route?.transferMethod;
      if (method && method !== this.#stepsFor) this.#showSteps();
    });
    addEventListener("popstate", () => this.#fromHistory());
    void this.#offerInterrupted();
  }

  /** Shows a step and puts it into the browser's history, so that Back goes one step back. */
  go(step: StepName): void {
    if (this.checkout.state.sending) return;
    this.#show(step);
    if (history.state !== step) history.pushState(step, "", step === "amount" ? "./" : `#${step}`);
  }

  /** Begins. What an address from an earlier visit asks for is gone, so it is always at the first step. */
  start(): void {
    history.replaceState("amount", "", "./");
    this.#show("amount");
  }

  #show(name: StepName): void {
    const first = this.#step === undefined;
    this.#step?.leave();
    endWaiting();
    this.#name = name;
    const step = STEPS[name](this);
    this.#step = step;
    const title = h("h1", { id: "step-title", tabindex: -1 }, step.title);
    this.#place.replaceChildren(
      h("header", { class: "step-head" }, title, step.about && h("p", { class: "muted" }, step.about)),
      h("div", { class: "panel" }, step.panel),
    );
    this.#actions.replaceChildren(...step.actions);
    // Put in place anew, as the step is: otherwise the summary would be seen to jump with the height of the step.
    this.#columns.replaceChildren(this.#place, this.#summary, this.#actions);
    this.#showSteps();
    document.documentElement.dataset["step"] = name;
    document.title = this.#title();
    step.enter?.();
    if (!first) {
      scrollTo({ top: 0 });
      title.focus({ preventScroll: true });
    }
  }

  #showSteps(): void {
    const method = this.checkout.state.route?.transferMethod ?? "PUSH_TO_CARD";
    const account = method === "PUSH_TO_CARD" ? "steps.card" : "steps.account";
    const steps = [
      { name: "amount", label: () => t("steps.amount") },
      { name: "recipient", label: () => t("steps.recipient") },
      ...(needsAccount(method) ? [{ name: "account", label: () => t(account) }] : []),
      { name: "review", label: () => t("steps.review") },
    ];
    if (this.#name) this.#stepper.show(steps, this.#name);
    this.#stepsFor = method;
  }

  #title(): string {
    return `${this.#step?.title() ?? ""} · Sendero`;
  }

  // A step can be gone to by Back and Forward if what it builds on is there, and never past a transfer.
  #fromHistory(): void {
    const { recipient, account, transfer, sending, route } = this.checkout.state;
    if (sending) {
      history.pushState(this.#name, "", "#review");
      return;
    }
    if (transfer && this.#name === "done") {
      this.checkout.restart();
      this.start();
      return;
    }
    const wanted = history.state as StepName;
    const open =
      wanted === "amount" ||
      (wanted === "recipient" && route !== undefined) ||
      (wanted === "account" && recipient !== undefined) ||
      (wanted === "review" && recipient !== undefined && (account !== undefined || !needsAccount(route?.transferMethod ?? "")));
    if (open) this.#show(wanted);
    else this.start();
  }

  async #offerInterrupted(): Promise<void> {
    const [attempt] = await interruptedAttempts();
    if (!attempt) return;
    const ask = async (): Promise<void> => {
      const outcome = await settleAttempt(attempt, this.#slot);
      if ("transfer" in outcome) {
        this.#slot.clear();
        this.quotes.drop();
        this.checkout.change({ transfer: outcome.transfer, quote: outcome.transfer.quote, quoting: false });
        this.go("done");
      } else if (isRemitError(outcome.error) && outcome.error.kind === "outcome_unknown") {
        this.#slot.show(unsettledNotice(outcome.error, () => void ask()));
      } else {
        this.#slot.show(errorNotice(outcome.error, [{ label: () => t("action.dismiss"), run: () => this.#slot.clear() }]));
      }
    };
    this.#slot.show(
      notice({
        tone: "warning",
        title: () => t("interrupted.title"),
        text: () => t("interrupted.text"),
        actions: [{ label: () => t("unsettled.ask"), run: () => void ask() }],
      }),
    );
  }
}

function header(): HTMLElement {
  return h(
    "header",
    { class: "site-head" },
    h("a", { class: "skip", href: "#main" }, () => t("site.skip")),
    h("div", { class: "brand" }, mark(), h("span", { class: "brand-name" }, "Sendero"), h("span", { class: "demo-badge" }, () => t("site.demo"))),
    languageSwitch(),
  );
}

function languageSwitch(): HTMLElement {
  const names: Record<Language, string> = { en: "English", es: "Español" };
  const group = h("div", { class: "languages", role: "group", "aria-label": () => t("site.language") });
  for (const [language, name] of Object.entries(names) as [Language, string][]) {
    const choice = h("button", { type: "button", lang: language, "data-language": language, title: name }, language.toUpperCase());
    follow(choice, () => choice.setAttribute("aria-pressed", String(currentLanguage() === language)));
    group.append(on(choice, { click: () => setLanguage(language) }));
  }
  return group;
}

function footer(): HTMLElement {
  return h("footer", { class: "site-foot" }, h("p", {}, () => t("site.about")));
}

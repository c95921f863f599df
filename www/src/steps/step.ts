import type { Draft } from "../draft";
import type { EarlierTransfers } from "../earlier_transfers";
import type { Quotes } from "../quotes";
import type { Checkout } from "../state";
import type { LiveText } from "../ui/dom";
import type { NoticeSlot } from "../ui/notice";

/** A page beside the steps of a transfer, which leads back to them. */
type SidePage = "profile" | "transfers";

export type StepName = "amount" | "recipient" | "account" | "review" | "done" | SidePage;

export function isSidePage(step: StepName): step is SidePage {
  return step === "profile" || step === "transfers";
}

/** What the page offers to its steps. */
export interface App {
  readonly checkout: Checkout;
  readonly quotes: Quotes;
  readonly earlier: EarlierTransfers;
  /** The last step of the transfer; side pages lead back to it. */
  readonly origin: StepName;
  readonly draft: Draft | undefined;
  /** Covers the figures of the summary, so that a notice moves nothing while the customer types. */
  readonly priceSlot: NoticeSlot;
  go(step: StepName): void;
  /** Creates a slot for the head of the panel. A notice there takes the focus. */
  createHeadSlot(): NoticeSlot;
  /** Says in the page's title whether the step's input has to be corrected. */
  markProblem(hasProblem: boolean): void;
  /** Renders the step's title again after its state has changed. */
  refreshTitle(): void;
}

/** One screen of the checkout, created on each entry; its input is kept in the checkout. */
export interface Step {
  readonly title: LiveText;
  readonly about?: LiveText;
  readonly panel: HTMLElement;
  /** The buttons below the panel, the one that goes on last. */
  readonly actions: HTMLElement[];
  enter?(): void;
  keep?(): void;
  /** Replaces an expired price; without it the page fetches one. */
  renewQuote?(): void;
  leave(): void;
}

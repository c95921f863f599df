import type { EarlierTransfers } from "../earlier";
import type { Draft } from "../draft";
import type { Quotes } from "../quotes";
import type { Checkout } from "../state";
import type { LiveText } from "../ui/dom";
import type { NoticeSlot } from "../ui/notice";
import type { StepName } from "./step_name";

/** What a step is given to work with. */
export interface App {
  readonly checkout: Checkout;
  readonly quotes: Quotes;
  readonly earlier: EarlierTransfers;
  /** The step of the transfer that was shown last; a page beside the steps leads back there. */
  readonly origin: StepName;
  /** What the page had before it was loaded anew. */
  readonly draft: Draft | undefined;
  /** Says why there is no price, in the figures' place, so that nothing moves while the customer types. */
  readonly priceSlot: NoticeSlot;
  go(step: StepName): void;
  /** A place at the head of the step's panel. The step begins anew with what is said there. */
  headSlot(): NoticeSlot;
  /** Shows the step's title anew, which has changed. */
  retitle(): void;
}

/** One screen of the checkout, created on each entry; what it gathers is stored in the checkout. */
export interface Step {
  readonly title: LiveText;
  readonly about?: LiveText;
  readonly panel: HTMLElement;
  /** The buttons below the panel, the way on last. */
  readonly actions: HTMLElement[];
  /** Stands below everything, for whoever tests the demo. */
  readonly tool?: HTMLElement;
  /** Runs once the panel is on the page. */
  enter?(): void;
  /** Puts what is typed into the checkout. */
  keep?(): void;
  /** Gets a new price in the place of one that is over; otherwise it is fetched without the step. */
  renew?(): void;
  /** Ends whatever the step has under way. */
  leave(): void;
}

import type { Quotes } from "../quotes";
import type { Checkout } from "../state";
import type { LiveText } from "../ui/dom";

export type StepName = "amount" | "recipient" | "account" | "review" | "done" | "profile";

/** What a step is given to work with. */
export interface App {
  readonly checkout: Checkout;
  readonly quotes: Quotes;
  /** The step of the transfer that was shown last; the profile leads back there. */
  readonly origin: StepName;
  go(step: StepName): void;
  /** Shows the step's title anew, which has changed. */
  retitle(): void;
}

/** One screen of the checkout. It is made anew each time it is entered; what it gathers lies in the checkout. */
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
  /** Gets a new price in the place of one that is over; otherwise it is fetched without the step. */
  renew?(): void;
  /** Ends whatever the step has under way. */
  leave(): void;
}

import type { Shop } from "../app";
import type { CheckoutState } from "../state";
import type { LiveText } from "../ui/dom";

/** The page, as its steps know it. */
export type App = Readonly<Shop>;

export type StepName = "amount" | "recipient" | "account" | "review" | "done" | "profile" | "transfers";

/** Whether it is a page beside the steps of a transfer, which leads back to them. */
export function isSidePage(step: StepName): boolean {
  return step === "profile" || step === "transfers";
}

/** One screen of the checkout, created on each entry; its input is kept in the checkout. */
export interface Step {
  readonly title: LiveText;
  readonly about?: LiveText;
  readonly panel: HTMLElement;
  /** The buttons below the panel, the one that goes on last. */
  readonly actions: HTMLElement[];
  /** Whether its notices announce each change of the price. */
  announcesPrices?: boolean;
  enter?(): void;
  keep?(): void;
  /** Replaces an expired price; without it the page fetches one. */
  renewQuote?(): void;
  leave(): void;
}

/** Returns what an earlier step has set. */
export function given<Name extends keyof CheckoutState>({ checkout }: App, name: Name) {
  const value = checkout.state[name];
  if (value === undefined) throw new Error(`The step was opened without its ${name}.`);
  return value as NonNullable<CheckoutState[Name]>;
}

export function startAnother(app: App): void {
  app.checkout.restart();
  app.go("amount");
}

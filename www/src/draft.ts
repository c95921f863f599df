import type { FieldValues, MinorUnits } from "remitkit";
import { wishOf, type Wish } from "./routes";
import type { CheckoutState, QuoteBy, RecipientType } from "./state";
import { readStored, writeStored } from "./storage";
import type { StepName } from "./steps/step_name";

const STORED = "shop-draft";

/**
 * What a reload of this tab keeps of a checkout: the input of the shop's own pages. It never holds a card,
 * which is entered in the service's frame.
 */
export interface Draft {
  step: StepName;
  wish: Wish;
  quoteBy: QuoteBy;
  /** In minor units, as text: they may be more than JSON's numbers hold. */
  amount?: string | undefined;
  recipientType: RecipientType;
  recipientValues: FieldValues;
  accountValues: FieldValues;
  pickupValues: FieldValues;
  transferValues: FieldValues;
}

/** Keeps what has been typed so far. From the press of Send on there is nothing to go on with. */
export function keepDraft(state: Readonly<CheckoutState>, step: StepName): void {
  const { route, amount, quoteBy, recipientType, recipientValues, accountValues, pickupValues, transferValues } = state;
  if (state.sending || state.transfer) writeStored("sessionStorage", STORED, undefined);
  else if (route) {
    const draft: Draft = { step, wish: wishOf(route), quoteBy, amount: amount?.toString(), recipientType, recipientValues, accountValues, pickupValues, transferValues };
    writeStored("sessionStorage", STORED, draft);
  }
}

/** What a page that was loaded anew goes on with. Who comes here another way begins afresh. */
export function readDraft(): Draft | undefined {
  const stored = readStored("sessionStorage", STORED) as Draft | undefined;
  writeStored("sessionStorage", STORED, undefined);
  return isReload() ? stored : undefined;
}

/** Whether this page was loaded anew, in the place where it was. */
export function isReload(): boolean {
  return performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");
}

/** The part of the checkout's state that a draft is of. */
export function stateOf({ quoteBy, amount, recipientType, recipientValues, accountValues, pickupValues, transferValues }: Draft): Partial<CheckoutState> {
  return { quoteBy, amount: amount === undefined ? undefined : unitsOf(amount), recipientType, recipientValues, accountValues, pickupValues, transferValues };
}

function unitsOf(text: string): MinorUnits {
  const units = Number(text);
  return Number.isSafeInteger(units) ? units : BigInt(text);
}

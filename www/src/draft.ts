import type { FieldValues, MinorUnits } from "remitkit";
import { wishOf, type Wish } from "./routes";
import type { CheckoutState, QuoteBy, RecipientType } from "./state";
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
  try {
    if (state.sending || state.transfer || !route) {
      if (state.sending || state.transfer) sessionStorage.removeItem(STORED);
      return;
    }
    const draft: Draft = { step, wish: wishOf(route), quoteBy, amount: amount?.toString(), recipientType, recipientValues, accountValues, pickupValues, transferValues };
    sessionStorage.setItem(STORED, JSON.stringify(draft));
  } catch {
    // Storage may be closed to this page; then a reload begins at the start.
  }
}

/** What a page that was loaded anew goes on with. Who comes here another way begins afresh. */
export function readDraft(): Draft | undefined {
  try {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const stored = sessionStorage.getItem(STORED);
    sessionStorage.removeItem(STORED);
    return stored && visit?.type === "reload" ? (JSON.parse(stored) as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** The part of the checkout's state that a draft is of. */
export function stateOf({ quoteBy, amount, recipientType, recipientValues, accountValues, pickupValues, transferValues }: Draft): Partial<CheckoutState> {
  return { quoteBy, amount: amount === undefined ? undefined : unitsOf(amount), recipientType, recipientValues, accountValues, pickupValues, transferValues };
}

function unitsOf(text: string): MinorUnits {
  const units = Number(text);
  return Number.isSafeInteger(units) ? units : BigInt(text);
}

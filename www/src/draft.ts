import { restoredPrice, storablePrice } from "./agreed_price";
import { preferenceOf, type RoutePreference } from "./routes";
import type { CheckoutState } from "./state";
import { readStored, writeStored } from "./storage";
import type { StepName } from "./steps/step";

const STORED = "shop-draft";

type Kept = "paymentId" | "quoteBy" | "entered" | "recipientType" | "values";

/** What survives a reload of the tab. It holds no card data, which only the hosted card form sees. */
interface Draft extends Pick<CheckoutState, Kept | "agreed"> {
  step: StepName;
  preference: RoutePreference;
  /** Minor units as text: they can exceed what JSON numbers hold. */
  amount?: string | undefined;
}

/** Stores the input so far. Once Send is pressed there is no draft any more. */
export function saveDraft(state: Readonly<CheckoutState>, step: StepName): void {
  const { route, amount, paymentId, quoteBy, entered, recipientType, values } = state;
  const agreed = state.agreed && storablePrice(state.agreed);
  if (state.sending || state.transfer) writeStored("sessionStorage", STORED, undefined);
  else if (route) {
    const preference = preferenceOf(route);
    const kept = { paymentId, quoteBy, entered, recipientType, values, agreed };
    const draft: Draft = { step, preference, amount: amount?.toString(), ...kept };
    writeStored("sessionStorage", STORED, draft);
  }
}

/** Returns the draft of a page that was reloaded. Any other visit starts from scratch. */
export function takeDraft(): Draft | undefined {
  const stored = readStored("sessionStorage", STORED) as Partial<Draft> | undefined;
  writeStored("sessionStorage", STORED, undefined);
  // The page before the reload may have been an earlier version of the shop, with other members.
  const isCurrent = [stored?.preference, stored?.values, stored?.paymentId].every(Boolean);
  return isReload() && isCurrent ? (stored as Draft) : undefined;
}

export function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "reload";
}

export function restoredState({ amount, agreed, ...draft }: Draft): Partial<CheckoutState> {
  const { paymentId, quoteBy, entered, recipientType, values } = draft;
  const restored = { amount: amount === undefined ? undefined : BigInt(amount), agreed: restoredPrice(agreed) };
  return { paymentId, quoteBy, entered, recipientType, values, ...restored };
}

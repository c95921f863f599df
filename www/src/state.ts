import { agreedAfter, agreeTo, type AgreedPrice } from "./agreed_price";
import { newId } from "./compat";
import type { Corridor, FieldValues, MinorUnits, Quote, Transfer } from "remitkit";
import type { AccountLabel } from "./methods";
import { isSameRoute, type Route } from "./routes";
import { beginCheckout, type SentTransfer } from "./sent_transfers";

/** An amount as it was typed, in the notation of the locale. */
export interface EnteredAmount {
  quoteBy: QuoteBy;
  text: string;
  locale: string;
}

export type RecipientType = "PERSON" | "BUSINESS";
type QuoteBy = "SEND_AMOUNT" | "RECEIVE_AMOUNT";
/** A form of the checkout whose input is kept when the customer leaves it. */
export type FormName = "recipient" | "account" | "pickup" | "transfer";

/** Everything that one checkout has gathered. It lives in memory and ends with the page. */
export interface CheckoutState {
  /** Binds the attempts of this checkout to each other, as a shop's order number does. */
  paymentId: string;
  corridors: readonly Corridor[];
  route?: Route | undefined;

  quoteBy: QuoteBy;
  /** The typed amount, in minor units of the currency that `quoteBy` names; absent while it is invalid. */
  amount?: MinorUnits | undefined;
  /** What was typed since and has no price yet; `amount` is absent then. */
  entered?: EnteredAmount | undefined;
  quote?: Quote | undefined;
  /** The account that the quote is for; a quote without one is an estimate. */
  quotedFor?: string | undefined;
  /** Only this price is paid. */
  agreed?: AgreedPrice | undefined;
  quoteError?: unknown;
  quoting: boolean;

  recipientType: RecipientType;
  values: Record<FormName, FieldValues>;
  /** `values` is the input that recipient and account were made from; empty for what the service had. */
  recipient?: { id: string; name: string; values: string; isSaved?: boolean } | undefined;
  account?: ({ id: string; values: string } & AccountLabel) | undefined;
  /** Where cash is collected, and the pickup point's name and address. */
  pickup?: { values: FieldValues; address: string } | undefined;

  /** True from the press of Send until the outcome is known; the checkout stays on its step meanwhile. */
  sending: boolean;
  sent?: SentTransfer | undefined;
  transfer?: (Transfer & { recovered?: boolean }) | undefined;
}

const INITIAL = {
  corridors: [],
  quoteBy: "SEND_AMOUNT",
  quoting: false,
  recipientType: "PERSON",
  values: { recipient: {}, account: {}, pickup: {}, transfer: {} },
  sending: false,
} satisfies Omit<CheckoutState, "paymentId">;

const initial = (): CheckoutState => ({ ...INITIAL, paymentId: newId() });

/** Dispatches `change` after each change. */
export class Checkout extends EventTarget {
  #state = initial();

  get state(): Readonly<CheckoutState> {
    return this.#state;
  }

  /** Changes the given members and drops what belongs to a previous route or recipient. */
  change(patch: Partial<CheckoutState>): void {
    const before = this.#state;
    const after = { ...before, ...patch };
    const isRerouted = before.route !== undefined && !isSameRoute(before.route, after.route);
    if (isRerouted || before.recipientType !== after.recipientType) after.recipient = patch.recipient;
    if (isRerouted) {
      after.quote = patch.quote;
      after.values = { ...INITIAL.values, recipient: after.values.recipient };
      after.pickup = undefined;
    }
    if (before.recipient?.id !== after.recipient?.id) after.account = patch.account;
    if (patch.amount !== undefined) after.entered = patch.entered;
    after.agreed = agreedAfter(after);
    this.#set(after);
  }

  /** Whether the current price is one that the customer agreed to. */
  get isAgreed(): boolean {
    const { quote, agreed } = this.#state;
    return quote !== undefined && quote === agreed?.quote;
  }

  /** Records that the customer accepts a price, unless there is another by now. */
  agree(quote: Quote | undefined): void {
    if (quote && quote === this.#state.quote) this.change({ agreed: agreeTo(quote, this.#state) });
  }

  keepValues(form: FormName, values: FieldValues): void {
    this.change({ values: { ...this.#state.values, [form]: values } });
  }

  /** Starts another checkout, on the same route. */
  restart(): void {
    beginCheckout();
    const { corridors, route } = this.#state;
    this.#set({ ...initial(), corridors, route });
  }

  #set(state: CheckoutState): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}

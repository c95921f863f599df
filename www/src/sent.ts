import type { Amount, Quote, Recipient } from "remitkit";
import { countryName, money } from "./amounts";
import { currentLocale, t } from "./messages";
import { readStored, writeStored } from "./storage";

const SENT = "shop-sent";
const KNOWN = "shop-known";
const SHOWN = "shop-shown";
/** For how long a transfer whose outcome was shown is remembered, for tabs that were opened before. */
const KEPT_MS = 3_600_000;

/** A transfer that the customer has pressed Send for, as they would recognise it. */
export interface Sent {
  quoteHistoryId: string;
  at: number;
  amount: Amount;
  /** The name; a transfer that this shop does not remember has none. */
  recipient?: string | undefined;
  country?: { name: string; iso2Code: string } | undefined;
  /** The last digits of the account or wallet. */
  ending?: string | undefined;
  transferId?: string | undefined;
  /** Whether a page has shown its outcome. */
  isShown?: boolean | undefined;
}

/** Returns the transfers that this browser began to send and whose outcome some page may not have shown. */
export function sentTransfers(): Sent[] {
  return listStored<Sent>("localStorage", SENT);
}

export function rememberSent(sent: Sent): void {
  const others = sentTransfers().filter((one) => one.quoteHistoryId !== sent.quoteHistoryId);
  const recent = others.filter(({ isShown, at }) => !isShown || Date.now() - at < KEPT_MS);
  writeStored("localStorage", SENT, [...recent, sent]);
}

export function forgetSent(quoteHistoryId: string): void {
  writeStored("localStorage", SENT, sentTransfers().filter((one) => one.quoteHistoryId !== quoteHistoryId));
}

/** Notes that this tab shows a transfer, and shows it again after a reload. */
export function noteShown(transferId: string, sent: Sent | undefined): void {
  writeStored("sessionStorage", SHOWN, transferId);
  if (!sent) return;
  rememberSent({ ...sent, transferId });
  noteKnown(sent.quoteHistoryId);
}

/** Notes that the customer knows of a transfer, and needs no word of it any more. */
export function noteTold(transferId: string, sent: Sent | undefined): void {
  if (!sent) return;
  rememberSent({ ...sent, transferId, isShown: true });
  noteKnown(sent.quoteHistoryId);
}

/** The transfer that this tab shows. */
export function shownTransfer(): string | undefined {
  const shown = readStored("sessionStorage", SHOWN);
  return typeof shown === "string" ? shown : undefined;
}

/** Notes that this tab shows no transfer any more. */
export function leaveShown(): void {
  writeStored("sessionStorage", SHOWN, undefined);
}

/**
 * Returns the transfers that were known when this tab's checkout began or was sent. A reload starts
 * no new checkout, so the list survives it.
 */
export function knownTransfers(): string[] {
  return listStored<string>("sessionStorage", KNOWN);
}

export function noteKnown(quoteHistoryId: string): void {
  writeStored("sessionStorage", KNOWN, [...new Set([...knownTransfers(), quoteHistoryId])]);
}

/** Begins a checkout: whatever has been shown until now is known. */
export function beginCheckout(): void {
  const shown = sentTransfers().filter(({ isShown }) => isShown);
  writeStored("sessionStorage", KNOWN, [...new Set([...knownTransfers(), ...shown.map(({ quoteHistoryId }) => quoteHistoryId)])]);
}

/** Goes on with the checkout that this tab had before a reload, or begins one. */
export function resumeCheckout(): void {
  if (readStored("sessionStorage", KNOWN) === undefined) beginCheckout();
}

/** `$200.00 to Ana María García, Nov 22, 6:03 PM` */
export function sentWords({ amount, recipient, country, at }: Sent): string {
  const name = recipient ?? (country && countryName(country));
  const time = new Date(at).toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "short" });
  return name ? t("sent.what", { amount: money(amount), recipient: name, time }) : [money(amount), time].join(", ");
}

/** The name of somebody as the service has it: a business's, or a person's. */
export function recipientName({ companyName, firstName, lastName }: Partial<Recipient>): string | undefined {
  return companyName ?? ([firstName, lastName].filter(Boolean).join(" ") || undefined);
}

/** A transfer as its quote tells of it. */
export function sentOf(quote: Quote, at: number, recipient?: string, ending?: string): Sent {
  return { quoteHistoryId: quote.quoteHistoryId, at, amount: quote.sendAmount, recipient, country: quote.destinationCountry ?? undefined, ending };
}

function listStored<Item>(...place: Parameters<typeof readStored>): Item[] {
  const kept = readStored(...place);
  return Array.isArray(kept) ? (kept as Item[]) : [];
}

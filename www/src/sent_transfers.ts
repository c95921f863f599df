import type { Amount, Recipient, Transfer } from "remitkit";
import { money } from "./amounts";
import { formatDate } from "./delivery";
import { t } from "./messages";
import type { AccountLabel } from "./methods";
import { readStored, writeStored } from "./storage";

const SENT = "shop-sent";
const KNOWN = "shop-known";
const SHOWN = "shop-shown";
/** How long a transfer is remembered after its outcome was shown, for tabs that were opened before. */
const RETENTION_MS = 3_600_000;

/** A transfer that the customer pressed Send for, as they would recognize it. */
export interface SentTransfer {
  quoteHistoryId: string;
  at: number;
  amount?: Amount | undefined;
  /** The recipient's name, if this browser sent the transfer. */
  recipient?: string | undefined;
  /** How the customer knows the account, if this browser sent the transfer. */
  account?: AccountLabel | undefined;
  /** Where cash is collected, if this browser sent the transfer. */
  pickup?: string | undefined;
  transferId?: string | undefined;
  isShown?: boolean | undefined;
}

/** Returns the transfers of this browser whose outcome may not have been shown yet. */
export function sentTransfers(): SentTransfer[] {
  return storedList<SentTransfer>("localStorage", SENT);
}

export function sentTransferById(transferId: string): SentTransfer | undefined {
  return sentTransfers().find((sent) => sent.transferId === transferId);
}

export function rememberSent(sent: SentTransfer): void {
  const others = sentTransfers().filter(({ quoteHistoryId }) => quoteHistoryId !== sent.quoteHistoryId);
  const recent = others.filter(({ isShown, at }) => !isShown || Date.now() - at < RETENTION_MS);
  writeStored("localStorage", SENT, [...recent, sent]);
}

export function forgetSent(quoteHistoryId: string): void {
  const others = sentTransfers().filter((sent) => sent.quoteHistoryId !== quoteHistoryId);
  writeStored("localStorage", SENT, others);
}

/** Records that a transfer was made. Once its outcome `isShown`, the customer need not be told again. */
export function rememberMade(sent: SentTransfer, transferId: string, isShown = sent.isShown): void {
  rememberSent({ ...sent, transferId, isShown });
  markKnown(sent.quoteHistoryId);
}

/** Records which transfer this tab shows, and has to show again after a reload. */
export function markShown(transferId: string | undefined): void {
  writeStored("sessionStorage", SHOWN, transferId);
}

export function shownTransfer(): string | undefined {
  const shown = readStored("sessionStorage", SHOWN);
  return typeof shown === "string" ? shown : undefined;
}

/**
 * Whether the customer knew of a transfer when this tab's checkout began, or sent it in it. A reload continues
 * the checkout, so the list survives it.
 */
export function isKnown(quoteHistoryId: string): boolean {
  return storedList<string>("sessionStorage", KNOWN).includes(quoteHistoryId);
}

export function markKnown(...quoteHistoryIds: string[]): void {
  const known = storedList<string>("sessionStorage", KNOWN);
  writeStored("sessionStorage", KNOWN, [...new Set([...known, ...quoteHistoryIds])]);
}

/** Starts a checkout: the customer knows of every transfer shown so far. */
export function beginCheckout(): void {
  const shown = sentTransfers().filter(({ isShown }) => isShown);
  markKnown(...shown.map(({ quoteHistoryId }) => quoteHistoryId));
}

/** Continues the checkout that this tab had before a reload, or starts one. */
export function resumeCheckout(): void {
  if (readStored("sessionStorage", KNOWN) === undefined) beginCheckout();
}

/** Describes a transfer: `$200.00 to Ana María García, Nov 22, 6:03 PM`. Of a damaged one nothing is known. */
export function describeSent({ amount, recipient, at }: SentTransfer): string {
  if (!amount && !at) return t("sent.undescribed");
  const what = recipient ? t("sent.short", { amount: money(amount), recipient }) : money(amount);
  return `${what}, ${formatDate(at, "short")}`;
}

/** Returns the recipient's name: as this browser sent it, else as the service has it. */
export function recipientOf({ recipientDetails }: Transfer, sent: SentTransfer | undefined) {
  return sent?.recipient ?? recipientName(textsIn(recipientDetails));
}

/** Returns the members that are texts, of details whose shape the interface does not define. */
export function textsIn(details: unknown): Record<string, string> {
  if (typeof details !== "object" || details === null) return {};
  return Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === "string"));
}

export function recipientName({ companyName, firstName, lastName }: Partial<Recipient>): string | undefined {
  return companyName ?? ([firstName, lastName].filter(Boolean).join(" ") || undefined);
}

function storedList<Item>(...place: Parameters<typeof readStored>): Item[] {
  const stored = readStored(...place);
  return Array.isArray(stored) ? (stored as Item[]) : [];
}

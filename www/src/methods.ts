import { lookUp, t } from "./messages";
import type { IconName } from "./ui/icons";

export interface AccountLabel {
  ending?: string | undefined;
  /** The name that the customer gave a card. */
  name?: string | undefined;
  bank?: string | undefined;
}

const ICONS: Record<string, IconName> = {
  PUSH_TO_CARD: "card",
  BANK_ACCOUNT: "bank",
  MOBILE_WALLET: "wallet",
  CASH_PICKUP: "cash",
};

/** Returns a transfer method's name; a method that the shop does not know keeps the service's name. */
export function methodName(method: string): string {
  const words = method.toLowerCase().replaceAll("_", " ");
  return lookUp(`method.${method}`) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Describes where the money arrives: an account by its bank and last digits, a card by the name that the
 * customer gave it, as the shop never sees its number.
 */
export function deliveryLabel(method: string, { ending, name, bank }: AccountLabel): string {
  const way = methodName(method);
  const where = bank ? `${bank}, ${way.charAt(0).toLowerCase()}${way.slice(1)}` : way;
  const key = method === "MOBILE_WALLET" ? "review.ending.MOBILE_WALLET" : "review.ending";
  if (ending) return t(key, { method: where, ending });
  return name ? `${where} “${name}”` : where;
}

export function methodIcon(method: string): IconName {
  return ICONS[method] ?? "bank";
}

/** Whether the recipient collects the money at a counter. */
export function isPickup(method: string | null | undefined): boolean {
  return method === "CASH_PICKUP";
}

import { lookUp, t } from "./messages";
import type { IconName } from "./ui/icons";

const ICONS: Record<string, IconName> = {
  PUSH_TO_CARD: "card",
  BANK_ACCOUNT: "bank",
  MOBILE_WALLET: "wallet",
  CASH_PICKUP: "cash",
};

/** A transfer method in the customer's words; one this shop has never heard of is shown by its own name. */
export function methodName(method: string): string {
  const known = lookUp(`method.${method}`);
  if (known) return known;
  const words = method.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns how and where the money arrives: an account by its last digits, a card by the name the
 * customer gave it, as no shop sees its number.
 */
export function wayWords(method: string, { ending, name }: { ending?: string | undefined; name?: string | undefined }): string {
  if (ending) return t("review.ending", { method: methodName(method), ending });
  return name ? `${methodName(method)} “${name}”` : methodName(method);
}

/** A sentence about a transfer method, where the shop has one. */
export function methodAbout(method: string): string | undefined {
  return lookUp(`method.${method}.about`);
}

export function methodIcon(method: string): IconName {
  return ICONS[method] ?? "bank";
}

/** Whether money sent this way is collected at a counter; otherwise it goes to an account. */
export function isPickup(method: string | undefined): boolean {
  return method === "CASH_PICKUP";
}

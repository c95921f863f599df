import { isRemitError } from "remitkit";
import { lookUp, serviceText, t } from "./messages";
import { ShopUnreachable } from "./remit";
import type { LiveText } from "./ui/dom";

/** An error in the customer's words. */
export interface Explanation {
  title: LiveText;
  text: LiveText;
  advice?: LiveText | undefined;
  reference?: string | undefined;
  /** Whether it says that it goes on by itself when the connection is back. */
  goesOn?: boolean;
}

/**
 * Words an error: the shop's own title by code or kind, the shop's own sentence where it has one for the
 * code, else what the SDK has for customers, and what to do by the resolution.
 */
export function explain(error: unknown): Explanation {
  if (isRetryable(error) && !navigator.onLine) {
    return { title: () => t("error.title.offline"), text: () => t("error.text.offline"), goesOn: true };
  }
  if (error instanceof ShopUnreachable) {
    return { title: () => t("error.title.unavailable"), text: () => t("error.text.unreachable") };
  }
  if (!isRemitError(error)) {
    return { title: () => t("error.title.other"), text: () => t("error.text.other") };
  }
  const { code, kind, userMessage, resolution, requestId } = error;
  const title = () => lookUp(`error.title.${code}`) ?? lookUp(`error.title.${kind}`) ?? t("error.title.other");
  return {
    title,
    text: () => beyond(title(), serviceText("code", code, userMessage)) || t("error.text.other"),
    advice: resolution && lookUp(`error.advice.${resolution}`) ? () => lookUp(`error.advice.${resolution}`) ?? "" : undefined,
    reference: requestId,
  };
}

/** What a text says that its title has not said. */
function beyond(title: string, text: string): string {
  return text.startsWith(`${title}. `) ? text.slice(title.length + 2) : text;
}

/** Whether waiting and asking again, with nothing changed, may help. */
export function isRetryable(error: unknown): boolean {
  return !isRemitError(error) || error.retryable;
}

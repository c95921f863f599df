import { isRemitError } from "remitkit";
import { lookUp, t, type TextKey } from "./messages";
import { ShopUnreachable, userMessageOf } from "./remit";
import type { LiveText } from "./ui/dom";

/** An error in the customer's words. */
interface Explanation {
  title: LiveText;
  text: LiveText;
  advice?: LiveText | undefined;
  reference?: string | undefined;
  /** Whether the text promises to continue when the connection is back. */
  resumesOnline?: boolean;
}

/**
 * Words an error for the customer: a title by code or kind, the shop's translation of the SDK's message, and
 * advice by the error's resolution.
 */
export function explain(error: unknown): Explanation {
  if (isRetryable(error) && !navigator.onLine) {
    return { ...worded("error.title.offline", "error.text.offline"), resumesOnline: true };
  }
  if (error instanceof ShopUnreachable) return worded("error.title.unavailable", "error.text.unreachable");
  if (!isRemitError(error)) return worded("error.title.other", "error.text.other");
  const { code, kind, resolution, requestId } = error;
  const own = (name: string) => lookUp(`error.title.${name}`);
  const title = () => own(code) ?? own(kind) ?? t("error.title.other");
  const text = () => userMessageOf(error).replace(`${title()}. `, "");
  const advice = () => lookUp(`error.advice.${resolution}`) ?? "";
  return {
    title,
    text: () => text() || t("error.text.other"),
    advice: advice() ? advice : undefined,
    reference: requestId,
  };
}

/** Whether repeating the same request may succeed. */
export function isRetryable(error: unknown): boolean {
  return !isRemitError(error) || error.retryable;
}

function worded(title: TextKey, text: TextKey): Explanation {
  return { title: () => t(title), text: () => t(text) };
}

import { isRemitError } from "remitkit";
import { lookUp, serviceText, t } from "./messages";
import type { LiveText } from "./ui/dom";

/** An error in the customer's words. */
export interface Explanation {
  title: LiveText;
  text: LiveText;
  advice?: LiveText | undefined;
  reference?: string | undefined;
}

/**
 * Words an error: the shop's own title by kind, the shop's own sentence where it has one for the code, else
 * the service's message (which is made for end users), and what to do by the resolution.
 */
export function explain(error: unknown): Explanation {
  if (!isRemitError(error)) {
    return { title: () => t("error.title.other"), text: () => t("error.text.other") };
  }
  const { code, kind, message, resolution, requestId } = error;
  return {
    title: () => lookUp(`error.title.${kind}`) ?? t("error.title.other"),
    text: () => serviceText("code", code, message) || t("error.text.other"),
    advice: resolution && lookUp(`error.advice.${resolution}`) ? () => lookUp(`error.advice.${resolution}`) ?? "" : undefined,
    reference: requestId,
  };
}

/** Whether waiting and asking again, with nothing changed, may help. */
export function isRetryable(error: unknown): boolean {
  return !isRemitError(error) || error.retryable;
}

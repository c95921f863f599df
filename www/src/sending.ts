import type { TransferAttempt, TransferResult } from "remitkit";
import { explain } from "./errors";
import { t } from "./messages";
import { notice, type NoticeSlot } from "./ui/notice";

export type Outcome = { transfer: TransferResult } | { error: unknown };

/** Goes on with an attempt whose outcome is open, until it is known or the service still does not say. */
export async function settleAttempt(attempt: TransferAttempt, slot: NoticeSlot): Promise<Outcome> {
  slot.show(notice({ tone: "info", title: () => t("unsettled.asking.title"), text: () => t("unsettled.asking.text") }));
  try {
    return { transfer: await attempt.resume() };
  } catch (error) {
    return { error };
  }
}

/** Says that the outcome of a transfer is open, and offers to ask again: the one thing that is safe to do. */
export function unsettledNotice(error: unknown, ask: () => void): HTMLElement {
  return notice({
    tone: "warning",
    title: () => t("unsettled.title"),
    text: () => t("unsettled.text"),
    reference: explain(error).reference,
    actions: [{ label: () => t("unsettled.ask"), run: ask }],
  });
}

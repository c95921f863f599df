import { isRemitError, type TransferAttempt, type TransferResult } from "remitkit";
import { t } from "./messages";
import { kit } from "./remit";
import { settleAttempt, unsettledNotice } from "./sending";
import { errorNotice, notice, type NoticeSlot } from "./ui/notice";

/** Looks for a transfer that was being sent when the page was left, or made in that moment, and offers to find out how it ended. */
export async function offerInterrupted(slot: NoticeSlot, made: (transfer: TransferResult) => void): Promise<void> {
  const attempt = await findInterrupted();
  if (!attempt) return;
  const wasMade = attempt.state === "CREATED";
  const ask = async (): Promise<void> => {
    const outcome = await settleAttempt(attempt, slot);
    if ("transfer" in outcome) {
      slot.clear();
      made(outcome.transfer);
    } else if (isRemitError(outcome.error) && outcome.error.kind === "outcome_unknown") {
      slot.show(unsettledNotice(outcome.error, () => void ask()));
    } else {
      slot.show(errorNotice(outcome.error, [{ label: () => t("action.dismiss"), run: () => slot.clear() }]));
    }
  };
  slot.show(
    notice({
      tone: wasMade ? "info" : "warning",
      title: () => t(wasMade ? "interrupted.made.title" : "interrupted.title"),
      text: () => t(wasMade ? "interrupted.made.text" : "interrupted.text"),
      actions: [{ label: () => t(wasMade ? "interrupted.made.show" : "unsettled.ask"), run: () => void ask() }],
    }),
  );
}

// One that was only prepared never left the page: to resume it would send money instead of asking after it.
async function findInterrupted(): Promise<TransferAttempt | undefined> {
  try {
    const remit = await kit();
    return (await remit.pendingTransfers()).find((attempt) => attempt.state !== "PREPARED");
  } catch {
    // A journal that cannot be read holds nothing that could be shown; the checkout itself says what is wrong.
    return undefined;
  }
}

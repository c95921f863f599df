import { isRemitError, type RemitKit, type TransferAttempt, type TransferResult } from "remitkit";
import { countryName, money } from "./amounts";
import { currentLocale, t } from "./messages";
import { kit } from "./remit";
import { settleAttempt, unsettledNotice } from "./sending";
import type { LiveText } from "./ui/dom";
import { errorNotice, notice, type NoticeSlot } from "./ui/notice";

/** Set before anything is sent: the next page then looks for a transfer before it shows the first step. */
const STORED = "shop-transfer";
// Longer than this nobody is kept waiting for what may not be there.
const LOOK_MS = 3_000;
const FIND_ATTEMPTS = 5;
const FIND_PAUSE_MS = 1_000;

interface Interrupted {
  attempt: TransferAttempt;
  what: LiveText | undefined;
}

/** Remembers that a transfer is being sent, for a page that comes after this one. */
export function rememberSending(): void {
  try {
    localStorage.setItem(STORED, "sent");
  } catch {
    // Then it is found all the same, only later.
  }
}

/**
 * Looks for a transfer that was being sent when the page was left, or made in that moment, and offers to find out how it ended. The
 * steps are held back meanwhile where there may be one, as it is said above them.
 */
export async function offerInterrupted(slot: NoticeSlot, made: (transfer: TransferResult) => void): Promise<void> {
  const page = document.documentElement;
  page.toggleAttribute("data-looking", isRemembered());
  const shown = () => page.removeAttribute("data-looking");
  setTimeout(shown, LOOK_MS);
  const found = await findInterrupted();
  if (found) offer(found, slot, made);
  shown();
}

function offer({ attempt, what }: Interrupted, slot: NoticeSlot, made: (transfer: TransferResult) => void): void {
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
      tone: wasMade ? "success" : "warning",
      title: () => t(wasMade ? "interrupted.made.title" : "interrupted.title"),
      text: what,
      advice: () => t(wasMade ? "interrupted.made.text" : "interrupted.text"),
      actions: [{ label: () => t(wasMade ? "interrupted.made.show" : "unsettled.ask"), run: () => void ask() }],
    }),
  );
}

// One that was only prepared never left the page: to resume it would send money instead of asking after it.
async function findInterrupted(): Promise<Interrupted | undefined> {
  try {
    const remit = await kit();
    const attempt = (await pendingOf(remit)).find(({ state }) => state !== "PREPARED");
    if (attempt) return { attempt, what: await describe(remit, attempt) };
    localStorage.removeItem(STORED);
  } catch {
    // A journal that cannot be read holds nothing that could be shown; the checkout itself says what is wrong.
  }
  return undefined;
}

/** Whose they are the service is asked, which may be down just now. */
async function pendingOf(remit: RemitKit): Promise<TransferAttempt[]> {
  for (let left = FIND_ATTEMPTS; ; left -= 1) {
    try {
      return await remit.pendingTransfers();
    } catch (error) {
      if (left === 1 || !isRemitError(error) || !error.retryable) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIND_PAUSE_MS));
    }
  }
}

/** How much it was, where to and when; nothing if the service does not say in time. */
async function describe(remit: RemitKit, attempt: TransferAttempt): Promise<LiveText | undefined> {
  try {
    const { sendAmount, destinationCountry: country } = await remit.getQuote(attempt.quoteHistoryId, { signal: AbortSignal.timeout(LOOK_MS) });
    if (!country) return undefined;
    const at = new Date(attempt.createdAt);
    const time = () => at.toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "short" });
    return () => t("interrupted.what", { amount: money(sendAmount), country: countryName(country), time: time() });
  } catch {
    return undefined;
  }
}

function isRemembered(): boolean {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return false;
  }
}

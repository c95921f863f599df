import { isRemitError } from "remitkit";
import { explain } from "./errors";
import { t } from "./messages";
import { notice } from "./ui/notice";

const LOCK = "shop-send";
/** How long to wait before the service is asked again, turn by turn; the last one goes on. */
const PAUSES_MS = [2_000, 5_000, 10_000, 30_000];

/**
 * Runs `work` while no other tab looks for earlier transfers and sends its own, so that two tabs don't both
 * find nothing. Returns `otherwise` if another tab is at it.
 */
export async function alone<Result, Otherwise>(work: () => Promise<Result>, otherwise: Otherwise): Promise<Result | Otherwise> {
  if (!("locks" in navigator)) return work();
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => (lock ? work() : otherwise));
}

/** Waits until no other tab is sending. */
export async function othersDone(signal: AbortSignal): Promise<void> {
  await navigator.locks.request(LOCK, { signal }, () => {});
}

/** Waits for the connection, for the end of this `turn`'s pause, or for the signal's abort. */
export function connectionBack(turn: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)]);
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Whether nobody can tell yet if the transfer was made. */
export function isOpen(error: unknown): boolean {
  return !isRemitError(error) || error.kind === "outcome_unknown" || error.kind === "aborted";
}

/** Says that the outcome of a transfer is open, and that it is asked for; `ask` does so at once. */
export function unsettledNotice(error: unknown, ask: () => void): HTMLElement {
  return notice({
    tone: "warning",
    title: () => t("unsettled.title"),
    text: () => t("unsettled.text"),
    reference: explain(error).reference,
    actions: [{ label: () => t("unsettled.ask"), run: ask }],
  });
}

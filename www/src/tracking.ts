import type { TransferStatuses } from "remitkit";
import { kit } from "./remit";

export type Statuses = TransferStatuses["statuses"];

const FINAL = new Set(["COMPLETE", "FAILED", "CANCELED"]);
// Often at first, when most happens, then seldom, and in the end not by itself any more.
const PAUSES_MS = [2_000, 2_000, 3_000, 4_000, 5_000, 5_000, 10_000, 10_000, 15_000, 15_000, 30_000, 30_000, 60_000, 60_000];

/** A status by the key that the shop names it by, whatever case the service writes it in. */
export function statusKey(name: string | null | undefined): string {
  return (name ?? "Unknown").trim().toUpperCase().replaceAll(" ", "_");
}

/** Whether a transfer with this status goes no further. */
export function isFinal(key: string): boolean {
  return FINAL.has(key);
}

/** Follows a transfer from status to status until it is final, or until asking on would be of no use. */
export class Tracking {
  readonly #transferId: string;
  readonly #changed: (statuses: Statuses) => void;
  readonly #stopped = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(transferId: string, changed: (statuses: Statuses) => void) {
    this.#transferId = transferId;
    this.#changed = changed;
  }

  /** Begins to ask by itself. A question that fails ends that, and is told to `failed`. */
  start(failed: (error: unknown) => void): void {
    const later = (turn: number) => {
      const pause = PAUSES_MS[turn];
      if (pause === undefined || this.#stopped.signal.aborted) return;
      this.#timer = setTimeout(() => {
        if (document.hidden) later(turn);
        else this.ask().then((last) => !isFinal(last) && later(turn + 1), failed);
      }, pause);
    };
    this.ask().then((last) => !isFinal(last) && later(0), failed);
  }

  /** Asks now; gives the key of the last status. */
  async ask(): Promise<string> {
    const remit = await kit();
    const { statuses } = await remit.transferStatuses(this.#transferId, { signal: this.#stopped.signal });
    if (!this.#stopped.signal.aborted) this.#changed(statuses);
    return statusKey(statuses.at(-1)?.status);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort();
  }
}

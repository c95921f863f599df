import type { TransferStatuses } from "remitkit";
import { kit } from "./remit";

export type Statuses = TransferStatuses["statuses"];

const FINAL = new Set(["COMPLETE", "FAILED", "CANCELED"]);
/** Frequent at first, when most happens; after the last pause the customer has to ask. */
const PAUSES_S = [2, 2, 3, 4, 5, 5, 10, 10, 15, 15, 30, 30, 60, 60];

/** Normalises the name of a status, whose case the service varies. */
export function statusKey(name: string | null | undefined): string {
  return (name ?? "Unknown").trim().toUpperCase().replaceAll(" ", "_");
}

export function isFinal(key: string): boolean {
  return FINAL.has(key);
}

/** Polls the statuses of a transfer until it is final. */
export class Tracking {
  readonly #stopped = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly transferId: string,
    private readonly changed: (statuses: Statuses) => void,
  ) {}

  /** Starts polling. A failed request ends it and is passed to `failed`. */
  start(failed: (error: unknown) => void): void {
    const poll = (turn: number) => {
      this.refresh().then((status) => !isFinal(status) && schedule(turn), failed);
    };
    const schedule = (turn: number) => {
      const pause = PAUSES_S[turn];
      if (pause === undefined || this.#stopped.signal.aborted) return;
      this.#timer = setTimeout(() => (document.hidden ? schedule(turn) : poll(turn + 1)), pause * 1_000);
    };
    poll(0);
  }

  /** Asks now and returns the key of the current status. */
  async refresh(): Promise<string> {
    const remit = await kit();
    const { statuses } = await remit.transferStatuses(this.transferId, { signal: this.#stopped.signal });
    if (!this.#stopped.signal.aborted) this.changed(statuses);
    return statusKey(statuses.at(-1)?.status);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort();
  }
}

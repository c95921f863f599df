import { isRemitError, type CardFormEvent, type DiagnosticEntry } from "remitkit";

/** What an error may say of itself in a log: `toJSON` for the SDK's own, and only the name for any other. */
export type ErrorFacts = Record<string, unknown>;

interface Happening {
  number: number;
  /** ISO 8601. */
  at: string;
}

/** A call of the SDK, and how it ended. */
export interface CallEntry extends Happening {
  sort: "call";
  operation: string;
  /** Whose token it was made with, where it was not the customer's. */
  as?: string | undefined;
  outcome: "pending" | "done" | "error";
  durationMs?: number | undefined;
  error?: ErrorFacts | undefined;
}

/** A request, as `onDiagnostic` tells of it. */
export interface RequestEntry extends Happening, DiagnosticEntry {
  sort: "request";
}

/** What the card form told the page. */
export interface EventEntry extends Happening {
  sort: "event";
  type: CardFormEvent["type"];
  reason?: string | undefined;
  directive?: string | undefined;
}

/** What the workbench did beside the SDK: a fault armed, the clock moved on. */
export interface ActionEntry extends Happening {
  sort: "action";
  action: string;
  facts: Record<string, string | number>;
}

export type TraceEntry = CallEntry | RequestEntry | EventEntry | ActionEntry;

const KEPT = 400;

/**
 * The events so far, newest last. Redaction is by allow-list: names, codes, figures and request ids, but
 * never an argument, a reply, an address or a token.
 */
export class Trace {
  readonly #entries: TraceEntry[] = [];
  readonly #listeners = new Set<(entry: TraceEntry) => void>();
  #last = 0;

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  /** Records a call while it runs; what it gives or throws is handed on. */
  async call<Result>(operation: string, as: string | undefined, work: Promise<Result>): Promise<Result> {
    const entry: CallEntry = { ...this.#next(), sort: "call", operation, as, outcome: "pending" };
    this.#add(entry);
    const start = performance.now();
    try {
      const result = await work;
      entry.outcome = "done";
      return result;
    } catch (error) {
      entry.outcome = "error";
      entry.error = factsOf(error);
      throw error;
    } finally {
      entry.durationMs = Math.round(performance.now() - start);
      // Unless it was cleared away meanwhile.
      if (this.#entries.includes(entry)) this.#tell(entry);
    }
  }

  request({ operation, method, attempt, status, durationMs, requestId }: DiagnosticEntry): void {
    this.#add({ ...this.#next(), sort: "request", operation, method, attempt, status, durationMs, ...(requestId ? { requestId } : {}) });
  }

  event(event: CardFormEvent): void {
    const failed = event.type === "LOAD_FAILED" ? { reason: event.reason, directive: event.directive } : {};
    this.#add({ ...this.#next(), sort: "event", type: event.type, ...failed });
  }

  action(action: string, facts: ActionEntry["facts"] = {}): void {
    this.#add({ ...this.#next(), sort: "action", action, facts });
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** Calls `listener` with each entry that is new or has changed. */
  watch(listener: (entry: TraceEntry) => void): void {
    this.#listeners.add(listener);
  }

  /** The whole trace, as a file. */
  toJSON(): object {
    return { format: "remitkit-trace", version: 1, exportedAt: new Date().toISOString(), entries: this.#entries };
  }

  #next(): Happening {
    this.#last += 1;
    return { number: this.#last, at: new Date().toISOString() };
  }

  #add(entry: TraceEntry): void {
    if (this.#entries.push(entry) > KEPT) this.#entries.shift();
    this.#tell(entry);
  }

  #tell(entry: TraceEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }
}

/** An error for a log. One that is not the SDK's may say anything, so its words stay out. */
export function factsOf(error: unknown): ErrorFacts {
  return isRemitError(error) ? (error.toJSON() as ErrorFacts) : { name: error instanceof Error ? error.name : typeof error };
}

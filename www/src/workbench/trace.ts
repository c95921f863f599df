import { isRemitError, type CardFormEvent, type DiagnosticEntry } from "remitkit";

interface Numbered {
  number: number;
  at: string;
}

export interface CallEntry extends Numbered {
  sort: "call";
  operation: string;
  /** The caller, if it is not the customer. */
  as?: string | undefined;
  outcome: "pending" | "done" | "error";
  durationMs?: number;
  error?: Record<string, unknown>;
}

/** A request, as `onDiagnostic` reports it. */
export interface RequestEntry extends Numbered, DiagnosticEntry {
  sort: "request";
}

export interface EventEntry extends Numbered {
  sort: "event";
  type: CardFormEvent["type"];
  reason?: string | undefined;
  directive?: string | undefined;
}

/** What the workbench did to the sandbox, such as arming a fault. */
export interface ActionEntry extends Numbered {
  sort: "action";
  action: string;
  facts: Record<string, string | number>;
}

export type TraceEntry = CallEntry | RequestEntry | EventEntry | ActionEntry;

const MAX_ENTRIES = 400;

/**
 * Everything that happened, oldest first. Redaction is by allow-list: names, codes, figures and request ids,
 * but never an argument, a reply, an address or a token.
 */
export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #listeners = new Set<(entry: TraceEntry) => void>();
  #number = 0;

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
      entry.error = errorFacts(error);
      throw error;
    } finally {
      entry.durationMs = Math.round(performance.now() - start);
      if (this.entries.includes(entry)) this.#notify(entry);
    }
  }

  request({ operation, method, attempt, status, durationMs, requestId }: DiagnosticEntry): void {
    const facts = { operation, method, attempt, status, durationMs, ...(requestId ? { requestId } : {}) };
    this.#add({ ...this.#next(), sort: "request", ...facts });
  }

  event(event: CardFormEvent): void {
    const failure = event.type === "LOAD_FAILED" ? { reason: event.reason, directive: event.directive } : {};
    this.#add({ ...this.#next(), sort: "event", type: event.type, ...failure });
  }

  action(action: string, facts: ActionEntry["facts"] = {}): void {
    this.#add({ ...this.#next(), sort: "action", action, facts });
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** Calls `listener` with each new or changed entry. */
  watch(listener: (entry: TraceEntry) => void): void {
    this.#listeners.add(listener);
  }

  toJSON(): object {
    const exportedAt = new Date().toISOString();
    return { format: "remitkit-trace", version: 1, exportedAt, entries: this.entries };
  }

  #next(): Numbered {
    this.#number += 1;
    return { number: this.#number, at: new Date().toISOString() };
  }

  #add(entry: TraceEntry): void {
    if (this.entries.push(entry) > MAX_ENTRIES) this.entries.shift();
    this.#notify(entry);
  }

  #notify(entry: TraceEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }
}

/** Returns what a log may hold of an error. The message of a foreign error may contain anything. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (isRemitError(error)) return { ...error.toJSON() };
  return { name: error instanceof Error ? error.name : typeof error };
}

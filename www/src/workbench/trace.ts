import { isRemitError, type CardFormEvent, type DiagnosticEntry } from "remitkit";

export interface TraceEntry {
  number: number;
  at: string;
  /** An action is what the workbench did to the sandbox, such as arming a fault. */
  sort: "call" | "request" | "event" | "action";
  /** The operation, the event's type, or the action. */
  name: string;
  /** What the entry's line shows: an error code, a status or figures. */
  result: string;
  tone: "good" | "bad" | "plain";
  facts: object;
}

const MAX_ENTRIES = 400;

/**
 * Everything that happened, oldest first. Redaction is by allow-list: names, codes, figures and request ids,
 * but never an argument, a reply, an address or a token.
 */
export class Trace {
  readonly entries: TraceEntry[] = [];
  /** Gets each new or changed entry. */
  onEntry: (entry: TraceEntry) => void = () => {};
  #number = 0;

  /** Traces a call; `as` is the caller, if it is not the customer. */
  async call<Result>(name: string, as: string | undefined, work: Promise<Result>): Promise<Result> {
    const start = performance.now();
    const entry = this.#add({ sort: "call", name, result: "…", tone: "plain", facts: { as } });
    const end = (result: string, tone: TraceEntry["tone"], error?: object) => {
      const durationMs = Math.round(performance.now() - start);
      const facts = { as, durationMs, error };
      Object.assign(entry, { result: `${result} · ${durationMs} ms`, tone, facts });
      if (this.entries.includes(entry)) this.onEntry(entry);
    };
    try {
      const result = await work;
      end("done", "good");
      return result;
    } catch (error) {
      // The message of a foreign error may contain anything.
      const name = error instanceof Error ? error.name : typeof error;
      if (isRemitError(error)) end(error.code, "bad", error.toJSON());
      else end(name, "bad", { name });
      throw error;
    }
  }

  request({ operation, method, attempt, status, durationMs, requestId }: DiagnosticEntry): void {
    this.#add({
      sort: "request",
      name: `${method} ${operation}`,
      result: `${status || "–"} · ${durationMs} ms`,
      tone: status >= 200 && status < 300 ? "good" : "bad",
      facts: { attempt, status, durationMs, requestId },
    });
  }

  event(event: CardFormEvent): void {
    const { type: name } = event;
    const tone = name.endsWith("SUCCESS") ? "good" : /FAIL|EXPIRED/.test(name) ? "bad" : "plain";
    const facts = event.type === "LOAD_FAILED" ? { reason: event.reason, directive: event.directive } : {};
    this.#add({ sort: "event", name, result: "", tone, facts });
  }

  action(name: string, facts: Record<string, string | number> = {}): void {
    const figures = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
    this.#add({ sort: "action", name, result: figures.join(" · "), tone: "plain", facts });
  }

  toJSON(): object {
    const exportedAt = new Date().toISOString();
    return { format: "remitkit-trace", version: 1, exportedAt, entries: this.entries };
  }

  #add(added: Omit<TraceEntry, "number" | "at">): TraceEntry {
    this.#number += 1;
    const entry = { number: this.#number, at: new Date().toISOString(), ...added };
    if (this.entries.push(entry) > MAX_ENTRIES) this.entries.shift();
    this.onEntry(entry);
    return entry;
  }
}

import { isRemitError, type CardFormEvent, type DiagnosticEntry } from "remitkit";
import { errorName } from "./scenarios/scenario";

export interface TraceEntry {
  at: string;
  /** An action is what the workbench did to the sandbox, such as arming a fault. */
  sort: "call" | "request" | "event" | "action";
  /** The operation, the event's type, or the action. */
  name: string;
  /** What the entry's line shows: an error code, a status or figures. */
  result: string;
  tone?: "good" | "bad" | undefined;
  facts: object;
}

export const MAX_ENTRIES = 400;

/**
 * Everything that happened, oldest first. Redaction is by allow-list: names, codes, figures and request ids,
 * but never an argument, a reply, an address or a token.
 */
export class Trace {
  readonly entries: TraceEntry[] = [];
  onEntry: (entry: TraceEntry) => void = () => {};

  /** Traces a call once it ends, and returns its promise; `as` is the caller, if it is not the customer. */
  call<Result>(name: string, work: Promise<Result>, as?: string): Promise<Result> {
    const start = performance.now();
    const end = (outcome: string, tone: TraceEntry["tone"], error?: object) => {
      const durationMs = Math.round(performance.now() - start);
      const result = `${outcome} · ${durationMs} ms`;
      this.#add({ sort: "call", name, result, tone, facts: { as, durationMs, error } });
    };
    work.then(
      () => end("done", "good"),
      (error: unknown) => end(errorName(error), "bad", isRemitError(error) ? error.toJSON() : undefined),
    );
    return work;
  }

  request({ operation, method, attempt, status, durationMs, requestId }: DiagnosticEntry): void {
    const [name, result] = [`${method} ${operation}`, `${status || "–"} · ${durationMs} ms`];
    const tone = status >= 200 && status < 300 ? "good" : "bad";
    this.#add({ sort: "request", name, result, tone, facts: { attempt, status, durationMs, requestId } });
  }

  event(event: CardFormEvent): void {
    const { type: name } = event;
    const tone = name.endsWith("SUCCESS") ? "good" : /FAIL|EXPIRED/.test(name) ? "bad" : undefined;
    const facts = name === "LOAD_FAILED" ? { reason: event.reason, directive: event.directive } : {};
    this.#add({ sort: "event", name, result: "", tone, facts });
  }

  action(name: string, facts: object = {}): void {
    const result = Object.entries(facts).map(([key, value]) => `${key} ${value}`).join(" · ");
    this.#add({ sort: "action", name, result, facts });
  }

  toJSON(): object {
    const exportedAt = new Date().toISOString();
    return { format: "remitkit-trace", version: 1, exportedAt, entries: this.entries };
  }

  #add(what: Omit<TraceEntry, "at">): void {
    const entry = { at: new Date().toISOString(), ...what };
    if (this.entries.push(entry) > MAX_ENTRIES) this.entries.shift();
    this.onEntry(entry);
  }
}

import { isRemitError, type CardFormEvent, type DiagnosticEntry } from "remitkit";

type Tone = "good" | "bad" | "plain";

export interface TraceEntry {
  number: number;
  at: string;
  /** An action is what the workbench did to the sandbox, such as arming a fault. */
  sort: "call" | "request" | "event" | "action";
  /** The operation, the event's type, or the action. */
  name: string;
  /** What the entry's line shows: an error code, a status or figures. */
  result: string;
  tone: Tone;
  facts: object;
}

export const MAX_ENTRIES = 400;

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
    const entry = this.#add("call", name, "…", "plain", { as });
    const end = (result: string, tone: Tone, error?: object) => {
      const durationMs = Math.round(performance.now() - start);
      const facts = { as, durationMs, error };
      Object.assign(entry, { result: `${result} · ${durationMs} ms`, tone, facts });
      this.onEntry(entry);
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
    const tone = status >= 200 && status < 300 ? "good" : "bad";
    const facts = { attempt, status, durationMs, requestId };
    this.#add("request", `${method} ${operation}`, `${status || "–"} · ${durationMs} ms`, tone, facts);
  }

  event(event: CardFormEvent): void {
    const { type } = event;
    const tone = type.endsWith("SUCCESS") ? "good" : /FAIL|EXPIRED/.test(type) ? "bad" : "plain";
    const facts = type === "LOAD_FAILED" ? { reason: event.reason, directive: event.directive } : {};
    this.#add("event", type, "", tone, facts);
  }

  action(name: string, facts: Record<string, string | number> = {}): void {
    const figures = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
    this.#add("action", name, figures.join(" · "), "plain", facts);
  }

  toJSON(): object {
    const exportedAt = new Date().toISOString();
    return { format: "remitkit-trace", version: 1, exportedAt, entries: this.entries };
  }

  #add(sort: TraceEntry["sort"], name: string, result: string, tone: Tone, facts: object): TraceEntry {
    this.#number += 1;
    const entry = { number: this.#number, at: new Date().toISOString(), sort, name, result, tone, facts };
    if (this.entries.push(entry) > MAX_ENTRIES) this.entries.shift();
    this.onEntry(entry);
    return entry;
  }
}

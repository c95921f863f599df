import { isRemitError, type CardFormEvent, type RemitKit } from "remitkit";
import type { Sandbox } from "remitkit/testing";
import type { Kits } from "../kits";
import type { Opening } from "../preview";
import type { Trace } from "../trace";
import type { Fixtures } from "./fixtures";

export type EventType = CardFormEvent["type"];
export const DONE = "done";

/** What may be shown and exported of a result: names, figures and states. */
export type Facts = Record<string, string | number | boolean>;

export interface Bench {
  kits: Kits;
  remit: RemitKit;
  sandbox: Sandbox;
  fixtures: Fixtures;
  trace: Trace;
  signal: AbortSignal;
  /** Opens the card form, asks the tester to use it, and waits for one of the events. */
  card(opening: Opening, until: readonly EventType[], ask?: string): Promise<{ event: EventType }>;
  /** Opens the card form, asks the tester to use it, and returns the id of the verified card. */
  verified(opening: Opening, ask: string): Promise<string>;
}

/** Something that the sandbox can be made to do, and the call that shows it. */
export interface Scenario {
  id: string;
  group: string;
  label: string;
  about: string;
  /** What the tester is told besides. */
  note?: string;
  /** The code of an error, an event of the form, or `done`. */
  expects: string;
  /** Texts in its requests that cause the result, and so are not redacted. */
  shows?: readonly string[];
  /** Whether it takes input in the card form. */
  byHand?: boolean;
  run: (bench: Bench) => Promise<Facts | void>;
}

export type Outcome = { facts: Facts } | { error: unknown };

/** Returns what a run came to, in the terms of `expects`. */
export function resultOf(outcome: Outcome): string {
  if ("facts" in outcome) return String(outcome.facts["service.code"] ?? outcome.facts["event"] ?? DONE);
  const { error } = outcome;
  return isRemitError(error) ? error.code : error instanceof Error ? error.name : typeof error;
}

export function isExpected(expects: string, outcome: Outcome): boolean {
  if ("error" in outcome) return codesOf(outcome.error).includes(expects);
  return resultOf(outcome) === expects && (outcome.facts["recorded"] ?? 1) === 1;
}

/** Returns the codes of an error and of its problems. */
export function codesOf(error: unknown): string[] {
  const { code, problems = [] } = error as { code?: string; problems?: readonly { code: string }[] };
  return [code ?? "", ...problems.map((problem) => problem.code)];
}

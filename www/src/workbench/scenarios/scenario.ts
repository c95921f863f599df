import { isRemitError, type CardForm, type CardFormOptions, type RemitKit } from "remitkit";
import type { Sandbox } from "remitkit/testing";
import type { Kits } from "../kits";
import type { Trace } from "../trace";
import type { Fixtures } from "./fixtures";

export const DONE = "done";

/** What may be shown and exported of a result: names, figures and states. */
export type Facts = Record<string, string | number | boolean>;
export type Run = (bench: Bench) => Promise<Facts | void>;

export interface Bench {
  kits: Kits;
  /** The customer's. */
  remit: RemitKit;
  sandbox: Sandbox;
  fixtures: Fixtures;
  trace: Trace;
  signal: AbortSignal;
  /** Opens the card form, and says what the tester is to do in it. */
  cardForm(options: Partial<CardFormOptions>, ask?: string, remit?: RemitKit): Promise<CardForm>;
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
  run: Run;
}

export interface Outcome {
  facts: Facts;
  error?: unknown;
}

/** Returns what a run came to, in the terms of `expects`. */
export function resultOf({ facts, error }: Outcome): string {
  return error ? errorName(error) : String(facts["service.code"] ?? facts["event"] ?? DONE);
}

export function isExpected(expects: string, outcome: Outcome): boolean {
  const { facts, error } = outcome;
  if (error) return codesOf(error).includes(expects);
  return resultOf(outcome) === expects && (facts["recorded"] ?? 1) === 1;
}

/** Returns the codes of an error and of its problems. */
export function codesOf(error: unknown): string[] {
  const { code, problems = [] } = error as { code?: string; problems?: readonly { code: string }[] };
  return [code ?? "", ...problems.map((problem) => problem.code)];
}

/** Names an error. The message of a foreign one may contain anything. */
export function errorName(error: unknown): string {
  return isRemitError(error) ? error.code : error instanceof Error ? error.name : typeof error;
}

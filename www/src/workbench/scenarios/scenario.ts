import type { CardFormEvent, RemitKit } from "remitkit";
import type { Sandbox } from "remitkit/testing";
import type { LiveText } from "../../ui/dom";
import type { Kits } from "../kits";
import type { Opening } from "../preview";
import type { Trace } from "../trace";
import type { Fixtures } from "./fixtures";

type EventType = CardFormEvent["type"];

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
  card(opening: Opening, until: readonly EventType[], ask?: LiveText): Promise<{ event: EventType }>;
  /** Opens the card form, asks the tester to use it, and returns the id of the verified card. */
  verified(opening: Opening, ask: LiveText): Promise<string>;
}

/** The expected result: an error of this code, this event of the form, or success. */
export type Expectation = { code: string } | { event: EventType } | { done: true };

/** Something that the sandbox can be made to do, and the call that shows it. */
export interface Scenario {
  id: string;
  group: string;
  label: LiveText;
  about: LiveText;
  /** Whether `about` is in the service's own words, which are English. */
  isServiceText?: boolean;
  note?: LiveText;
  expects: Expectation;
  /** Texts in its requests that cause the result, and so are not redacted. */
  shows?: readonly string[];
  /** Whether it takes input in the card form. */
  byHand?: boolean;
  run: (bench: Bench) => Promise<Facts>;
}

export type Outcome = { facts: Facts } | { error: unknown };

export function isExpected(expects: Expectation, outcome: Outcome): boolean {
  if ("error" in outcome) return "code" in expects && codesOf(outcome.error).includes(expects.code);
  const { event, recorded, "service.code": code } = outcome.facts;
  if ("code" in expects) return code === expects.code;
  return "event" in expects ? event === expects.event : recorded === undefined || recorded === 1;
}

/** Returns the codes of an error and of its problems. */
export function codesOf(error: unknown): string[] {
  const { code, problems = [] } = error as { code?: string; problems?: readonly { code: string }[] };
  return [code ?? "", ...problems.map((problem) => problem.code)];
}

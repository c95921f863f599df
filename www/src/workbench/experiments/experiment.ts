import type { CardFormEvent, RemitKit } from "remitkit";
import type { Sandbox } from "remitkit/testing";
import type { LiveText } from "../../ui/dom";
import type { Kits } from "../kits";
import type { Opening } from "../preview";
import type { Trace } from "../trace";
import type { Ground } from "./ground";

/** What may be shown and exported of what came back: names, figures and states. */
export type Facts = Record<string, string | number | boolean>;

/** What an experiment works with. */
export interface Bench {
  kits: Kits;
  remit: RemitKit;
  sandbox: Sandbox;
  ground: Ground;
  trace: Trace;
  /** Ends when another experiment begins. */
  signal: AbortSignal;
  /** Opens the card form, asks for what is to be done in it by hand, and waits until it says one of these. */
  card(opening: Opening, until: readonly CardFormEvent["type"][], ask?: LiveText): Promise<Facts & { event: CardFormEvent["type"] }>;
  /** As `card`, until a card is verified; gives its id. */
  verified(opening: Opening, ask: LiveText): Promise<string>;
}

/** What it has to come to: an error of this code, this event of the form, or nothing wrong. */
export type Expectation = { code: string } | { event: CardFormEvent["type"] } | { done: true };

/** Something that can be brought about, and the call that shows it. */
export interface Experiment {
  id: string;
  /** What it stands under in the list. */
  group: string;
  label: LiveText;
  about: LiveText;
  /** Where that is in the service's own words, which are English. */
  isServiceText?: boolean;
  /** What else there is to know. */
  note?: LiveText;
  expects: Expectation;
  /** Texts of its requests that bring it about, and so are shown where others are left out. */
  shows?: readonly string[];
  /** Takes a person at the card form. */
  byHand?: boolean;
  run: (bench: Bench) => Promise<Facts>;
}

/** What it came to. */
export type Outcome = { facts: Facts } | { error: unknown };

/** Whether an outcome is the expected one. Of a field error's several codes the first is its own. */
export function isExpected(expects: Expectation, outcome: Outcome): boolean {
  if ("error" in outcome) return "code" in expects && codesOf(outcome.error).includes(expects.code);
  const { facts } = outcome;
  if ("code" in expects) return facts["service.code"] === expects.code;
  return "done" in expects ? facts["recorded"] === undefined || facts["recorded"] === 1 : facts["event"] === expects.event;
}

/** The code of an error, and those of its problems. */
export function codesOf(error: unknown): string[] {
  const { code, problems = [] } = error as { code?: string; problems?: readonly { code: string }[] };
  return [code ?? "", ...problems.map((problem) => problem.code)];
}

import type { CardFormEvent } from "remitkit";
import type { CardSessionBehaviour } from "remitkit/testing";
import { lookUp } from "../../messages";
import type { TestCard, TriggerTable } from "../../triggers";
import { spaced } from "../../ui/test_cards";
import { wt, type TextKey } from "../texts";
import type { Expectation, Experiment } from "./experiment";

type EventType = CardFormEvent["type"];

const OUTCOMES: readonly EventType[] = ["CARD_VALIDATION_STOP_SUCCESS", "CARD_VALIDATION_STOP_FAIL", "CARD_VALIDATION_STOP_EXPIRED"];
const AFTER: Record<string, EventType> = { fail: "CARD_VALIDATION_STOP_FAIL", expired: "CARD_VALIDATION_STOP_EXPIRED" };
// Long enough for a frame on this machine, short enough to be waited for.
const LOAD_MS = 3_000;

/** What the next session's form does, as soon as it is opened. */
const BEHAVIOURS: Record<CardSessionBehaviour, Expectation> = {
  normal: { event: "READY" },
  expired: { code: "InvalidCardOnboardingSession" },
  silent: { event: "READY" },
  "wrong-origin": { event: "READY" },
  "fails-to-load": { event: "READY" },
};

/** Every test card, to be typed into the form by hand, and every way in which a session's form can behave. */
export function cardExperiments({ cards, sessions }: TriggerTable): Experiment[] {
  return [...cards.map(testCard), ...sessions.filter((name) => name in BEHAVIOURS).map((name) => session(name as CardSessionBehaviour))];
}

function testCard({ number, description, result, code, currency }: TestCard): Experiment {
  const about = () => wt("experiment.card", { number: spaced(number) });
  return {
    id: `card ${number}`,
    group: "cards",
    label: () => `${spaced(number)}: ${lookUp(`test.${code ?? result}`)?.replace("{currency}", currency ?? "") ?? description}`,
    about,
    byHand: true,
    expects: { event: AFTER[result] ?? "CARD_VALIDATION_STOP_SUCCESS" },
    run: (bench) => bench.card({}, OUTCOMES, about),
  };
}

function session(behaviour: CardSessionBehaviour): Experiment {
  const expects = BEHAVIOURS[behaviour];
  return {
    id: `session ${behaviour}`,
    group: "sessions",
    label: () => behaviour,
    about: () => wt(`session.${behaviour}` as TextKey),
    expects,
    run: async (bench) => {
      await bench.sandbox.cardSessions.next(behaviour);
      bench.trace.action("cardSession", { behaviour });
      return bench.card({ options: { loadTimeoutMs: LOAD_MS } }, "event" in expects ? [expects.event] : OUTCOMES);
    },
  };
}

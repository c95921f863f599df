import type { CardSessionBehaviour } from "remitkit/testing";
import { wt, type WorkbenchKey } from "../../messages/workbench";
import type { TestCard, TriggerTable } from "../../triggers";
import { cardOutcome, groupedNumber } from "../../ui/test_cards";
import type { EventType, Scenario } from "./scenario";

export const CARD_RESULTS: readonly EventType[] = [
  "CARD_VALIDATION_STOP_SUCCESS",
  "CARD_VALIDATION_STOP_FAIL",
  "CARD_VALIDATION_STOP_EXPIRED",
];
const RESULT_EVENTS: Record<string, EventType> = {
  fail: "CARD_VALIDATION_STOP_FAIL",
  expired: "CARD_VALIDATION_STOP_EXPIRED",
};
/** Long enough to load a frame from this machine. */
const LOAD_TIMEOUT_MS = 3_000;

/** The result of each behaviour of a session. */
const BEHAVIOURS: Record<CardSessionBehaviour, string> = {
  normal: "READY",
  expired: "InvalidCardOnboardingSession",
  silent: "READY",
  "wrong-origin": "READY",
  "fails-to-load": "READY",
};

export function cardScenarios({ testCards, cardSessions }: TriggerTable): Scenario[] {
  const behaviours = cardSessions.filter((name): name is CardSessionBehaviour => name in BEHAVIOURS);
  return [...testCards.map(testCard), ...behaviours.map(session)];
}

function testCard(card: TestCard): Scenario {
  const number = groupedNumber(card.number);
  const about = () => wt("scenario.card", { number });
  return {
    id: `card ${card.number}`,
    group: "cards",
    label: () => `${number}: ${cardOutcome(card) ?? card.description}`,
    about,
    byHand: true,
    expects: RESULT_EVENTS[card.result] ?? "CARD_VALIDATION_STOP_SUCCESS",
    run: (bench) => bench.card({}, CARD_RESULTS, about),
  };
}

function session(behaviour: CardSessionBehaviour): Scenario {
  const expects = BEHAVIOURS[behaviour];
  const options = { loadTimeoutMs: LOAD_TIMEOUT_MS };
  return {
    id: `session ${behaviour}`,
    group: "sessions",
    label: () => behaviour,
    about: () => wt(`session.${behaviour}` as WorkbenchKey),
    expects,
    run: async (bench) => {
      await bench.sandbox.cardSessions.next(behaviour);
      bench.trace.action("cardSession", { behaviour });
      return bench.card({ options }, expects === "READY" ? [expects] : CARD_RESULTS);
    },
  };
}

import type { CardSessionBehaviour } from "remitkit/testing";
import type { TestCard, TriggerTable } from "../../triggers";
import { cardOutcome, groupedNumber } from "../../ui/test_cards";
import type { EventType, Scenario } from "./scenario";

const RESULTS: Record<string, EventType> = {
  success: "CARD_VALIDATION_STOP_SUCCESS",
  fail: "CARD_VALIDATION_STOP_FAIL",
  expired: "CARD_VALIDATION_STOP_EXPIRED",
};
/** Long enough to load a frame from this machine. */
const LOAD_TIMEOUT_MS = 3_000;

const SESSIONS: Record<CardSessionBehaviour, string> = {
  normal: "The form behaves as it should.",
  expired: "The session is over before the form opens.",
  silent: "The form opens but never sends a message.",
  "wrong-origin":
    "The form comes from a different origin than requested. This page’s policy blocks it, and the SDK " +
    "would ignore anything it said.",
  "fails-to-load":
    "The form refuses to be framed. A page can’t tell: browsers report their own error page in the same way.",
};

export function cardScenarios({ testCards, cardSessions }: TriggerTable): Scenario[] {
  const behaviours = cardSessions.filter((name): name is CardSessionBehaviour => name in SESSIONS);
  return [...testCards.map(testCard), ...behaviours.map(session)];
}

/** What has the tester enter a card, and shows its result. */
export function cardEntry(number: string): Pick<Scenario, "about" | "byHand" | "run"> {
  const about = `Enter ${groupedNumber(number)} in the card form and verify it.`;
  return { about, byHand: true, run: (bench) => bench.card({}, Object.values(RESULTS), about) };
}

function testCard(card: TestCard): Scenario {
  const label = `${groupedNumber(card.number)}: ${cardOutcome(card) ?? card.description}`;
  const expects = RESULTS[card.result] ?? "CARD_VALIDATION_STOP_SUCCESS";
  return { id: `card ${card.number}`, group: "Test cards", label, expects, ...cardEntry(card.number) };
}

function session(behaviour: CardSessionBehaviour): Scenario {
  const isOver = behaviour === "expired";
  return {
    id: `session ${behaviour}`,
    group: "How the next session behaves",
    label: behaviour,
    about: SESSIONS[behaviour],
    expects: isOver ? "InvalidCardOnboardingSession" : "READY",
    run: async (bench) => {
      await bench.sandbox.cardSessions.next(behaviour);
      bench.trace.action("cardSession", { behaviour });
      const options = { loadTimeoutMs: LOAD_TIMEOUT_MS };
      return bench.card({ options }, isOver ? Object.values(RESULTS) : ["READY"]);
    },
  };
}

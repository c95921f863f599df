import type { CardFormEvent, CardFormOptions } from "remitkit";
import type { CardSessionBehaviour } from "remitkit/testing";
import type { TriggerTable } from "../../triggers";
import { cardOutcome, groupedNumber } from "../../ui/test_cards";
import type { Bench, Facts, Scenario } from "./scenario";

type EventType = CardFormEvent["type"];

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
  const cards = testCards.map((card): Scenario => {
    const label = `${groupedNumber(card.number)}: ${cardOutcome(card) ?? card.description}`;
    const expects = RESULTS[card.result] ?? "CARD_VALIDATION_STOP_SUCCESS";
    return { id: `card ${card.number}`, group: "Test cards", label, expects, ...cardEntry(card.number) };
  });
  const behaviours = cardSessions.filter((name): name is CardSessionBehaviour => name in SESSIONS);
  const sessions = behaviours.map((behaviour): Scenario => {
    const run = async (bench: Bench) => {
      await bench.sandbox.cardSessions.next(behaviour);
      bench.trace.action("cardSession", { behaviour });
      return cardEvent(bench, ["READY"], { loadTimeoutMs: LOAD_TIMEOUT_MS });
    };
    const [id, group] = [`session ${behaviour}`, "How the next session behaves"];
    const expects = behaviour === "expired" ? "InvalidCardOnboardingSession" : "READY";
    return { id, group, label: behaviour, about: SESSIONS[behaviour], expects, run };
  });
  return [...cards, ...sessions];
}

/** What has the tester enter a card, and shows its result. */
export function cardEntry(number: string): Pick<Scenario, "about" | "byHand" | "run"> {
  const about = `Enter ${groupedNumber(number)} in the card form and verify it.`;
  return { about, byHand: true, run: (bench) => cardEvent(bench, Object.values(RESULTS), {}, about) };
}

/** Opens the card form, and waits for one of the events. */
export async function cardEvent(
  bench: Bench,
  until: readonly EventType[],
  options: Partial<CardFormOptions> = {},
  ask?: string,
): Promise<Facts> {
  const form = await bench.cardForm(options, ask);
  return new Promise((resolve) => {
    for (const event of until) form.on(event, () => resolve({ event }));
  });
}

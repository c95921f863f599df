import type { CardForm, CardFormEvent } from "remitkit";
import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import type { Kits } from "./kits";
import { errorView, outcomeView } from "./outcome_view";
import type { Opening, Preview } from "./preview";
import { Fixtures } from "./scenarios/fixtures";
import { isExpected, type Bench, type EventType, type Outcome, type Scenario } from "./scenarios/scenario";

/** The part of the window below which a result is scrolled into view. */
const FOLD = 0.6;

/** Creates what runs one scenario at a time, and the places for what it asks for and its result. */
export function runner(kits: Kits, preview: Preview) {
  const { trace, recorder } = kits;
  const fixtures = new Fixtures();
  const asked = h("div.scenario-ask", { role: "status" });
  // Only the verdict is announced, not the facts below it.
  const spoken = h("p.visually-hidden", { role: "status" });
  const shown = h("div.outcome");
  let current = new AbortController();
  return { parts: [asked, spoken, shown], run, reset };

  async function run(scenario: Scenario): Promise<void> {
    const signal = start();
    say("Running…");
    recorder.clear();
    const outcome = await benchUntil(signal)
      .then((bench) => scenario.run(bench))
      .then((facts): Outcome => ({ facts: facts ?? {} }), (error: unknown): Outcome => ({ error }));
    const recorded = await recorder.run();
    if (signal.aborted) return;
    asked.replaceChildren();
    const view = outcomeView(scenario, outcome, trace, recorded);
    shown.replaceChildren(view);
    const words = [...view.querySelectorAll(".verdict, [data-side=result] dd")];
    setText(spoken, words.map(({ textContent }) => textContent).join(": "));
    if (view.getBoundingClientRect().top > innerHeight * FOLD) view.scrollIntoView();
    // After a reset elsewhere, the sandbox has lost the fixtures.
    if (!isExpected(scenario.expects, outcome)) fixtures.clear();
  }

  /** Resets the sandbox, for the shop too. */
  async function reset(): Promise<void> {
    start();
    try {
      await (await kits.sandbox()).reset();
    } catch (error) {
      shown.replaceChildren(errorView(error, trace));
      return;
    }
    fixtures.clear();
    trace.action("reset");
    say("The sandbox is as it was at the start, for the shop too.");
    preview.start();
  }

  async function benchUntil(signal: AbortSignal): Promise<Bench> {
    const [remit, sandbox] = await Promise.all([kits.of("customer"), kits.sandbox()]);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    // Only runs that wait for the form look at it.
    aborted.catch(() => {});
    const card: Bench["card"] = (opening, until, ask) => {
      const seen = new Promise<{ event: EventType }>((resolve, reject) => {
        const event = ({ type }: CardFormEvent) => until.includes(type) && resolve({ event: type });
        openForm({ ...opening, event }, ask).catch(reject);
      });
      return Promise.race([seen, aborted]);
    };
    const verified: Bench["verified"] = async (opening, ask) => {
      const completed = openForm(opening, ask).then((form) => form.completed);
      return (await Promise.race([completed, aborted])).cardId;
    };
    return { kits, remit, sandbox, fixtures, trace, signal, card, verified };
  }

  /** Opens the card form and says what to do in it. */
  async function openForm(opening: Opening, ask?: string): Promise<CardForm> {
    const form = await preview.open(opening);
    if (ask) {
      const go = button(() => "Go to the form", () => preview.focus(), "quiet");
      asked.replaceChildren(h("p", ask), go);
      shown.replaceChildren();
    }
    return form;
  }

  function start(): AbortSignal {
    current.abort();
    current = new AbortController();
    asked.replaceChildren();
    return current.signal;
  }

  function say(text: string): void {
    shown.replaceChildren(h("p.muted", { "aria-hidden": "true" }, text));
    setText(spoken, text);
  }
}

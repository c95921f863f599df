import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import type { Kits } from "./kits";
import { errorView, outcomeView } from "./outcome_view";
import type { Preview } from "./preview";
import { Fixtures } from "./scenarios/fixtures";
import { isExpected, resultOf, type Bench, type Outcome, type Scenario } from "./scenarios/scenario";

/** The part of the window below which a result is scrolled into view. */
const FOLD = 0.6;

/** Creates what runs one scenario at a time, and the places for what it asks for and its result. */
export function runner(kits: Kits, preview: Preview) {
  const { trace, recorder } = kits;
  let fixtures = new Fixtures();
  const asked = h("div.scenario-ask.notice-slot", { role: "status" });
  // Only the verdict is announced, not the facts below it.
  const spoken = h("p.visually-hidden", { role: "status" });
  const shown = h("div.outcome");
  let current = new AbortController();
  return { parts: [asked, spoken, shown], run, reset };

  async function run(scenario: Scenario): Promise<void> {
    const signal = start();
    say("Running…");
    recorder.record();
    const outcome = await Promise.all([kits.of(), kits.sandbox()])
      .then(([remit, sandbox]) => scenario.run({ kits, remit, sandbox, fixtures, trace, signal, cardForm }))
      .then((facts): Outcome => ({ facts: facts ?? {} }), (error): Outcome => ({ facts: {}, error }));
    const recorded = await recorder.run();
    if (signal.aborted) return;
    asked.replaceChildren();
    const view = outcomeView(scenario, outcome, trace, recorded);
    shown.replaceChildren(view);
    setText(spoken, `${view.querySelector(".verdict")?.textContent}: ${resultOf(outcome)}`);
    if (view.getBoundingClientRect().top > innerHeight * FOLD) view.scrollIntoView();
    // After a reset elsewhere, the sandbox has lost the fixtures.
    if (!isExpected(scenario.expects, outcome)) fixtures = new Fixtures();
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
    fixtures = new Fixtures();
    trace.action("reset");
    say("The sandbox is as it was at the start, for the shop too.");
    preview.start();
  }

  async function cardForm(...[options, ask, remit]: Parameters<Bench["cardForm"]>) {
    const form = await preview.open(options, remit);
    if (ask) {
      const actions = h("div.notice-actions", button(() => "Go to the form", preview.focus, "quiet"));
      asked.replaceChildren(h("div.notice", h("div.notice-body", h("p", ask), actions)));
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

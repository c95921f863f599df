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

/** Runs one scenario at a time, and shows what it asks for and its result. */
export class Runner {
  readonly #fixtures = new Fixtures();
  readonly #ask = h("div.scenario-ask", { role: "status" });
  // Only the verdict is announced, not the facts below it.
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  readonly #outcome = h("div.outcome");
  readonly parts = [this.#ask, this.#spoken, this.#outcome];
  #run = new AbortController();

  constructor(
    private readonly kits: Kits,
    private readonly preview: Preview,
  ) {}

  async run(scenario: Scenario): Promise<void> {
    const { trace, recorder } = this.kits;
    const signal = this.#start();
    this.#say("Running…");
    recorder.clear();
    const outcome = await this.#bench(signal)
      .then((bench) => scenario.run(bench))
      .then((facts): Outcome => ({ facts: facts ?? {} }), (error: unknown): Outcome => ({ error }));
    const run = await recorder.run();
    if (signal.aborted) return;
    this.#ask.replaceChildren();
    const view = outcomeView(scenario, outcome, trace, run);
    this.#outcome.replaceChildren(view);
    const spoken = [...view.querySelectorAll(".verdict, [data-side=result] dd")];
    setText(this.#spoken, spoken.map(({ textContent }) => textContent).join(": "));
    if (view.getBoundingClientRect().top > innerHeight * FOLD) view.scrollIntoView();
    // After a reset elsewhere, the sandbox has lost the fixtures.
    if (!isExpected(scenario.expects, outcome)) this.#fixtures.clear();
  }

  /** Resets the sandbox, for the shop too. */
  async reset(): Promise<void> {
    this.#start();
    try {
      await (await this.kits.sandbox()).reset();
    } catch (error) {
      this.#outcome.replaceChildren(errorView(error, this.kits.trace));
      return;
    }
    this.#fixtures.clear();
    this.kits.trace.action("reset");
    this.#say("The sandbox is as it was at the start, for the shop too.");
    this.preview.start();
  }

  async #bench(signal: AbortSignal): Promise<Bench> {
    const { kits } = this;
    const [remit, sandbox] = await Promise.all([kits.of("customer"), kits.sandbox()]);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    // Only runs that wait for the form look at it.
    aborted.catch(() => {});
    const race = <Result>(work: Promise<Result>) => Promise.race([work, aborted]);
    return {
      kits,
      remit,
      sandbox,
      fixtures: this.#fixtures,
      trace: kits.trace,
      signal,
      card: (opening, until, ask) => {
        const seen = new Promise<{ event: EventType }>((resolve, reject) => {
          const event = ({ type }: CardFormEvent) => until.includes(type) && resolve({ event: type });
          this.#openForm({ ...opening, event }, ask).catch(reject);
        });
        return race(seen);
      },
      verified: (opening, ask) =>
        race(this.#openForm(opening, ask).then(({ completed }) => completed)).then(({ cardId }) => cardId),
    };
  }

  /** Opens the card form and says what to do in it. */
  async #openForm(opening: Opening, ask?: string): Promise<CardForm> {
    const form = await this.preview.open(opening);
    if (ask) {
      const go = button(() => "Go to the form", () => this.preview.focus(), "quiet");
      this.#ask.replaceChildren(h("p", ask), go);
      this.#outcome.replaceChildren();
    }
    return form;
  }

  #start(): AbortSignal {
    this.#run.abort();
    this.#run = new AbortController();
    this.#ask.replaceChildren();
    return this.#run.signal;
  }

  #say(text: string): void {
    this.#outcome.replaceChildren(h("p.muted", { "aria-hidden": "true" }, text));
    setText(this.#spoken, text);
  }
}

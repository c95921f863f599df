import type { CardForm, CardFormEvent } from "remitkit";
import { wt, type WorkbenchKey } from "../messages/workbench";
import { triggerTable, type TriggerTable } from "../triggers";
import { button, submitButton } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field } from "../ui/field";
import type { Kits } from "./kits";
import { errorView, outcomeView, resultText } from "./outcome_view";
import type { Opening, Preview } from "./preview";
import type { Recorder } from "./recorder";
import { cardScenarios } from "./scenarios/cards";
import { clockScenarios } from "./scenarios/clock";
import { errorScenarios } from "./scenarios/errors";
import { faultScenarios } from "./scenarios/faults";
import { Fixtures } from "./scenarios/fixtures";
import { isExpected, type Bench, type Outcome, type Scenario } from "./scenarios/scenario";
import type { Trace } from "./trace";

const FORM = "scenario-form";
/** How many lines of the list of scenarios are in sight. */
const LIST_SIZE = 5;
/** The parameters of the page's address: the scenario, and whether to run it when the page opens. */
const ADDRESS = { scenario: "scenario", run: "run" } as const;
/** The groups with names of the workbench's; the others are operations. */
const OWN_GROUPS = ["cards", "sessions", "faults", "clock"];

/** The scenarios to begin with: quick, telling, and without input in the card form. */
const FIRST = [
  "fault drop after",
  "transfer QuoteAmountChanged",
  "transfer Max24HourSendAmountLimitReached",
  "fault status retryAfter",
  "createRecipient InvalidRecipientName",
] as const;

/** The part of the window below which a result is scrolled into view. */
const FOLD = 0.6;

/** The choice of a scenario, the button that runs it, and its result. */
export class Picker {
  readonly element: HTMLElement;
  readonly filled: Promise<void>;
  readonly #fixtures = new Fixtures();
  readonly #filter = h("input", { type: "search", name: "filter", autocomplete: "off", spellcheck: "false" });
  readonly #count = h("p.muted.small", { role: "status" });
  readonly #select = h("select", { name: "scenario", size: LIST_SIZE });
  readonly #about = h("p.scenario-about");
  readonly #ask = h("div.scenario-ask", { role: "status" });
  readonly #outcome = h("div.outcome");
  // Only the verdict is announced, not the facts below it.
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  readonly #first = h("div.presets");
  readonly #none = h("p", { hidden: true }, () => wt("scenario.none"));
  readonly #form: HTMLFormElement;
  #scenarios: Scenario[] = [];
  #run = new AbortController();

  constructor(
    private readonly kits: Kits,
    private readonly preview: Preview,
    private readonly trace: Trace,
    private readonly recorder: Recorder,
  ) {
    const first = h("p", { id: "first-title" }, () => wt("scenario.first"));
    const submit = submitButton(() => wt("scenario.run"), FORM);
    const reset = button(() => wt("scenario.reset"), () => void this.#reset(), "quiet");
    const filter = { label: () => wt("scenario.filter"), hint: () => wt("scenario.filter.hint") };
    this.#form = h("form", { id: FORM, class: "stack", hidden: true }, [
      h("div.first", { role: "group", "aria-labelledby": "first-title" }, first, this.#first),
      field(this.#filter, filter).element,
      field(this.#select, { label: () => wt("scenario.which"), bare: true }).element,
      this.#count,
      this.#about,
      h("div.tool-buttons", submit, reset),
      this.#ask,
      this.#spoken,
      this.#outcome,
    ]);
    on(this.#form, {
      submit: (event) => {
        event.preventDefault();
        void this.#runChosen();
      },
    });
    on(this.#filter, { input: () => this.#showMatching() });
    on(this.#select, { change: () => this.#choose(this.#select.value) });
    this.element = h("section.bench-part.picker", { id: "scenarios", "aria-labelledby": "scenarios-title" }, [
      h("h2", { id: "scenarios-title" }, () => wt("scenario.title")),
      h("p.muted", () => wt("scenario.intro")),
      this.#none,
      this.#form,
    ]);
    this.filled = triggerTable().then((table) => this.#fill(table));
  }

  #fill(table: TriggerTable | undefined): void {
    this.#none.hidden = table !== undefined;
    this.#form.hidden = table === undefined;
    if (!table) return;
    const errorsAndCards = [...errorScenarios(table), ...cardScenarios(table)];
    this.#scenarios = [...errorsAndCards, ...faultScenarios(), ...clockScenarios()];
    const start = (id: string) => {
      this.#filter.value = "";
      this.#showMatching();
      this.#choose(id);
      void this.#runChosen();
    };
    const buttons = FIRST.map((id) => button(() => wt(`first.${id}`), () => start(id), "quiet"));
    this.#first.replaceChildren(...buttons);
    this.#showMatching();
    const asked = new URLSearchParams(location.search);
    this.#select.value = asked.get(ADDRESS.scenario) ?? FIRST[0];
    if (!this.#chosen) this.#select.value = FIRST[0];
    this.#describe();
    if (asked.has(ADDRESS.run)) void this.#runChosen();
  }

  /** Lists the scenarios that have every word of the filter. The chosen one stays so if it is among them. */
  #showMatching(): void {
    const words = this.#filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.#scenarios.filter(({ id, group, label }) => {
      const text = `${id} ${groupName(group)} ${label()}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { value } = this.#select;
    const groups = [...new Set(matching.map(({ group }) => group))].map((group) => {
      const own = matching.filter((one) => one.group === group);
      const options = own.map(({ id, label, byHand }) =>
        h("option", { value: id, "data-by-hand": byHand }, label),
      );
      return h("optgroup", { label: groupName(group) }, ...options);
    });
    this.#select.replaceChildren(...groups);
    setText(this.#count, () => wt("scenario.count", { count: matching.length }));
    const isKept = matching.some(({ id }) => id === value);
    this.#choose(isKept ? value : (matching[0]?.id ?? ""), words.length > 0);
  }

  /** Chooses a scenario and keeps it in the page's address. */
  #choose(id: string, isKept = true): void {
    this.#select.value = id;
    this.#describe();
    if (!isKept || !this.#chosen) return;
    const url = new URL(location.href);
    url.searchParams.set(ADDRESS.scenario, id);
    url.searchParams.delete(ADDRESS.run);
    history.replaceState(history.state, "", url);
  }

  get #chosen(): Scenario | undefined {
    return this.#scenarios.find(({ id }) => id === this.#select.value);
  }

  #describe(): void {
    this.#about.replaceChildren();
    if (!this.#chosen) return;
    const { about, isServiceText, note, expects } = this.#chosen;
    const outcome = () => wt("scenario.expects", { outcome: resultText(expects) });
    this.#about.replaceChildren(
      h("span", { lang: isServiceText && "en" }, about),
      " ",
      note ? h("span", note) : "",
      " ",
      h("span.muted", outcome),
    );
  }

  async #runChosen(): Promise<void> {
    const scenario = this.#chosen;
    if (!scenario) return;
    const signal = this.#startRun();
    this.#say(() => wt("scenario.running"));
    const { position } = this.recorder;
    const outcome = await this.#bench(signal)
      .then((bench) => scenario.run(bench))
      .then((facts): Outcome => ({ facts }), (error: unknown): Outcome => ({ error }));
    const run = await this.recorder.runSince(position);
    if (signal.aborted) return;
    this.#ask.replaceChildren();
    const view = outcomeView(scenario, outcome, this.trace, run);
    this.#outcome.replaceChildren(view);
    const spoken = [...view.querySelectorAll(".verdict, [data-side=result] dd")];
    setText(this.#spoken, spoken.map(({ textContent }) => textContent).join(": "));
    if (view.getBoundingClientRect().top > innerHeight * FOLD) view.scrollIntoView();
    // After a reset elsewhere, the sandbox has lost the fixtures.
    if (!isExpected(scenario.expects, outcome)) this.#fixtures.clear();
  }

  async #bench(signal: AbortSignal): Promise<Bench> {
    const [remit, sandbox] = await Promise.all([this.kits.of("customer"), this.kits.sandbox()]);
    return {
      kits: this.kits,
      remit,
      sandbox,
      fixtures: this.#fixtures,
      trace: this.trace,
      signal,
      card: (opening, until, ask) =>
        unlessAborted(signal, async (resolve) => {
          const event = ({ type }: CardFormEvent) => until.includes(type) && resolve({ event: type });
          await this.#openForm({ ...opening, event }, ask);
        }),
      verified: (opening, ask) =>
        unlessAborted(signal, async (resolve) => {
          const form = await this.#openForm(opening, ask);
          resolve((await form.completed).cardId);
        }),
    };
  }

  /** Opens the card form and says what to do in it. */
  async #openForm(opening: Opening, ask: LiveText | undefined): Promise<CardForm> {
    const form = await this.preview.open(opening);
    if (ask) {
      const go = button(() => wt("scenario.to_form"), () => this.preview.focus(), "quiet");
      this.#ask.replaceChildren(h("p", ask), go);
      this.#outcome.replaceChildren();
    }
    return form;
  }

  #startRun(): AbortSignal {
    this.#run.abort();
    this.#run = new AbortController();
    this.#ask.replaceChildren();
    return this.#run.signal;
  }

  #say(text: LiveText): void {
    this.#outcome.replaceChildren(h("p.muted", { "aria-hidden": "true" }, text));
    setText(this.#spoken, text);
  }

  async #reset(): Promise<void> {
    this.#startRun();
    try {
      await (await this.kits.sandbox()).reset();
    } catch (error) {
      this.#outcome.replaceChildren(errorView(error, this.trace));
      return;
    }
    this.#fixtures.clear();
    this.trace.action("reset");
    this.#say(() => wt("scenario.was_reset"));
    this.preview.start();
  }
}

function groupName(group: string): string {
  return OWN_GROUPS.includes(group) ? wt(`scenario.group.${group}` as WorkbenchKey) : group;
}

/** Runs work until it resolves, fails, or the signal aborts. */
function unlessAborted<Result>(
  signal: AbortSignal,
  work: (resolve: (result: Result) => void) => Promise<void>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    work(resolve).catch(reject);
  });
}

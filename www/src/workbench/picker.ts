import type { CardForm, CardFormEvent } from "remitkit";
import { triggerTable, type TriggerTable } from "../triggers";
import { button, submitButton } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field } from "../ui/field";
import { Tiles, type Tile } from "../ui/tiles";
import { cardExperiments } from "./experiments/cards";
import { clockExperiments } from "./experiments/clock";
import { errorExperiments } from "./experiments/errors";
import { isExpected, type Bench, type Experiment, type Outcome } from "./experiments/experiment";
import { faultExperiments } from "./experiments/faults";
import { Ground } from "./experiments/ground";
import type { Kits } from "./kits";
import { expectedWords, failureView, outcomeView } from "./outcome_view";
import type { Opening, Preview } from "./preview";
import type { Recorder } from "./recorder";
import { wt, type TextKey } from "./texts";
import type { Trace } from "./trace";

type EventType = CardFormEvent["type"];

const FORM = "experiment-form";
const SORTS: Record<string, (table: TriggerTable) => Experiment[]> = {
  errors: errorExperiments,
  cards: cardExperiments,
  faults: faultExperiments,
  clock: clockExperiments,
};

/** What shows most of it in the shortest time. None needs a hand at the card form. */
const FIRST = ["fault drop after", "transfer QuoteAmountChanged", "transfer Max24HourSendAmountLimitReached", "fault status retryAfter", "createRecipient InvalidRecipientName"] as const;

// What came is not looked for below this part of the window.
const LOW = 0.6;

/** Whatever the sandbox can be made to do: choose one, and the call that shows it is made. */
export class Picker {
  readonly element: HTMLElement;
  /** Settles when it is known what there is to choose from, and so how high this is. */
  readonly filled: Promise<void>;
  readonly #kits: Kits;
  readonly #preview: Preview;
  readonly #trace: Trace;
  readonly #recorder: Recorder;
  readonly #ground = new Ground();
  readonly #select = h("select", { name: "experiment" });
  readonly #about = h("p", { class: "experiment-about" });
  readonly #ask = h("div", { class: "experiment-ask", role: "status" });
  readonly #outcome = h("div", { class: "outcome" });
  // The verdict alone is read out: what stands below it is to be looked through.
  readonly #spoken = h("p", { class: "visually-hidden", role: "status" });
  readonly #submit = submitButton(() => wt("experiment.run"), FORM);
  readonly #first = h("div", { class: "presets" });
  readonly #tiles = new Tiles("sort", () => wt("experiment.sort"), (sort) => this.#offer(sort));
  readonly #none = h("p", {}, () => wt("experiment.none"));
  readonly #form: HTMLFormElement;
  #sorts = new Map<string, Experiment[]>();
  #tileList: Tile[] = [];
  #run = new AbortController();

  constructor(kits: Kits, preview: Preview, trace: Trace, recorder: Recorder) {
    this.#kits = kits;
    this.#preview = preview;
    this.#trace = trace;
    this.#recorder = recorder;
    this.#form = h(
      "form",
      { id: FORM, class: "stack", hidden: true },
      h("div", { class: "first", role: "group", "aria-labelledby": "first-title" }, h("p", { id: "first-title" }, () => wt("experiment.first")), this.#first),
      this.#tiles.element,
      field(this.#select, { label: () => wt("experiment.which"), bare: true }).element,
      this.#about,
      h("div", { class: "tool-buttons" }, this.#submit, button(() => wt("experiment.reset"), () => void this.#reset(), "quiet")),
      this.#ask,
      this.#spoken,
      this.#outcome,
    );
    on(this.#form, {
      submit: (event) => {
        event.preventDefault();
        void this.#begin();
      },
    });
    on(this.#select, { change: () => this.#describe() });
    this.element = h(
      "section",
      { class: "bench-part picker", id: "experiments", "aria-labelledby": "experiments-title" },
      h("h2", { id: "experiments-title" }, () => wt("experiment.title")),
      h("p", { class: "muted" }, () => wt("experiment.intro")),
      this.#none,
      this.#form,
    );
    this.#none.hidden = true;
    this.filled = triggerTable().then((table) => this.#fill(table));
  }

  #fill(table: TriggerTable | undefined): void {
    this.#none.hidden = table !== undefined;
    if (!table) return;
    this.#sorts = new Map(Object.entries(SORTS).map(([sort, make]) => [sort, make(table)]));
    const all = [...this.#sorts.values()].flat();
    const first = FIRST.filter((id) => all.some((one) => one.id === id));
    this.#first.replaceChildren(...first.map((id) => button(() => wt(`first.${id}`), () => this.#start(id), "quiet")));
    this.#tileList = [...this.#sorts].map(([value, experiments]) => ({
      value,
      label: () => wt(`experiment.${value}` as TextKey),
      about: () => wt("experiment.count", { count: experiments.length }),
    }));
    this.#form.hidden = false;
    this.#choose("errors");
  }

  /** Runs one of those to begin with. */
  #start(id: string): void {
    const sort = [...this.#sorts].find(([, experiments]) => experiments.some((one) => one.id === id))?.[0];
    if (!sort) return;
    this.#choose(sort);
    this.#select.value = id;
    this.#describe();
    void this.#begin();
  }

  #choose(sort: string): void {
    this.#tiles.show(this.#tileList, sort);
    this.#offer(sort);
  }

  #offer(sort: string): void {
    const groups = new Map<string, Experiment[]>();
    for (const experiment of this.#sorts.get(sort) ?? []) groups.set(experiment.group, [...(groups.get(experiment.group) ?? []), experiment]);
    this.#select.replaceChildren(
      ...[...groups].map(([group, experiments]) =>
        h("optgroup", { label: () => groupName(group) }, ...experiments.map(({ id, label, byHand }) => h("option", { value: id, "data-by-hand": byHand }, label))),
      ),
    );
    this.#describe();
  }

  get #chosen(): Experiment | undefined {
    return [...this.#sorts.values()].flat().find(({ id }) => id === this.#select.value);
  }

  #describe(): void {
    const chosen = this.#chosen;
    if (!chosen) return;
    const expects = h("span", { class: "muted" }, () => wt("experiment.expects", { outcome: expectedWords(chosen.expects) }));
    this.#about.replaceChildren(h("span", { lang: chosen.isServiceText ? "en" : undefined }, chosen.about), " ", chosen.note ? h("span", {}, chosen.note) : "", " ", expects);
  }

  async #begin(): Promise<void> {
    const experiment = this.#chosen;
    if (!experiment) return;
    this.#run.abort();
    this.#run = new AbortController();
    const { signal } = this.#run;
    this.#ask.replaceChildren();
    this.#say(() => wt("experiment.running"));
    const { mark } = this.#recorder;
    let outcome: Outcome;
    try {
      outcome = { facts: await experiment.run(await this.#bench(signal)) };
    } catch (error) {
      outcome = { error };
    }
    const run = await this.#recorder.since(mark);
    if (signal.aborted) return;
    this.#ask.replaceChildren();
    const view = outcomeView(experiment, outcome, this.#trace, run);
    this.#outcome.replaceChildren(view);
    setText(this.#spoken, [...view.querySelectorAll(".verdict, [data-side=came] dd")].map(({ textContent }) => textContent).join(": "));
    if (view.getBoundingClientRect().top > innerHeight * LOW) view.scrollIntoView();
    // What a sandbox has forgotten cannot be built on.
    if (!isExpected(experiment.expects, outcome)) this.#ground.clear();
  }

  async #bench(signal: AbortSignal): Promise<Bench> {
    const [remit, sandbox] = await Promise.all([this.#kits.customer(), this.#kits.sandbox()]);
    return {
      kits: this.#kits,
      remit,
      sandbox,
      ground: this.#ground,
      trace: this.#trace,
      signal,
      card: async (opening, until, ask) => {
        let tell!: (event: EventType) => void;
        const told = new Promise<EventType>((resolve) => (tell = resolve));
        const heard = ({ type }: CardFormEvent) => until.includes(type) && tell(type);
        await this.#open({ ...opening, heard }, ask);
        return { event: await unlessAborted(told, signal) };
      },
      verified: async (opening, ask) => {
        const form = await this.#open(opening, ask);
        return (await unlessAborted(form.completed, signal)).cardId;
      },
    };
  }

  /** Opens the card form, and says what is to be done in it. */
  async #open(opening: Opening, ask: LiveText | undefined): Promise<CardForm> {
    const form = await this.#preview.open(opening);
    if (ask) {
      const go = button(() => wt("experiment.to_form"), () => this.#preview.focus(), "quiet");
      this.#ask.replaceChildren(h("p", {}, ask), go);
      this.#outcome.replaceChildren();
    }
    return form;
  }

  #say(text: LiveText): void {
    this.#outcome.replaceChildren(h("p", { class: "muted", "aria-hidden": "true" }, text));
    setText(this.#spoken, text);
  }

  async #reset(): Promise<void> {
    this.#run.abort();
    this.#ask.replaceChildren();
    const sandbox = await this.#kits.sandbox();
    try {
      await sandbox.reset();
    } catch (error) {
      this.#outcome.replaceChildren(failureView(error, this.#trace));
      return;
    }
    this.#ground.clear();
    this.#trace.action("reset");
    this.#say(() => wt("experiment.was_reset"));
    this.#preview.start();
  }
}

function groupName(group: string): string {
  return ["cards", "sessions", "clock"].includes(group) ? wt(`experiment.group.${group}` as TextKey) : group;
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  return Promise.race([work, aborted]);
}

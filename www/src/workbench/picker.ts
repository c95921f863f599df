import { triggerTable, type TriggerTable } from "../triggers";
import { button, submitButton } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field } from "../ui/field";
import type { Kits } from "./kits";
import { part } from "./page";
import type { Preview } from "./preview";
import { Runner } from "./runner";
import { cardScenarios } from "./scenarios/cards";
import { clockScenarios } from "./scenarios/clock";
import { errorScenarios } from "./scenarios/errors";
import { faultScenarios } from "./scenarios/faults";
import type { Scenario } from "./scenarios/scenario";

const FORM = "scenario-form";
/** How many lines of the list of scenarios are in sight. */
const LIST_SIZE = 5;
/** The parameters of the page's address: the scenario, and whether to run it when the page opens. */
const ADDRESS = { scenario: "scenario", run: "run" } as const;
const ABOUT =
  "Choose one and run it: the sandbox is set up for it, the call is made, and the result appears below, " +
  "with its code.";
const NO_TABLE = "This service has no table of errors to try: it is not a sandbox.";

/** The scenarios to begin with: quick, telling, and without input in the card form. */
const FIRST = {
  "fault drop after": "The answer to a transfer is lost",
  "transfer QuoteAmountChanged": "The price has changed",
  "transfer Max24HourSendAmountLimitReached": "A daily limit is reached",
  "fault status retryAfter": "Too many requests: wait and retry",
  "createRecipient InvalidRecipientName": "A field is missing",
};
const [LOST_ANSWER = ""] = Object.keys(FIRST);

/** The choice of a scenario, and its run. */
export class Picker {
  readonly element = part("scenarios", "Scenarios", [h("p.muted", ABOUT)]);
  readonly filled: Promise<void>;
  readonly #filter = h("input", { type: "search", name: "filter", autocomplete: "off", spellcheck: "false" });
  readonly #count = h("p.muted.small", { role: "status" });
  readonly #select = h("select", { name: "scenario", size: LIST_SIZE });
  readonly #about = h("p.scenario-about");
  readonly #runner: Runner;
  #scenarios: Scenario[] = [];

  constructor(kits: Kits, preview: Preview) {
    this.#runner = new Runner(kits, preview);
    on(this.#filter, { input: () => this.#showMatching() });
    on(this.#select, { change: () => this.#choose(this.#select.value) });
    this.filled = triggerTable().then((table) => {
      if (table) this.#fill(table);
      else this.element.append(h("p", NO_TABLE));
    });
  }

  #fill(table: TriggerTable): void {
    const errorsAndCards = [...errorScenarios(table), ...cardScenarios(table)];
    this.#scenarios = [...errorsAndCards, ...faultScenarios(), ...clockScenarios()];
    this.element.append(this.#form());
    this.#showMatching();
    const asked = new URLSearchParams(location.search);
    this.#select.value = asked.get(ADDRESS.scenario) ?? LOST_ANSWER;
    if (!this.#chosen) this.#select.value = LOST_ANSWER;
    this.#describe();
    if (asked.has(ADDRESS.run)) this.#runChosen();
  }

  #form(): HTMLElement {
    const start = (id: string) => {
      this.#filter.value = "";
      this.#showMatching();
      this.#choose(id);
      this.#runChosen();
    };
    const first = Object.entries(FIRST).map(([id, label]) => button(() => label, () => start(id), "quiet"));
    const hint = () => "An operation, a code or a word, such as “limit” or “card”";
    const form = h("form.stack", { id: FORM }, [
      h("div.first", { role: "group", "aria-labelledby": "first-title" }, [
        h("p", { id: "first-title" }, "Begin with one of these:"),
        h("div.row", ...first),
      ]),
      field(this.#filter, { label: () => "Find a scenario", hint }).element,
      field(this.#select, { label: () => "Scenario", bare: true }).element,
      this.#count,
      this.#about,
      h("div.row", [
        submitButton(() => "Run it", FORM),
        button(() => "Reset the sandbox", () => void this.#runner.reset(), "quiet"),
      ]),
      ...this.#runner.parts,
    ]);
    const submit = (event: Event) => {
      event.preventDefault();
      this.#runChosen();
    };
    return on(form, { submit });
  }

  /** Lists the scenarios that have every word of the filter. The chosen one stays so if it is among them. */
  #showMatching(): void {
    const words = this.#filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.#scenarios.filter(({ id, group, label }) => {
      const text = `${id} ${group} ${label}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { value } = this.#select;
    const groups = [...new Set(matching.map(({ group }) => group))].map((group) => {
      const own = matching.filter((one) => one.group === group);
      const options = own.map(({ id, label, byHand }) => {
        return h("option", { value: id, "data-by-hand": byHand }, label);
      });
      return h("optgroup", { label: group }, ...options);
    });
    this.#select.replaceChildren(...groups);
    setText(this.#count, `${matching.length} scenarios`);
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
    const { about, note = "", expects } = this.#chosen ?? {};
    const expected = h("span.muted", `Expected: ${expects}.`);
    this.#about.replaceChildren(...(about ? [`${about} ${note} `, expected] : []));
  }

  #runChosen(): void {
    if (this.#chosen) void this.#runner.run(this.#chosen);
  }
}

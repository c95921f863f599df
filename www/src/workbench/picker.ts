import { triggerTable, type TriggerTable } from "../triggers";
import { button, submitButton } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field } from "../ui/field";
import type { Kits } from "./kits";
import { part } from "./page";
import type { Preview } from "./preview";
import { runner } from "./runner";
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

/** Creates the choice of a scenario, and its run. `filled` resolves once the scenarios are there. */
export function picker(kits: Kits, preview: Preview): { element: HTMLElement; filled: Promise<void> } {
  const element = part("scenarios", "Scenarios", [h("p.muted", ABOUT)]);
  const filter = h("input", { type: "search", name: "filter", autocomplete: "off", spellcheck: "false" });
  const count = h("p.muted.small", { role: "status" });
  const select = h("select", { name: "scenario", size: LIST_SIZE });
  const about = h("p.scenario-about");
  const { parts, run, reset } = runner(kits, preview);
  let scenarios: Scenario[] = [];
  on(filter, { input: showMatching });
  on(select, { change: () => choose(select.value) });
  const filled = triggerTable().then((table) => {
    if (table) fill(table);
    else element.append(h("p", NO_TABLE));
  });
  return { element, filled };

  function fill(table: TriggerTable): void {
    const errorsAndCards = [...errorScenarios(table), ...cardScenarios(table)];
    scenarios = [...errorsAndCards, ...faultScenarios(), ...clockScenarios()];
    element.append(form());
    showMatching();
    const asked = new URLSearchParams(location.search);
    select.value = asked.get(ADDRESS.scenario) ?? LOST_ANSWER;
    if (!chosen()) select.value = LOST_ANSWER;
    describe();
    if (asked.has(ADDRESS.run)) runChosen();
  }

  function form(): HTMLElement {
    const start = (id: string) => {
      filter.value = "";
      showMatching();
      choose(id);
      runChosen();
    };
    const first = Object.entries(FIRST).map(([id, label]) => button(() => label, () => start(id), "quiet"));
    const hint = () => "An operation, a code or a word, such as “limit” or “card”";
    const resetButton = button(() => "Reset the sandbox", () => void reset(), "quiet");
    const made = h("form.stack", { id: FORM }, [
      h("div.first", { role: "group", "aria-labelledby": "first-title" }, [
        h("p", { id: "first-title" }, "Begin with one of these:"),
        h("div.row", ...first),
      ]),
      field(filter, { label: () => "Find a scenario", hint }).element,
      field(select, { label: () => "Scenario", bare: true }).element,
      count,
      about,
      h("div.row", submitButton(() => "Run it", FORM), resetButton),
      ...parts,
    ]);
    return on(made, { submit: runChosen });
  }

  /** Lists the scenarios that have every word of the filter. The chosen one stays so if it is among them. */
  function showMatching(): void {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = scenarios.filter(({ id, group, label }) => {
      const text = `${id} ${group} ${label}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { value } = select;
    const groups = [...new Set(matching.map(({ group }) => group))].map((group) => {
      const own = matching.filter((one) => one.group === group);
      const options = own.map(({ id, label, byHand }) => {
        return h("option", { value: id, "data-by-hand": byHand }, label);
      });
      return h("optgroup", { label: group }, ...options);
    });
    select.replaceChildren(...groups);
    setText(count, `${matching.length} scenarios`);
    const isKept = matching.some(({ id }) => id === value);
    choose(isKept ? value : (matching[0]?.id ?? ""), words.length > 0);
  }

  /** Chooses a scenario and keeps it in the page's address. */
  function choose(id: string, isKept = true): void {
    select.value = id;
    describe();
    if (!isKept || !chosen()) return;
    const url = new URL(location.href);
    url.searchParams.set(ADDRESS.scenario, id);
    url.searchParams.delete(ADDRESS.run);
    history.replaceState(history.state, "", url);
  }

  function chosen(): Scenario | undefined {
    return scenarios.find(({ id }) => id === select.value);
  }

  function describe(): void {
    const { about: text, note = "", expects } = chosen() ?? {};
    about.replaceChildren(...(text ? [`${text} ${note} `, h("span.muted", `Expected: ${expects}.`)] : []));
  }

  function runChosen(event?: Event): void {
    event?.preventDefault();
    const scenario = chosen();
    if (scenario) void run(scenario);
  }
}

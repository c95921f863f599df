import { triggerTable } from "../triggers";
import { button } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field } from "../ui/field";
import type { Kits } from "./kits";
import { part } from "./page";
import type { Preview } from "./preview";
import { runner } from "./runner";
import { cardScenarios } from "./scenarios/cards";
import { clockScenarios, faultScenarios } from "./scenarios/disturbed_calls";
import { errorScenarios } from "./scenarios/errors";
import type { Scenario } from "./scenarios/scenario";

/** How many lines of the list of scenarios are in sight. */
const LIST_SIZE = 5;
const ABOUT =
  "Choose one and run it: the sandbox is set up for it, the call is made, and the result appears below, " +
  "with its code.";
const NO_TABLE = "This service has no table of errors to try: it is not a sandbox.";
const HINT = "An operation, a code or a word, such as “limit” or “card”";

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
  on(select, { change: () => choose(select.value) });
  const about = h("p.scenario-about");
  const { parts, run, reset } = runner(kits, preview);
  let scenarios: Scenario[] = [];
  return { element, filled: fill() };

  async function fill(): Promise<void> {
    const table = await triggerTable();
    if (!table) return element.append(h("p", NO_TABLE));
    scenarios = [errorScenarios, cardScenarios, faultScenarios, clockScenarios].flatMap((make) => make(table));
    element.append(form());
    showMatching();
    // The page's address has the scenario, and whether to run it when the page opens.
    const asked = new URLSearchParams(location.search);
    const id = asked.get("scenario") ?? "";
    choose(scenarios.some((one) => one.id === id) ? id : LOST_ANSWER, false);
    if (asked.has("run")) runChosen();
  }

  function form(): HTMLElement {
    const first = Object.entries(FIRST).map(([id, label]) => button(() => label, () => start(id), "quiet"));
    const made = h("form.stack", { id: "scenario-form" }, [
      h("div.first.stack.tight", { role: "group", "aria-labelledby": "first-title" }, [
        h("p", { id: "first-title" }, "Begin with one of these:"),
        h("div.row", ...first),
      ]),
      field(on(filter, { input: showMatching }), { label: () => "Find a scenario", hint: () => HINT }).element,
      field(select, { label: () => "Scenario", bare: true }).element,
      count,
      about,
      h("div.row", [
        h("button.button.primary", { type: "submit" }, "Run it"),
        button(() => "Reset the sandbox", () => void reset(), "quiet"),
      ]),
      ...parts,
    ]);
    return on(made, { submit: runChosen });
  }

  function start(id: string): void {
    filter.value = "";
    showMatching();
    choose(id);
    runChosen();
  }

  /** Lists the scenarios that have every word of the filter. The chosen one stays so if it is among them. */
  function showMatching(): void {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = scenarios.filter(({ id, group, label }) => {
      const text = `${id} ${group} ${label}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { value } = select;
    const groups = Object.entries(Object.groupBy(matching, ({ group }) => group)).map(([label, own = []]) => {
      const options = own.map(({ id, label, byHand }) =>
        h("option", { value: id, "data-by-hand": byHand }, label),
      );
      return h("optgroup", { label }, ...options);
    });
    select.replaceChildren(...groups);
    setText(count, `${matching.length} scenarios`);
    const isKept = matching.some(({ id }) => id === value);
    choose(isKept ? value : (matching[0]?.id ?? ""), words.length > 0);
  }

  /** Chooses a scenario and keeps it in the page's address. */
  function choose(id: string, isKept = true): void {
    select.value = id;
    const scenario = chosen();
    const { about: text, note = "", expects } = scenario ?? {};
    about.replaceChildren(...(text ? [`${text} ${note} `, h("span.muted", `Expected: ${expects}.`)] : []));
    if (!isKept || !scenario) return;
    const url = new URL(location.href);
    url.searchParams.set("scenario", id);
    url.searchParams.delete("run");
    history.replaceState(history.state, "", url);
  }

  function chosen(): Scenario | undefined {
    return scenarios.find(({ id }) => id === select.value);
  }

  function runChosen(event?: Event): void {
    event?.preventDefault();
    const scenario = chosen();
    if (scenario) void run(scenario);
  }
}

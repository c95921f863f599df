import { isRemitError, type TransferAttempt } from "remitkit";
import { explain } from "../errors";
import { lookUp, t } from "../messages";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { isExpected, type Expectation, type Experiment, type Outcome } from "./experiments/experiment";
import { transferFacts } from "./experiments/ground";
import { wt } from "./texts";
import type { Run } from "./recorder";
import { runView } from "./run_view";
import type { Trace } from "./trace";

/** What is to come, in a word. */
export function expectedWords(expects: Expectation): string {
  return "code" in expects ? expects.code : "event" in expects ? expects.event : wt("outcome.done");
}

/** What came, in a word. */
function cameWords(outcome: Outcome): string {
  if ("error" in outcome) return isRemitError(outcome.error) ? outcome.error.code : outcome.error instanceof Error ? outcome.error.name : typeof outcome.error;
  const { event, "service.code": code } = outcome.facts;
  return String(event ?? code ?? wt("outcome.done"));
}

/** How an experiment ended, and whether that is what was to come. */
export function outcomeView(experiment: Experiment, outcome: Outcome, trace: Trace, run: Run): HTMLElement {
  const expected = isExpected(experiment.expects, outcome);
  const verdict = h("p", { class: "verdict" }, () => wt(expected ? "outcome.expected" : "outcome.other"));
  const compared = h(
    "dl",
    { class: "compared" },
    h("div", { "data-side": "expected" }, h("dt", {}, () => wt("outcome.to_come")), h("dd", {}, h("code", {}, () => expectedWords(experiment.expects)))),
    h("div", { "data-side": "came" }, h("dt", {}, () => wt("outcome.came")), h("dd", {}, h("code", {}, () => cameWords(outcome)))),
  );
  const shown = "error" in outcome ? failureView(outcome.error, trace) : factsView(outcome.facts);
  return h("div", { class: "outcome-view", "data-expected": expected, "data-experiment": experiment.id }, verdict, compared, shown, runView(experiment, outcome, run));
}

/** An error with all that a page branches on, and what the shop would tell its customer. */
export function failureView(error: unknown, trace: Trace): HTMLElement {
  const { title, text, advice } = explain(error);
  const words = h("p", { class: "customer-words" }, title, ". ", text, " ", advice);
  if (!isRemitError(error)) return words;
  const problems = (error.problems ?? []).map(({ fieldId, code }) => `${fieldId}: ${code}`).join(", ");
  const facts = factsView({ ...error.toJSON(), name: undefined, problems: problems || undefined });
  const view = h("div", { class: "stack" }, facts, h("p", { class: "muted" }, () => wt("outcome.customer")), words);
  if (error.attempt) view.append(wayOn(error.attempt, trace));
  return view;
}

/** Asks what became of a transfer whose outcome is open: the one thing to do with it. */
function wayOn(attempt: TransferAttempt, trace: Trace): HTMLElement {
  const place = h("div", { class: "tool-buttons", role: "status" });
  const resume = async () => {
    const asked = trace.call("attempt.resume", undefined, attempt.resume());
    place.replaceChildren(await asked.then((transfer) => factsView(transferFacts(transfer)), (error: unknown) => failureView(error, trace)));
  };
  place.append(button(() => t("unsettled.ask"), () => void resume(), "quiet"));
  return place;
}

function factsView(facts: Record<string, unknown>): HTMLElement {
  const rows = Object.entries(facts).filter(([, value]) => value !== undefined);
  return h("dl", { class: "facts-list" }, ...rows.map(([name, value]) => row(name, String(value))));
}

function row(name: string, value: string): HTMLElement {
  const words = () => lookUp(`event.${value}`);
  return h("div", { "data-fact": name }, h("dt", {}, h("code", {}, name)), h("dd", {}, () => (words() ? `${value}: ${words()}` : value)));
}

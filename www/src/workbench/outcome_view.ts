import { isRemitError, type RemitError, type TransferAttempt } from "remitkit";
import { explain } from "../errors";
import { lookUp, t } from "../messages";
import { wt } from "../messages/workbench";
import { button } from "../ui/button";
import { h, type LiveText } from "../ui/dom";
import { CodeBlock } from "./code_block";
import { CodeTabs } from "./code_tabs";
import type { Run } from "./recorder";
import { callCode, catchCode, curlCode, eventCode, exchangeText } from "./run_code";
import { sequence } from "./sequence";
import { transferFacts } from "./scenarios/fixtures";
import { DONE, isExpected, resultOf, type Facts, type Outcome, type Scenario } from "./scenarios/scenario";
import type { Trace } from "./trace";

/** Enough for every retry and what prepares it. */
const MAX_EXCHANGES = 6;

/** Returns the text of an expected or actual result. */
export function resultText(result: string): string {
  return result === DONE ? wt("outcome.done") : result;
}

/** Creates the view of a run: its result beside the expected one, its facts, and its code. */
export function outcomeView(scenario: Scenario, outcome: Outcome, trace: Trace, run: Run): HTMLElement {
  const expected = isExpected(scenario.expects, outcome);
  const side = (name: string, label: LiveText, text: LiveText) =>
    h("div", { "data-side": name }, h("dt", label), h("dd", h("code", text)));
  return h("div.outcome-view", { "data-expected": expected, "data-scenario": scenario.id }, [
    h("p.verdict", () => wt(expected ? "outcome.expected" : "outcome.other")),
    h("dl.compared.facts-list", [
      side("expected", () => wt("outcome.to_come"), () => resultText(scenario.expects)),
      side("result", () => wt("outcome.came"), () => resultText(resultOf(outcome))),
    ]),
    run.exchanges.length > 0 && sequence(run.exchanges, "facts" in outcome ? outcome.facts : {}),
    "error" in outcome ? errorView(outcome.error, trace) : factsView(outcome.facts),
    runView(scenario, outcome, run),
  ]);
}

/** Creates the view of an error: what a page branches on, and what the shop would tell its customer. */
export function errorView(error: unknown, trace: Trace): HTMLElement {
  const { title, text, advice } = explain(error);
  const words = h("p.customer-words", () => `${title()}. ${text()} ${advice?.() ?? ""}`);
  if (!isRemitError(error)) return words;
  const problems = (error.problems ?? []).map(({ fieldId, code }) => `${fieldId}: ${code}`).join(", ");
  const facts = factsView({ ...error.toJSON(), name: undefined, problems: problems || undefined });
  const heading = h("p.muted", () => wt("outcome.customer"));
  const view = h("div.stack", facts, heading, words);
  if (error.attempt) view.append(resumeButton(error.attempt, trace));
  return view;
}

function resumeButton(attempt: TransferAttempt, trace: Trace): HTMLElement {
  const place = h("div.tool-buttons", { role: "status" });
  const resume = async () => {
    const view = await trace.call("attempt.resume", undefined, attempt.resume()).then(
      (transfer) => factsView(transferFacts(transfer)),
      (error: unknown) => errorView(error, trace),
    );
    place.replaceChildren(view);
  };
  place.append(button(() => t("unsettled.ask"), () => void resume(), "quiet"));
  return place;
}

function factsView(facts: Record<string, unknown>): HTMLElement {
  const rows = Object.entries(facts).filter(([, value]) => value !== undefined);
  const items = rows.map(([name, value]) => {
    const about = () => lookUp(`event.${String(value)}`);
    const text = () => (about() ? `${String(value)}: ${about()}` : String(value));
    return h("div", { "data-fact": name }, h("dt", h("code", name)), h("dd", text));
  });
  return h("dl.facts-list", ...items);
}

/** Creates the code of a run: the call, the handler of its outcome, its requests, and where to read on. */
function runView(scenario: Scenario, outcome: Outcome, run: Run): HTMLElement {
  const shown = new Set(scenario.shows);
  const call = run.call && callCode(run.call, shown);
  const exchanges = run.exchanges.slice(-MAX_EXCHANGES);
  const wire = exchanges.map((exchange) => exchangeText(exchange, shown)).join("\n\n");
  // What a call reads before or after it changes something serves the change.
  const main = exchanges.findLast(({ method }) => method !== "GET") ?? exchanges.at(-1);
  const nothing = h("p.muted", () => wt("run.nothing"));
  const handler = call && handlerCode(outcome, call.line);
  const part = (name: string, title: LiveText, code: string, isFolded = false) =>
    h("div", { "data-part": name }, new CodeBlock(title, code, { isFolded }).element);
  return h("div.run.stack", [
    call && h("div", { "data-part": "call" }, new CodeTabs(() => wt("run.call"), call.codes).element),
    handler ? part("catch", () => wt("run.catch"), handler) : nothing,
    wire && part("wire", () => wt("run.wire", { count: exchanges.length }), wire, true),
    main && part("curl", () => wt("run.curl"), curlCode(main, shown), true),
    h("p.run-docs", () => wt("run.docs"), " ", docsLink(outcome)),
  ]);
}

/** Returns the code that handles an outcome; undefined if there is nothing to handle. */
function handlerCode(outcome: Outcome, line: string): string | undefined {
  if ("error" in outcome) {
    const error = remitError(outcome);
    return error && catchCode(line, error);
  }
  const { event, "sdk.kind": kind, "sdk.resolution": resolution } = outcome.facts;
  if (typeof event === "string") return eventCode(event);
  if (typeof kind !== "string") return undefined;
  return catchCode(line, { kind, resolution: String(resolution ?? "") });
}

function remitError({ error }: { error: unknown }): RemitError | undefined {
  return isRemitError(error) ? error : undefined;
}

/** Links to the documentation of an outcome: of its error code, else of its topic in the README. */
function docsLink(outcome: Outcome): HTMLElement {
  const facts: Facts = "facts" in outcome ? outcome.facts : {};
  const code = "error" in outcome ? remitError(outcome)?.code : facts["service.code"];
  const topic = facts["event"]
    ? "Card form events"
    : "recorded" in facts
      ? "A transfer happens once"
      : "From a quote to a transfer";
  const id = String(code ?? topic).toLowerCase().replaceAll(" ", "-");
  const href = `./docs/${code ? "errors.html" : ""}#${id}`;
  return h("a", { href, lang: "en" }, String(code ?? topic));
}

import { isRemitError, type TransferAttempt } from "remitkit";
import { explain } from "../errors";
import { lookUp, t } from "../messages";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { codeBlock, type Codes } from "./code_block";
import type { Run } from "./recorder";
import { callCode, catchCode, curlCode, eventCode, exchangeText } from "./run_code";
import { sequence } from "./sequence";
import { transferFacts } from "./scenarios/fixtures";
import { isExpected, resultOf, type Facts, type Outcome, type Scenario } from "./scenarios/scenario";
import type { Trace } from "./trace";

/** Enough for every retry and what prepares it. */
const MAX_EXCHANGES = 6;

/** Creates the view of a run: its result beside the expected one, its facts, and its code. */
export function outcomeView(scenario: Scenario, outcome: Outcome, trace: Trace, run: Run): HTMLElement {
  const { id, expects } = scenario;
  const expected = isExpected(expects, outcome);
  const side = (name: string, label: string, text: string) =>
    h("div", { "data-side": name }, h("dt", label), h("dd", h("code", text)));
  return h("div.outcome-view", { "data-expected": expected, "data-scenario": id }, [
    h("p.verdict", expected ? "As expected" : "Not as expected"),
    h("dl.compared.facts-list", [
      side("expected", "Expected", expects),
      side("result", "Result", resultOf(outcome)),
    ]),
    run.exchanges.length > 0 && sequence(run.exchanges, "facts" in outcome ? outcome.facts : {}),
    "error" in outcome ? errorView(outcome.error, trace) : factsView(outcome.facts),
    runView(scenario, outcome, run),
  ]);
}

/** Creates the view of an error: what a page branches on, and what the shop would tell its customer. */
export function errorView(error: unknown, trace: Trace): HTMLElement {
  const { title, text, advice } = explain(error);
  const words = h("p.customer-words", `${title()}. ${text()} ${advice?.() ?? ""}`);
  if (!isRemitError(error)) return words;
  const problems = (error.problems ?? []).map(({ fieldId, code }) => `${fieldId}: ${code}`).join(", ");
  return h("div.stack", [
    factsView({ ...error.toJSON(), name: undefined, problems: problems || undefined }),
    h("p.muted", "In the shop’s words for the customer:"),
    words,
    error.attempt && resumeButton(error.attempt, trace),
  ]);
}

function resumeButton(attempt: TransferAttempt, trace: Trace): HTMLElement {
  const place = h("div.row", { role: "status" });
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
    const about = lookUp(`event.${String(value)}`);
    const text = about ? `${String(value)}: ${about}` : String(value);
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
  const handler = call && handlerCode(outcome, call.line);
  const part = (name: string, title: string, code: string | Codes, isFolded = false) => {
    const block = codeBlock(title, typeof code === "string" ? { [title]: code } : code, isFolded);
    return h("div", { "data-part": name }, block.element);
  };
  return h("div.run.stack", [
    call && part("call", "The call", call.codes),
    handler
      ? part("catch", "The code that handles it", handler)
      : h("p.muted", "Nothing to handle: the SDK settled it by itself."),
    main && part("wire", `Requests and replies, redacted (${exchanges.length})`, wire, true),
    main && part("curl", "The request with curl", curlCode(main, shown), true),
    h("p.run-docs", "In the documentation: ", docsLink(outcome)),
  ]);
}

/** Returns the code that handles an outcome; undefined if there is nothing to handle. */
function handlerCode(outcome: Outcome, line: string): string | undefined {
  if ("error" in outcome) {
    const { error } = outcome;
    return isRemitError(error) ? catchCode(line, error.kind, error.resolution) : undefined;
  }
  const { event, "sdk.kind": kind, "sdk.resolution": resolution } = outcome.facts;
  if (event) return eventCode(String(event));
  return kind ? catchCode(line, String(kind), String(resolution)) : undefined;
}

/** Links to the documentation of an outcome: of its error code, else of its topic in the README. */
function docsLink(outcome: Outcome): HTMLElement {
  const facts: Facts = "facts" in outcome ? outcome.facts : {};
  const error = "error" in outcome && isRemitError(outcome.error) ? outcome.error : undefined;
  const code = error?.code ?? facts["service.code"];
  const topic = "recorded" in facts ? "A transfer happens once" : "From a quote to a transfer";
  const text = String(code ?? (facts["event"] ? "Card form events" : topic));
  const id = text.toLowerCase().replaceAll(" ", "-");
  return h("a", { href: `./docs/${code ? "errors.html" : ""}#${id}` }, text);
}

import { isRemitError, type TransferAttempt } from "remitkit";
import { explain } from "../errors";
import { t } from "../messages";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { codeBlock, type Codes } from "./code_block";
import type { Run } from "./recorder";
import { callCode, catchCode, curlCode, EVENT_CODE, exchangeText } from "./run_code";
import { sequence } from "./sequence";
import { transferFacts } from "./scenarios/fixtures";
import { isExpected, resultOf, type Outcome, type Scenario } from "./scenarios/scenario";
import type { Trace } from "./trace";

/** Enough for every retry and what prepares it. */
const MAX_EXCHANGES = 6;

/** Creates the view of a run: its result beside the expected one, its facts, and its code. */
export function outcomeView(scenario: Scenario, outcome: Outcome, trace: Trace, run: Run): HTMLElement {
  const { id, expects } = scenario;
  const { facts, error } = outcome;
  const expected = isExpected(expects, outcome);
  const row = (label: string, text: string) => h("div.line", h("dt", label), h("dd", h("code", text)));
  return h("div.outcome-view.stack", { "data-expected": expected, "data-scenario": id }, [
    h("p.verdict", expected ? "As expected" : "Not as expected"),
    h("dl.compared.facts-list", row("Expected", expects), row("Result", resultOf(outcome))),
    run.exchanges.length > 0 && sequence(run.exchanges, facts),
    error ? errorView(error, trace) : factsView(facts),
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
    error.attempt && resumption(error.attempt, trace),
  ]);
}

function resumption(attempt: TransferAttempt, trace: Trace): HTMLElement {
  const place = h("div.row", { role: "status" });
  const resume = async () => {
    const resumed = trace.call("attempt.resume", attempt.resume()).then(transferFacts).then(factsView);
    place.replaceChildren(await resumed.catch((error: unknown) => errorView(error, trace)));
  };
  place.append(button(() => t("unsettled.ask"), () => void resume(), "quiet"));
  return place;
}

function factsView(facts: Record<string, unknown>): HTMLElement {
  const rows = Object.entries(facts).filter(([, value]) => value !== undefined);
  const items = rows.map(([name, value]) =>
    h("div.line", { "data-fact": name }, h("dt", h("code", name)), h("dd", String(value))),
  );
  return h("dl.facts-list", ...items);
}

/** Creates the code of a run: the call, the handler of its outcome, its requests, and where to read on. */
function runView({ shows }: Scenario, outcome: Outcome, run: Run): HTMLElement {
  const shown = new Set(shows);
  const call = run.call && callCode(run.call, shown);
  const handler = call && handlerCode(outcome, call.line);
  const exchanges = run.exchanges.slice(-MAX_EXCHANGES);
  const wire = exchanges.map((exchange) => exchangeText(exchange, shown)).join("\n\n");
  // What a call reads before or after it changes something serves the change.
  const main = exchanges.findLast(({ method }) => method !== "GET") ?? exchanges.at(-1);
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
function handlerCode({ facts, error }: Outcome, line: string): string | undefined {
  if (facts["event"]) return EVENT_CODE[String(facts["event"])];
  const { kind, resolution } = isRemitError(error)
    ? error
    : { kind: facts["sdk.kind"], resolution: facts["sdk.resolution"] };
  return kind ? catchCode(line, String(kind), String(resolution)) : undefined;
}

/** Links to the documentation of an outcome: of its error code, else of its topic in the README. */
function docsLink({ facts, error }: Outcome): HTMLElement {
  const code = isRemitError(error) ? error.code : facts["service.code"];
  const topic = "recorded" in facts ? "A transfer happens once" : "From a quote to a transfer";
  const text = String(code ?? (facts["event"] ? "Card form events" : topic));
  const id = text.toLowerCase().replaceAll(" ", "-");
  return h("a", { href: `./docs/${code ? "errors.html" : ""}#${id}` }, text);
}

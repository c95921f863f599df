import { isRemitError, type ErrorKind, type RemitError, type TransferAttempt } from "remitkit";
import { explain } from "../errors";
import { lookUp, t } from "../messages";
import { wt } from "../messages/workbench";
import { button } from "../ui/button";
import { h, type LiveText } from "../ui/dom";
import { CodeBlock } from "./code_block";
import type { Exchange, Run } from "./recorder";
import { callCode, catchCode, curlCode, eventCode, exchangeText } from "./run_code";
import { transferFacts } from "./scenarios/fixtures";
import { isExpected, type Expectation, type Outcome, type Scenario } from "./scenarios/scenario";
import type { Trace } from "./trace";

/** Enough for every retry and what prepares it. */
const MAX_EXCHANGES = 6;

export function expectedText(expects: Expectation): string {
  return "code" in expects ? expects.code : "event" in expects ? expects.event : wt("outcome.done");
}

function resultText(outcome: Outcome): string {
  if ("facts" in outcome) {
    const { event, "service.code": code } = outcome.facts;
    return String(event ?? code ?? wt("outcome.done"));
  }
  const { error } = outcome;
  return isRemitError(error) ? error.code : error instanceof Error ? error.name : typeof error;
}

/** Creates the view of a run: its result beside the expected one, its facts, and its code. */
export function outcomeView(scenario: Scenario, outcome: Outcome, trace: Trace, run: Run): HTMLElement {
  const expected = isExpected(scenario.expects, outcome);
  const side = (name: string, label: LiveText, text: LiveText) =>
    h("div", { "data-side": name }, h("dt", label), h("dd", h("code", text)));
  return h("div.outcome-view", { "data-expected": expected, "data-scenario": scenario.id }, [
    h("p.verdict", () => wt(expected ? "outcome.expected" : "outcome.other")),
    h("dl.compared", [
      side("expected", () => wt("outcome.to_come"), () => expectedText(scenario.expects)),
      side("result", () => wt("outcome.came"), () => resultText(outcome)),
    ]),
    "error" in outcome ? errorView(outcome.error, trace) : factsView(outcome.facts),
    runView(scenario, outcome, run),
  ]);
}

/** Creates the view of an error: what a page branches on, and what the shop would tell its customer. */
export function errorView(error: unknown, trace: Trace): HTMLElement {
  const { title, text, advice } = explain(error);
  const words = h("p.customer-words", title, ". ", text, " ", advice);
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
  const call = callCode(run, shown);
  const exchanges = run.exchanges.slice(-MAX_EXCHANGES);
  const wire = exchanges.map((exchange) => exchangeText(exchange, shown)).join("\n\n");
  const decisive = decisiveExchange(exchanges, outcome);
  const nothing = h("p.muted", () => wt("run.nothing"));
  const handler = call && handlerCode(outcome, call.line);
  const part = (name: string, title: LiveText, code: string, isFolded = false) =>
    h("div", { "data-part": name }, new CodeBlock(title, code, isFolded).element);
  const links = docsLinks(scenario, outcome).flatMap((link) => [" ", link]);
  return h("div.run.stack", [
    call && part("call", () => wt("run.call"), call.code),
    call?.before && part("before", () => wt("run.before"), call.before, true),
    handler ? part("catch", () => wt("run.catch"), handler) : nothing,
    wire && part("wire", () => wt("run.wire", { count: exchanges.length }), wire, true),
    decisive && part("curl", () => wt("run.curl"), curlCode(decisive, shown), true),
    h("p.run-docs", () => wt("run.docs"), ...links),
  ]);
}

/** Returns the request that was refused, else the last that changes something, else the last. */
function decisiveExchange(exchanges: readonly Exchange[], outcome: Outcome): Exchange | undefined {
  const refused = "error" in outcome ? remitError(outcome)?.httpStatus : outcome.facts["service.httpStatus"];
  const isDecisive = ({ method, status }: Exchange) => (refused ? status === refused : method !== "GET");
  return exchanges.findLast(isDecisive) ?? exchanges.at(-1);
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

const TOPICS: Partial<Record<ErrorKind, string>> = {
  authentication: "Token",
  card: "Card form events",
  frame: "Card form events",
  quote: "When the price changes",
  outcome_unknown: "A transfer happens once",
  conflict: "A transfer happens once",
  unavailable: "What is tried again",
  timeout: "What is tried again",
};

/** Links to the documentation of an outcome: its error code, and its topic in the README. */
function docsLinks(scenario: Scenario, outcome: Outcome): HTMLElement[] {
  const error = "error" in outcome && isRemitError(outcome.error) ? outcome.error : undefined;
  const code = "facts" in outcome ? outcome.facts["service.code"] : error?.code;
  const kindTopic = error && TOPICS[error.kind];
  const topic = link("facts" in outcome ? topicOf(scenario, outcome.facts) : (kindTopic ?? "Errors"));
  return code ? [link(String(code), "docs-errors-"), topic] : [topic];
}

function topicOf({ id }: Scenario, facts: object): string {
  if ("event" in facts) return "Card form events";
  if ("recorded" in facts || id.includes("Duplicated")) return "A transfer happens once";
  if ("service.code" in facts) return "Errors";
  if (id === "clock token") return "Token";
  return id.startsWith("fault") ? "What is tried again" : "From a quote to a transfer";
}

function link(title: string, prefix = ""): HTMLElement {
  const id = prefix + title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return h("a", { href: `./docs.html#${id}`, lang: "en" }, title);
}

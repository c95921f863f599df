import { isRemitError } from "remitkit";
import { h, type LiveText } from "../ui/dom";
import { CodeBlock } from "./code_block";
import { docsOf } from "./docs_links";
import type { Experiment, Outcome } from "./experiments/experiment";
import type { Exchange, Run } from "./recorder";
import { callCode, catchCode, curlCode, eventCode, exchangeText } from "./run_code";
import { wt } from "./texts";

// As often as anything is tried, and what leads to it.
const MOST_EXCHANGES = 6;

/** Returns a run for developers: the call, its outcome's handler, the traffic, where to read on. */
export function runView(experiment: Experiment, outcome: Outcome, run: Run): HTMLElement {
  const shown = new Set(experiment.shows);
  const call = callCode(run, shown);
  const exchanges = run.exchanges.slice(-MOST_EXCHANGES);
  const decisive = decisiveOf(exchanges, outcome);
  const handled = call && handling(outcome, call.line);
  return h(
    "div",
    { class: "run stack" },
    call && part("call", () => wt("run.call"), call.code),
    call?.before && part("before", () => wt("run.before"), call.before, true),
    handled === undefined ? h("p", { class: "muted" }, () => wt("run.nothing")) : part("catch", () => wt("run.catch"), handled),
    exchanges.length > 0 && part("wire", () => wt("run.wire", { count: exchanges.length }), exchanges.map((one) => exchangeText(one, shown)).join("\n\n"), true),
    decisive && part("curl", () => wt("run.curl"), curlCode(decisive, shown), true),
    h("p", { class: "run-docs" }, () => wt("run.docs"), ...docsOf(experiment, outcome).flatMap(({ href, title }) => [" ", h("a", { href, lang: "en" }, title)])),
  );
}

function part(name: string, title: LiveText, code: string, isFolded = false): HTMLElement {
  return h("div", { "data-part": name }, new CodeBlock(title, code, { isFolded }).element);
}

/** The request that was refused so, else the one that changes something, else the last. */
function decisiveOf(exchanges: readonly Exchange[], outcome: Outcome): Exchange | undefined {
  const refused = "error" in outcome ? isRemitError(outcome.error) && outcome.error.httpStatus : outcome.facts["service.httpStatus"];
  const found = exchanges.filter(({ method, status }) => (refused ? status === refused : method !== "GET"));
  return found.at(-1) ?? exchanges.at(-1);
}

/** Code for what came; nothing where nothing has to be handled. */
function handling(outcome: Outcome, line: string): string | undefined {
  if ("error" in outcome) return isRemitError(outcome.error) ? catchCode(line, outcome.error) : undefined;
  const { event, "sdk.kind": kind, "sdk.resolution": resolution } = outcome.facts;
  if (typeof event === "string") return eventCode(event);
  return typeof kind === "string" ? catchCode(line, { kind, resolution: String(resolution ?? "") }) : undefined;
}

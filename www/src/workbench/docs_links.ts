import { isRemitError, type ErrorKind } from "remitkit";
import type { Outcome, Scenario } from "./scenarios/scenario";

export interface DocsLink {
  href: string;
  title: string;
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

/** Returns where to read on about an outcome: its error code, and its topic in the README. */
export function docsLinks(scenario: Scenario, outcome: Outcome): DocsLink[] {
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

function link(title: string, prefix = ""): DocsLink {
  return { href: `./docs.html#${prefix}${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`, title };
}

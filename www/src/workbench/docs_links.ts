import { isRemitError, type ErrorKind } from "remitkit";
import type { Experiment, Outcome } from "./experiments/experiment";

/** A heading of the package's documentation, which `docs.html` shows. */
export interface DocsLink {
  href: string;
  title: string;
}

const BY_KIND: Partial<Record<ErrorKind, string>> = {
  authentication: "Token",
  card: "Card form events",
  frame: "Card form events",
  quote: "When the price changes",
  outcome_unknown: "A transfer happens once",
  conflict: "A transfer happens once",
  unavailable: "What is tried again",
  timeout: "What is tried again",
};

/** Where to read on about an outcome: what its code means, and what the README says of its sort. */
export function docsOf(experiment: Experiment, outcome: Outcome): DocsLink[] {
  const code = "error" in outcome ? isRemitError(outcome.error) && outcome.error.code : outcome.facts["service.code"];
  const topic = link(topicOf(experiment, outcome));
  return code ? [link(String(code), "docs-errors-"), topic] : [topic];
}

function topicOf({ id }: Experiment, outcome: Outcome): string {
  if ("error" in outcome) return (isRemitError(outcome.error) && BY_KIND[outcome.error.kind]) || "Errors";
  const { facts } = outcome;
  if ("event" in facts) return "Card form events";
  if ("recorded" in facts || id.includes("Duplicated")) return "A transfer happens once";
  if ("service.code" in facts) return "Errors";
  return id === "clock token" ? "Token" : id.startsWith("fault") ? "What is tried again" : "From a quote to a transfer";
}

function link(title: string, file = ""): DocsLink {
  return { href: `./docs.html#${file}${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`, title };
}

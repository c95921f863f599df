import { isRemitError, type ErrorKind } from "remitkit";
import type { Experiment, Outcome } from "./experiments/experiment";

/** A heading of the package's README, which `docs.html` shows. */
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

/** Where to read on about an outcome. */
export function docsOf({ id }: Experiment, outcome: Outcome): DocsLink {
  if ("error" in outcome) return link((isRemitError(outcome.error) && BY_KIND[outcome.error.kind]) || "Errors");
  const { facts } = outcome;
  if ("event" in facts) return link("Card form events");
  if ("service.code" in facts) return link("recorded" in facts || id.includes("Duplicated") ? "A transfer happens once" : "Errors");
  if ("recorded" in facts) return link("A transfer happens once");
  return link(id === "clock token" ? "Token" : id.startsWith("fault") ? "What is tried again" : "From a quote to a transfer");
}

function link(title: string): DocsLink {
  return { href: `./docs.html#${title.toLowerCase().replace(/[^a-z]+/g, "-")}`, title };
}

import { h } from "../ui/dom";
import type { Exchange } from "./recorder";
import { UUID } from "./redact";
import type { Facts } from "./scenarios/scenario";

/** An arrow between page and service, or what happened at one of them. */
type Move = [side: "request" | "reply" | "service", text: string, tone?: "good" | "bad"];

/** How many exchanges are drawn where no transfer is posted. */
const MAX_EXCHANGES = 6;
// Where a connection ends, a browser may repeat a POST by itself, and shows only the second reply.
const REPEATED = "The reply is lost, and the browser repeats the POST";

/** Draws what went between page and service, and what the service knew: the rows of a sequence diagram. */
export function sequence(all: readonly Exchange[], { recorded }: Facts): HTMLElement {
  const start = all.findIndex(isTransferPost);
  const exchanges = start < 0 ? all.slice(-MAX_EXCHANGES) : all.slice(start);
  const posts = exchanges.filter(isTransferPost);
  const isAnswered = posts.some((post) => post.status < 300 && hasAnswer(post));
  const lost = posts.findLast((post) => !hasAnswer(post)) ?? posts.at(-1);
  const making = recorded === 1 && !isAnswered ? lost : undefined;
  const moves = exchanges.flatMap((exchange): Move[] => {
    const { method, url } = exchange;
    const request: Move = ["request", `${method} ${new URL(url).pathname.replace(UUID, "…")}`];
    if (exchange !== making) return [request, replyOf(exchange)];
    const repeated: Move[] = hasAnswer(exchange) ? [["reply", REPEATED, "bad"]] : [];
    return [request, ["service", "The transfer is made", "good"], ...repeated, replyOf(exchange)];
  });
  if (recorded === 1) moves.push(["service", "One transfer", "good"]);
  else if (recorded !== undefined) moves.push(["service", `${recorded} transfers`, "bad"]);
  const rows = moves.map(([side, text, tone]) => {
    return h("li", { "data-side": side, "data-tone": tone }, h("span", text));
  });
  return h("div.sequence", [
    h("div.lanes", { "aria-hidden": "true" }, h("span", "Page"), h("span", "Service")),
    h("ol", { "aria-label": "What went between page and service" }, ...rows),
  ]);
}

function replyOf(exchange: Exchange): Move {
  const { status } = exchange;
  if (!status) return ["reply", "The reply is lost", "bad"];
  if (isUnreadable(exchange)) return ["reply", `${status}, but the reply breaks off`, "bad"];
  return ["reply", String(status), status >= 400 ? "bad" : "good"];
}

/** Whether the page learned from the reply what has happened. */
function hasAnswer(exchange: Exchange): boolean {
  return exchange.status > 0 && exchange.status < 500 && !isUnreadable(exchange);
}

function isUnreadable({ reply }: Exchange): boolean {
  return typeof reply === "string" && reply.startsWith("<");
}

function isTransferPost({ method, url }: Exchange): boolean {
  return method === "POST" && new URL(url).pathname.endsWith("/v1/transfers");
}

import { wt } from "../messages/workbench";
import { h } from "../ui/dom";
import type { Exchange } from "./recorder";
import { UUID } from "./redact";
import type { Facts } from "./scenarios/scenario";

type Tone = "good" | "bad" | "plain";

/** An arrow between page and service, or what happened at one of them. */
interface Move {
  side: "request" | "reply" | "service";
  text: string;
  tone: Tone;
}

/** How many exchanges are drawn where no transfer is posted. */
const MAX_EXCHANGES = 6;

/** Draws what went between page and service, and what the service knew: the rows of a sequence diagram. */
export function sequence(all: readonly Exchange[], { recorded }: Facts): HTMLElement {
  const start = all.findIndex(isTransferPost);
  const exchanges = start < 0 ? all.slice(-MAX_EXCHANGES) : all.slice(start);
  const posts = exchanges.filter(isTransferPost);
  const isAnswered = posts.some((post) => post.status < 300 && hasAnswer(post));
  const lost = posts.findLast((post) => !hasAnswer(post)) ?? posts.at(-1);
  const making = recorded === 1 && !isAnswered ? lost : undefined;
  const moves = exchanges.flatMap((exchange) => {
    if (exchange !== making) return [requestOf(exchange), replyOf(exchange)];
    const made: Move = { side: "service", text: wt("sequence.made"), tone: "good" };
    // Where a connection ends, a browser may repeat a POST by itself, and shows only the second reply.
    const repeated: Move = { side: "reply", text: wt("sequence.repeated"), tone: "bad" };
    return [requestOf(exchange), made, ...(hasAnswer(exchange) ? [repeated] : []), replyOf(exchange)];
  });
  if (typeof recorded === "number") {
    const text = wt(recorded === 1 ? "sequence.one" : "sequence.recorded", { count: recorded });
    moves.push({ side: "service", text, tone: recorded === 1 ? "good" : "bad" });
  }
  const rows = moves.map(({ side, text, tone }) =>
    h("li", { "data-side": side, "data-tone": tone }, h("span", text)),
  );
  const lanes = [h("span", wt("sequence.page")), h("span", wt("sequence.service"))];
  return h("div.sequence", [
    h("div.lanes", { "aria-hidden": "true" }, ...lanes),
    h("ol", { "aria-label": wt("sequence.label") }, ...rows),
  ]);
}

function requestOf({ method, url }: Exchange): Move {
  return { side: "request", text: `${method} ${new URL(url).pathname.replace(UUID, "…")}`, tone: "plain" };
}

function replyOf(exchange: Exchange): Move {
  const { status } = exchange;
  if (!status) return { side: "reply", text: wt("sequence.lost"), tone: "bad" };
  if (isUnreadable(exchange)) return { side: "reply", text: wt("sequence.broken", { status }), tone: "bad" };
  return { side: "reply", text: String(status), tone: status >= 400 ? "bad" : "good" };
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

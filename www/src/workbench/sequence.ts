import { h } from "../ui/dom";
import type { Exchange } from "./recorder";
import { UUID } from "./redact";
import type { Facts } from "./scenarios/scenario";

/** How many exchanges are drawn where no transfer is posted. */
const MAX_EXCHANGES = 6;
// Where a connection ends, a browser may repeat a POST by itself, and shows only the second reply.
const REPEATED = "The reply is lost, and the browser repeats the POST";

/** Draws what went between page and service, and what the service knew: the rows of a sequence diagram. */
export function sequence(all: readonly Exchange[], { recorded }: Facts): HTMLElement {
  const rows = h("ol", { "aria-label": "What went between page and service" });
  const add = (side: "request" | "reply" | "service", text: string, isBad = false) =>
    rows.append(h("li", { "data-side": side, "data-tone": isBad && "bad" }, h("span", text)));
  const start = all.findIndex(isTransferPost);
  const exchanges = start < 0 ? all.slice(-MAX_EXCHANGES) : all.slice(start);
  const posts = exchanges.filter(isTransferPost);
  const isAnswered = posts.some((post) => post.status < 300 && hasAnswer(post));
  const lost = posts.findLast((post) => !hasAnswer(post)) ?? posts.at(-1);
  for (const exchange of exchanges) {
    const { method, url, status } = exchange;
    add("request", `${method} ${new URL(url).pathname.replace(UUID, "…")}`);
    if (exchange === lost && recorded === 1 && !isAnswered) {
      add("service", "The transfer is made");
      if (hasAnswer(exchange)) add("reply", REPEATED, true);
    }
    if (!status) add("reply", "The reply is lost", true);
    else if (isUnreadable(exchange)) add("reply", `${status}, but the reply breaks off`, true);
    else add("reply", String(status), status >= 400);
  }
  if (recorded === 1) add("service", "One transfer");
  else if (recorded !== undefined) add("service", `${recorded} transfers`, true);
  return h("div.sequence", [
    h("div.lanes.spread", { "aria-hidden": "true" }, h("span", "Page"), h("span", "Service")),
    rows,
  ]);
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

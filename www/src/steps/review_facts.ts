import type { Quote } from "remitkit";
import { isWorse, totalOf } from "../agreed_price";
import { UNKNOWN, countryName, money, quoteChanges } from "../amounts";
import { deliveryText } from "../delivery";
import { explain } from "../errors";
import { t, type TextKey } from "../messages";
import { deliveryLabel, isPickup } from "../methods";
import { figure, h, on, type LiveText } from "../ui/dom";
import { notice } from "../ui/notice";
import type { App, StepName } from "./step";

/** Lists who gets the money, where and how, each with a link that changes it. */
export function reviewFacts(app: App): HTMLElement {
  const { route, recipient, account, pickup } = app.checkout.state;
  const method = route?.transferMethod ?? "";
  const row = (label: TextKey, value: HTMLElement | LiveText, step: StepName, change: TextKey) => {
    const attributes = { type: "button", class: "link", "aria-label": () => t(change) };
    const link = on(h("button", attributes, () => t("action.change")), { click: () => app.go(step) });
    return h("div.fact", h("dt", () => t(label)), h("dd", value, link));
  };
  const way = () => deliveryLabel(method, account ?? {});
  const country = () => (route ? countryName(route.country) : "");
  const balance = h("dd", h("span", () => t("review.pay.balance")));
  return h("dl.facts", [
    row("steps.recipient", figure(h("span", recipient?.name)), "recipient", "review.change.recipient"),
    row("review.country", country, "amount", "review.change.country"),
    row("amount.method", way, isPickup(method) ? "amount" : "account", "review.change.account"),
    pickup && row("review.pickup", () => pickup.address, "account", "review.change.pickup"),
    h("div.fact", { "data-fact": "pay" }, h("dt", () => t("review.pay")), balance),
  ]);
}

/** Lists what customers look for first: what is received, what is paid, and when it arrives. */
export function priceFacts(quote: Quote): HTMLElement[] {
  const row = (label: TextKey, value: HTMLElement) => h("div.fact", h("dt", () => t(label)), value);
  return [
    row("summary.receive", figure(h("dd", () => money(quote.receiveAmount)))),
    row("summary.total", figure(h("dd", () => money(totalOf(quote))))),
    row("delivery.by", h("dd", () => deliveryText(quote) ?? UNKNOWN)),
  ];
}

/** Why a price changed: it is now for the account, it had expired, or the rate or fee has moved. */
export type PriceCause = "account" | "ended" | "moved";

interface PriceNoticeOptions {
  cause: PriceCause;
  /** What has not been sent yet. */
  notSent: LiveText;
  actions?: HTMLElement[];
  isFocused?: boolean;
}

/** Creates the notice of a price that differs from the one that the customer has agreed to. */
export function priceNotice(before: Quote, now: Quote, options: PriceNoticeOptions) {
  const { cause, notSent, ...others } = options;
  const all = quoteChanges(before, now);
  // Where it has to be accepted room is scarce, and the rate follows from the amounts.
  const changes = options.actions && all.length > 1 ? all.filter(({ figure }) => figure !== "rate") : all;
  const hidden = (label: TextKey) => h("span.visually-hidden", () => t(label), " ");
  const rows = changes.map((change) =>
    h("div.change", [
      h("dt", () => t(`summary.${change.figure}`)),
      h("dd", hidden("review.before"), figure(h("s", change.before))),
      h("dd", hidden("review.now"), figure(h("strong", change.now))),
    ]),
  );
  const direction = directionOf(before, now);
  return notice({
    tone: direction === "worse" ? "warning" : cause === "account" ? "info" : "success",
    title: () => t(`review.price.${direction}`),
    text: () => `${t(`review.cause.${cause}`)} ${notSent()}`,
    extra: h("dl.changes", ...rows),
    ...others,
  });
}

export function renewedNotice(error: unknown, notSent: LiveText): HTMLElement {
  const title = () => t("review.renewed.title");
  const text = () => `${t("review.renewed.text")} ${notSent()}`;
  return notice({ tone: "warning", title, text, reference: explain(error).reference });
}

/** Compares what the customer pays, then what is received. */
function directionOf(before: Quote, now: Quote): "lower" | "more" | "worse" {
  const gain = (quote: Quote) => BigInt(quote.receiveAmount?.value ?? 0);
  if (isWorse(before, now)) return "worse";
  return gain(now) > gain(before) ? "more" : "lower";
}

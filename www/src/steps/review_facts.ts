import type { Quote } from "remitkit";
import { ABSENT, countryName, differences, money } from "../amounts";
import { deliveryOf } from "../delivery";
import { explain } from "../errors";
import { t } from "../messages";
import { isPickup, wayWords } from "../methods";
import { h, on, type LiveText } from "../ui/dom";
import { notice } from "../ui/notice";
import type { App } from "./step";
import type { StepName } from "./step_name";

/** Who gets the money, where and how, each with the way back to change it. */
export function reviewFacts(app: App): HTMLElement {
  const { route, recipient, account, pickup } = app.checkout.state;
  const method = route?.transferMethod ?? "";
  const way = () => wayWords(method, account ?? {});
  const fact = (label: LiveText, value: LiveText, step: StepName, change: LiveText) => {
    const link = h("button", { type: "button", class: "link", "aria-label": change }, () => t("action.change"));
    return h("div", { class: "fact" }, h("dt", {}, label), h("dd", {}, h("span", {}, value), on(link, { click: () => app.go(step) })));
  };
  return h(
    "dl",
    { class: "facts" },
    fact(() => t("review.recipient"), () => recipient?.name ?? "", "recipient", () => t("review.change.recipient")),
    fact(() => t("review.country"), () => (route ? countryName(route.country) : ""), "amount", () => t("review.change.country")),
    fact(() => t("review.account"), way, isPickup(method) ? "amount" : "account", () => t("review.change.account")),
    pickup && fact(() => t("review.pickup"), () => pickup.words, "account", () => t("review.change.pickup")),
    h("div", { class: "fact", "data-fact": "pay" }, h("dt", {}, () => t("review.pay")), h("dd", {}, h("span", {}, () => t("review.pay.balance")))),
  );
}

/** What is paid, what is received, and by when: what the customer looks for first. */
export function priceFacts(quote: Quote): HTMLElement[] {
  const fact = (label: LiveText, value: LiveText) => h("div", { class: "fact" }, h("dt", {}, label), h("dd", {}, value));
  return [
    fact(() => t("summary.receive"), () => money(quote.receiveAmount)),
    fact(() => t("summary.total"), () => money(quote.totalCost ?? quote.sendAmount)),
    fact(() => t("delivery.by"), () => deliveryOf(quote) ?? ABSENT),
  ];
}

/** Why a price changed: the account is known now, the price expired, or the rate or fee has moved. */
export type PriceCause = "account" | "ended" | "moved";

/** What is different since the customer last saw the price, and why; nothing if all is as it was. `notYet` says what is not sent. */
export function priceNotice(before: Quote, now: Quote, notYet: LiveText, cause: PriceCause = "moved"): HTMLElement | undefined {
  const changed = differences(before, now);
  if (changed.length === 0) return undefined;
  const rows = changed.map(({ what, before: was, now: is }) =>
    h(
      "div",
      { class: "change" },
      h("dt", {}, () => t(`summary.${what}`)),
      h("dd", {}, h("span", { class: "visually-hidden" }, () => t("review.before"), " "), h("s", {}, was)),
      h("dd", {}, h("span", { class: "visually-hidden" }, () => t("review.now"), " "), h("strong", {}, is)),
    ),
  );
  const change = changeOf(before, now);
  return notice({
    tone: change === "worse" ? "warning" : cause === "account" ? "info" : "success",
    title: () => t(`review.price.${change}`),
    text: () => `${t(`review.cause.${cause}`)} ${notYet()}`,
    extra: h("dl", { class: "changes" }, ...rows),
  });
}

/** That the price had to be set anew, where it came to the same figures. */
export function renewedNotice(error: unknown, notYet: LiveText): HTMLElement {
  const { reference } = explain(error);
  return notice({ tone: "warning", title: () => t("review.renewed.title"), text: () => `${t("review.renewed.text")} ${notYet()}`, reference });
}

// By the figures that matter to the customer: what they pay, then what is received.
function changeOf(before: Quote, now: Quote): "lower" | "more" | "worse" {
  const cost = (quote: Quote) => BigInt((quote.totalCost ?? quote.sendAmount).value);
  const gain = (quote: Quote) => BigInt(quote.receiveAmount?.value ?? 0);
  if (cost(now) > cost(before) || gain(now) < gain(before)) return "worse";
  return gain(now) > gain(before) ? "more" : "lower";
}

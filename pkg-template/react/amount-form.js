import { createElement, forwardRef, useEffect } from "react";
import { contentOf } from "../input/content.js";
import { useElement } from "./use-element.js";
import { useLatest } from "./use-latest.js";

export const AmountForm = /* @__PURE__ */ forwardRef(function AmountForm(props, ref) {
  const { country, method, send, receive, amount, quoteBy, corridor, limits, recipientAccountId, debounceMs } = props;
  const { id, className, name, required, disabled, refreshExpired, compare, currencies, order, disclosures } = props;
  const { lang, messages, theme } = props;
  const latest = useLatest(props);
  const elementRef = useElement(ref, latest, "defineRemitAmount", () => ({
    quote: ({ detail }) => latest.current.onQuote?.(detail.quote, detail.previous, detail.difference),
    pricechanged: () => latest.current.onPriceChange?.(),
    expired: ({ detail }) => latest.current.onExpired?.(detail.quote),
    methodchange: ({ detail }) => latest.current.onMethodChange?.(detail.method),
  }));
  const given = { corridor, limits, recipientAccountId, debounceMs, messages, theme };
  const isComputed = typeof limits === "function";
  // Compared by value, as pages write them inline; the latest function is called.
  useEffect(() => {
    if (isComputed) given.limits = (...route) => latest.current.limits(...route);
    Object.assign(elementRef.current, given);
  }, [contentOf(given), isComputed]);

  // Attributes, which React 18 writes as they are.
  const attributes = {
    id, class: className, country, method, send, receive, amount, "quote-by": quoteBy, order, disclosures, name, lang,
  };
  const flags = { required, disabled, compare, currencies, "refresh-expired": refreshExpired };
  const shown = Object.entries(flags).map(([flag, isSet]) => [flag, isSet ? "" : undefined]);
  return createElement("remit-amount", { ref: elementRef, ...attributes, ...Object.fromEntries(shown) });
});

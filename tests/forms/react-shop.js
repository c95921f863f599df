// The same two forms as components of React, for `page/views.js`.

import { StrictMode, createElement as h } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { AmountForm, FieldFormView, RemitKitProvider } from "remitkit/react";

export function mount(place, kit, { country, currency }) {
  const root = createRoot(place);
  const query = { dstCountryIso3Code: country, dstCurrencyIso3Code: currency };
  return {
    render({ removed, messages, required, lang, filter, filterOptions, ...amount }) {
      const price = h(AmountForm, { key: "amount", name: "quote", required, lang, ...amount });
      const asked = { kind: "transfer", query, country, filter, filterOptions, initialValues: {} };
      const view = h(FieldFormView, { key: "fields", name: "fields", required, lang, messages, ...asked });
      const shown = [removed !== "amount" && price, removed !== "fields" && view];
      flushSync(() => root.render(h(StrictMode, null, h(RemitKitProvider, { remit: kit }, ...shown))));
    },
  };
}

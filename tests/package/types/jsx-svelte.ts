// Everything here must compile: what a template takes by `SvelteHTMLElements`.

import type { SvelteHTMLElements } from "svelte/elements";
import type { Quote, RemitError, RemitKit } from "remitkit";
import "remitkit/jsx/svelte";
import type { RemitElementProps } from "remitkit/jsx/svelte";
import { exactly } from "./exactly.js";

declare const remit: RemitKit;
type InTemplate<Tag extends keyof SvelteHTMLElements> = SvelteHTMLElements[Tag];

exactly<RemitElementProps<"remit-amount">>()({} as InTemplate<"remit-amount">);
export const amount: InTemplate<"remit-amount"> = {
  class: "price",
  "aria-label": "Amount",
  remit,
  country: "MEX",
  amount: "200",
  "quote-by": "RECEIVE_AMOUNT",
  compare: true,
  limits: (method) => ({ max: method.length }),
  oninput: () => {},
  onquote: ({ detail }) => exactly<Quote>()(detail.quote),
  "on:error": ({ detail }) => exactly<RemitError>()(detail),
};
export const fields: InTemplate<"remit-fields"> = {
  kind: "recipient",
  filter: (field, set) => set.fieldSetId !== field.fieldId,
  required: "",
  onfieldchange: ({ detail }) => exactly<string>()(detail.fieldId),
};
export const card: InTemplate<"remit-card-form"> = {
  "session-id": "s",
  "theme-button-color": "#0a7",
  oncompleted: ({ detail }) => exactly<string>()(detail.cardId),
};

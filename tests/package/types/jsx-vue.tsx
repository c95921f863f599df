// Everything here must compile: elements in JSX, and what a template takes by `GlobalComponents`.

import { ref } from "vue";
import type { GlobalComponents } from "vue";
import type { Quote, RemitError, RemitKit } from "remitkit";
import type { RemitAmountElement, RemitFieldsElement } from "remitkit/fields";
import "remitkit/jsx/vue";
import type { RemitElementProps } from "remitkit/jsx/vue";
import { exactly } from "./exactly.js";

declare const remit: RemitKit;

export function checkout({ amount }: RemitElementProps<"remit-amount">) {
  const price = ref<RemitAmountElement>();
  return (
    <form>
      <remit-amount
        key="amount"
        ref={price}
        class="price"
        aria-label="Amount"
        remit={remit}
        country="MEX"
        amount={amount}
        quote-by="RECEIVE_AMOUNT"
        compare
        limits={(method) => ({ max: method.length })}
        onInput={() => price.value?.request}
        onQuote={({ detail }) => exactly<Quote>()(detail.quote)}
        onError={({ detail }) => exactly<RemitError>()(detail)}
      />
      <remit-card-form theme-button-color="#0a7" onCompleted={({ detail }) => exactly<string>()(detail.cardId)} />
    </form>
  );
}

type InTemplate<Tag extends keyof GlobalComponents> = InstanceType<GlobalComponents[Tag]>;
type Fields = InTemplate<"remit-fields">;
export const shown = (element: Fields) => exactly<boolean>()(element.check());
export const fields: Fields["$props"] = {
  kind: "recipient",
  remit: Promise.resolve(remit),
  filter: (field, set) => set.fieldSetId !== field.fieldId,
  initial: (form) => form.valuesOf({ firstName: "Ana" }),
  required: true,
  onFieldchange: ({ detail }) => exactly<string>()(detail.fieldId),
};
export const element = (instance: Fields): RemitFieldsElement => instance;

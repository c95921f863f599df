// Everything here must compile.

import type { Quote, RemitError, RemitKit } from "remitkit";
import type { RemitAmountElement } from "remitkit/fields";
import "remitkit/jsx/solid";
import type { RemitElementProps } from "remitkit/jsx/solid";
import { exactly } from "./exactly.js";

declare const remit: RemitKit;

export function Checkout({ amount }: RemitElementProps<"remit-amount">) {
  let price: RemitAmountElement | undefined;
  return (
    <form>
      <remit-amount
        ref={(element) => (price = element)}
        class="price"
        aria-label="Amount"
        remit={remit}
        prop:corridor={null}
        prop:limits={(method) => ({ max: method.length })}
        country="MEX"
        amount={amount}
        quote-by="RECEIVE_AMOUNT"
        compare
        onInput={() => price?.request}
        on:quote={({ detail }) => exactly<Quote>()(detail.quote)}
        on:error={({ detail }) => exactly<RemitError>()(detail)}
      />
      <remit-fields
        kind="recipient"
        prop:filter={(field, set) => set.fieldSetId !== field.fieldId}
        on:fieldchange={({ detail }) => exactly<string>()(detail.fieldId)}
      />
      <remit-card-form theme-button-color="#0a7" on:completed={({ detail }) => exactly<string>()(detail.cardId)} />
    </form>
  );
}

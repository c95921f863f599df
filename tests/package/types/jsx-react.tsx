// Everything here must compile, with the types of React 18 and 19 and without `remitkit/react`.

import { useRef } from "react";
import type { Quote, RemitError, RemitKit } from "remitkit";
import type { RemitAmountElement } from "remitkit/fields";
import "remitkit/jsx/react";
import type { RemitElementProps } from "remitkit/jsx/react";
import { exactly } from "./exactly.js";

declare const remit: RemitKit;
exactly<RemitElementProps<"remit-amount">>()({} as JSX.IntrinsicElements["remit-amount"]);

export function Checkout({ amount, ...others }: RemitElementProps<"remit-amount">) {
  const price = useRef<RemitAmountElement>(null);
  return (
    <form>
      <remit-amount
        {...others}
        key="amount"
        ref={price}
        className="price"
        aria-label="Amount"
        remit={remit}
        country="MEX"
        amount={amount}
        quote-by="RECEIVE_AMOUNT"
        compare
        currencies={false}
        refresh-expired=""
        limits={(method) => ({ max: method.length })}
        onInput={() => price.current?.request}
        onquote={({ detail }) => exactly<Quote>()(detail.quote)}
        onerror={({ detail }) => exactly<RemitError>()(detail)}
      >
        <p slot="summary" />
      </remit-amount>
      <remit-fields
        kind="recipient"
        remit={Promise.resolve(remit)}
        query={{ dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" }}
        initial={(form) => form.valuesOf({ firstName: "Ana" })}
        filter={(field, set) => set.fieldSetId !== field.fieldId}
        options={null}
        shadow="none"
        required
        ref={(element) => void element?.check()}
        onfieldchange={({ detail }) => exactly<string>()(detail.fieldId)}
      />
      <remit-card-form
        name="card"
        session-id="s"
        theme={{ lng: "en" }}
        theme-button-color="#0a7"
        loadError={({ reason }) => ({ message: reason })}
        oncompleted={({ detail }) => exactly<string>()(detail.cardId)}
      />
    </form>
  );
}

// No line below a mark may compile.

import type { FieldForm, QuoteRequest, RemitKit } from "remitkit";
import { CardForm, RemitKitProvider, useQuote, useRemitKit } from "remitkit/react";
import { useFieldForm, useFieldOptions } from "remitkit/react";

declare const remit: RemitKit;
declare const form: FieldForm;
declare const price: QuoteRequest;
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };

export function Shop() {
  // @ts-expect-error the kit may not be there yet
  useRemitKit().remit.quote({});
  // @ts-expect-error amounts are whole numbers of minor units
  useQuote({ ...price, amount: "5" });
  // @ts-expect-error a misspelt option
  useQuote(null, { debounce: 5 });
  // @ts-expect-error there may be no quote
  useQuote(null).quote.totalCost;
  // @ts-expect-error read-only
  useQuote(null).isStale = false;
  // @ts-expect-error no such kind
  useFieldForm("account", null);
  // @ts-expect-error another kind's query
  useFieldForm("sender", { recipientType: "PERSON" });
  // @ts-expect-error a value is text
  useFieldForm("sender", null).setValue("NAME", 5);
  // @ts-expect-error the choices depend on the values
  useFieldOptions({ form }, "CITY");
  return [
    // @ts-expect-error neither options nor a kit
    <RemitKitProvider />,
    // @ts-expect-error both of them
    <RemitKitProvider options={options} remit={remit} />,
    // @ts-expect-error options without a token
    <RemitKitProvider options={{ baseUrl: "", cardUrl: "" }} />,
    // @ts-expect-error no such parameter
    <CardForm theme={{ colour: "#000" }} />,
    // @ts-expect-error it takes no children
    <CardForm>text</CardForm>,
    // @ts-expect-error a height is in CSS pixels
    <CardForm height="10em" />,
    // @ts-expect-error it is "never", texts or something to render
    <CardForm loadError={false} />,
    // @ts-expect-error there is no card number
    <CardForm onCompleted={({ cardNumber }) => cardNumber} />,
    // @ts-expect-error a theme is an object
    <remit-card-form theme="dark" />,
    // @ts-expect-error no such attribute
    <remit-card-form sessionid="s" />,
  ];
}

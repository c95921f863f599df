import type { FieldForm, QuoteRequest, RemitKit } from "remitkit";
import { CardForm, FieldFormView, RemitKitProvider, useQuote, useRemitKit } from "remitkit/react";
import { useFieldControl, useFieldForm, useFieldOptions } from "remitkit/react";

declare const remit: RemitKit;
declare const form: FieldForm;
declare const price: QuoteRequest;
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };

// Each line below is an error.

useRemitKit().remit.quote({});
useQuote({ ...price, amount: "5" });
useQuote(null, { debounce: 5 });
useQuote(null).quote.totalCost;
useQuote(null).isStale = false;
useFieldForm("account", null);
useFieldForm("sender", { recipientType: "PERSON" });
useFieldForm("sender", null).setValue("NAME", 5);
useFieldForm("sender", null).setUnread("NAME");
useFieldForm("sender", null, { filter: "NAME" });
useFieldOptions({ form }, "CITY");
useFieldControl({ form }, "CITY");
useFieldControl(useFieldForm("sender", null), "CITY").setValue(5);

<RemitKitProvider />;
<RemitKitProvider options={options} remit={remit} />;
<RemitKitProvider options={{ baseUrl: "", cardUrl: "" }} />;
<CardForm theme={{ colour: "#000" }} />;
<CardForm>text</CardForm>;
<CardForm height="10em" />;
<CardForm loadError={false} />;
<CardForm onCompleted={({ cardNumber }) => cardNumber} />;
<FieldFormView kind="account" query={null} />;
<FieldFormView kind="sender" query={{}} filter={["NAME"]} />;
<FieldFormView kind="recipient" query={{ senderType: "PERSON" }} />;
<FieldFormView kind="sender" query={{}} onChange={(values: string) => values} />;
<remit-card-form theme="dark" />;
<remit-card-form sessionid="s" />;

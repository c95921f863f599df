// Everything here must compile, with the types of React 18 and 19.

import { StrictMode, useRef, useState } from "react";
import { createRemitKit } from "remitkit";
import type * as remitkit from "remitkit";
import type { RemitFieldsElement } from "remitkit/fields";
import * as react from "remitkit/react";
import type { CardFormHandle, CardFormProps, FieldFormState, QuoteState } from "remitkit/react";
import { exactly } from "./exactly.js";

const { AmountForm, CardForm, FieldFormView, RemitKitProvider, useFieldForm, useSecondsLeft } = react;
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
const made = createRemitKit(options);
const token = () => fetch("/token").then((reply) => reply.json());

export const shop = (
  <StrictMode>
    <RemitKitProvider options={{ ...options, token, onDiagnostic: undefined }}>
      <Pay amount={12550n} />
      text
    </RemitKitProvider>
    <RemitKitProvider remit={null}>{null}</RemitKitProvider>
  </StrictMode>
);

function Pay({ amount }: { amount: bigint }) {
  const { corridors, refresh } = react.useCorridors({ transferMethod: "PUSH_TO_CARD" });
  exactly<readonly remitkit.Corridor[]>()(corridors);
  react.useCorridors(undefined);
  refresh();
  const kit = react.useRemitKit();
  if (kit.remit !== undefined) {
    exactly<remitkit.RemitKit>()(kit.remit);
    exactly<undefined>()(kit.error);
  } else if (!kit.isLoading) {
    exactly<remitkit.RemitError>()(kit.error);
    kit.retry();
  }
  const form = useRef<CardFormHandle>(null);
  const [shown, setShown] = useState<remitkit.CardForm>();
  const destination = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
  const route = { ...destination, transferMethod: "PUSH_TO_CARD" } as const;
  const request = { ...route, srcCurrencyIso3Code: "USD", amount };
  const price: QuoteState = react.useQuote(request, { debounceMs: 200, refreshExpired: true });
  exactly<remitkit.Quote | undefined>()(price.quote);
  exactly<boolean>()(price.isStale);
  exactly<number | undefined>()(useSecondsLeft(price.quote));
  react.useQuote(undefined);

  const initialValues = { FIRST_NAME: "Ana" };
  const fields = useFieldForm("recipient", { ...route, recipientType: "PERSON" }, { initialValues });
  const valuesOf = (form: remitkit.FieldForm) => form.valuesOf({ firstName: "Ana" });
  useFieldForm("sender", { senderType: "PERSON" }, { initialValues: valuesOf });
  useFieldForm("transfer", null, { country: "USA", autofill: true });
  exactly<remitkit.FieldProblem[]>()(fields.check());
  exactly<readonly remitkit.FieldProblem[]>()(fields.warnings);
  useFieldForm("sender", {}, { filter: (field, set) => field.fieldId !== set.fieldSetId });
  exactly<readonly string[]>()(fields.fieldIds);
  fields.setUnread(fields.unread[0] ?? "", false);
  fields.setValue("PHONE", { number: "1", countryIso3Code: "MEX", countryPhoneCode: "52" });
  const { attempts } = react.usePendingTransfers();
  exactly<readonly remitkit.TransferAttempt[]>()(attempts);

  const props: CardFormProps = { id: "card", className: undefined, theme: { showStep: true } };
  return (
    <>
      <City fields={fields} />
      <CardForm
        {...props}
        ref={form}
        sessionId="s"
        loadTimeoutMs={1000}
        autoFocus
        loadError={({ reason, message, retry }) => {
          exactly<string>()(message);
          return reason === "offline" ? null : <button onClick={() => void retry()}>{message}</button>;
        }}
        onReady={setShown}
        onEvent={(event) => exactly<remitkit.CardFormEvent>()(event)}
        onCompleted={({ cardId }) => exactly<string>()(cardId)}
        onError={(error) => exactly<remitkit.RemitError>()(error)}
      />
      <button onClick={() => form.current?.renew({ signal: AbortSignal.timeout(5000) })}>
        {form.current?.form?.sessionId}
      </button>
      <remit-card-form
        name="card"
        required
        session-id="s"
        theme-button-color="#0a7"
        theme={{ lng: "en" }}
        remit={made}
        ref={(element) => void element?.completed}
        oncompleted={({ detail }) => exactly<string>()(detail.cardId)}
      />
    </>
  );
}

export function Fields({ query }: { query: remitkit.CorridorFieldsQuery }) {
  const fields = useRef<RemitFieldsElement>(null);
  const onReady = (element: RemitFieldsElement) => element.focus();
  return (
    <form onSubmit={() => fields.current?.check()}>
      <FieldFormView ref={fields} kind="recipient" query={query} required onReady={onReady} />
      <AmountForm country="MEX" send="USD" limits={{ max: 5n }} onQuote={(quote) => quote.quoteHistoryId} />
      <AmountForm compare currencies quoteBy="RECEIVE_AMOUNT" limits={(method, code) => ({ max: method.length + code.length })} onMethodChange={(method) => method.length} />
      <FieldFormView kind="transfer" query={null} filter={(field, set) => set.fieldSetId === field.fieldId} />
      <FieldFormView kind="sender" query={null} onChange={(values) => exactly<remitkit.FieldValues>()(values)} />
    </form>
  );
}

export function Phone({ fields }: { fields: FieldFormState }) {
  const phone: react.ReactFieldControl = react.useFieldControl(fields, "PHONE");
  const { labelProps, controlProps, problemProps, retry } = phone;
  return (
    <label {...labelProps}>
      {phone.element === "select" ? <select {...controlProps} /> : <input {...controlProps} />}
      <button onClick={retry} {...problemProps}>{phone.problem ?? phone.error?.userMessage}</button>
    </label>
  );
}

function City({ fields }: { fields: FieldFormState }) {
  const { options, isLoading } = react.useFieldOptions(fields, "CITY");
  const items = options.map(({ id, name }) => <option key={id}>{name ?? id}</option>);
  return <select disabled={isLoading}>{items}</select>;
}

// Everything here must compile, with the types of React 18 and 19.

import { StrictMode, useRef, useState } from "react";
import { createRemitKit } from "remitkit";
import type {
  CardForm as ShownForm,
  CardFormEvent,
  Corridor,
  FieldProblem,
  Quote,
  RemitError,
  RemitKit,
  TransferAttempt,
} from "remitkit";
import {
  CardForm,
  RemitKitProvider,
  useCorridors,
  useFieldForm,
  useFieldOptions,
  usePendingTransfers,
  useQuote,
  useRemitKit,
  useSecondsLeft,
} from "remitkit/react";
import type { CardFormHandle, CardFormProps, FieldFormState, QuoteState } from "remitkit/react";
import { exactly } from "./exactly.js";

const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
const made = createRemitKit(options);

export const shop = (
  <StrictMode>
    <RemitKitProvider
      options={{
        ...options,
        token: () => fetch("/token").then((reply) => reply.json()),
        onDiagnostic: undefined,
      }}
    >
      <Pay amount={12550n} />
      text
    </RemitKitProvider>
    <RemitKitProvider remit={made} />
    <RemitKitProvider remit={null}>{null}</RemitKitProvider>
  </StrictMode>
);

function Pay({ amount }: { amount: bigint | undefined }) {
  const { corridors, refresh } = useCorridors({ transferMethod: "PUSH_TO_CARD" });
  exactly<readonly Corridor[]>()(corridors);
  useCorridors(amount === undefined ? null : undefined);
  refresh();
  const kit = useRemitKit();
  if (kit.remit !== undefined) {
    exactly<RemitKit>()(kit.remit);
    exactly<undefined>()(kit.error);
  } else if (!kit.isLoading) {
    exactly<RemitError>()(kit.error);
    kit.retry();
  }
  const form = useRef<CardFormHandle>(null);
  const [shown, setShown] = useState<ShownForm>();
  const price: QuoteState = useQuote(
    amount === undefined
      ? null
      : {
          transferMethod: "PUSH_TO_CARD",
          quoteBy: "SEND_AMOUNT",
          dstCountryIso3Code: "MEX",
          srcCurrencyIso3Code: "USD",
          dstCurrencyIso3Code: "MXN",
          amount,
        },
    { debounceMs: 200, refreshExpired: true },
  );
  exactly<Quote | undefined>()(price.quote);
  exactly<boolean>()(price.isStale);
  exactly<number | undefined>()(useSecondsLeft(price.quote));
  exactly<number | undefined>()(useSecondsLeft(shown));
  useQuote(undefined);

  const fields = useFieldForm(
    "recipient",
    {
      dstCountryIso3Code: "MEX",
      dstCurrencyIso3Code: "MXN",
      transferMethod: "PUSH_TO_CARD",
      recipientType: "PERSON",
    },
    { initialValues: { FIRST_NAME: "Ana" } },
  );
  useFieldForm("sender", { senderType: "PERSON" }, { initialValues: (form) => form.valuesOf({ firstName: "Ana" }) });
  useFieldForm("sender", { senderType: "PERSON" });
  useFieldForm("transfer", null);
  exactly<FieldProblem[]>()(fields.check());
  exactly<readonly FieldProblem[]>()(fields.problems);
  fields.setValue("PHONE", { number: "1", countryIso3Code: "MEX", countryPhoneCode: "52" });
  const { attempts } = usePendingTransfers();
  exactly<readonly TransferAttempt[]>()(attempts);

  const more: CardFormProps = { id: "card", className: undefined, theme: { showStep: true } };
  return (
    <>
      <City fields={fields} />
      <CardForm
        {...more}
        ref={form}
        key="card"
        sessionId="s"
        title="Card"
        height={700}
        loadTimeoutMs={1000}
        autoFocus
        loadError={({ reason, message, retry }) => {
          exactly<string>()(message);
          return reason === "offline" ? null : <button onClick={() => void retry()}>{message}</button>;
        }}
        onReady={setShown}
        onEvent={(event) => exactly<CardFormEvent>()(event)}
        onCompleted={({ cardId }) => exactly<string>()(cardId)}
        onError={(error) => exactly<RemitError>()(error)}
      />
      <button onClick={() => form.current?.renew({ signal: AbortSignal.timeout(5000) })}>
        {form.current?.form?.sessionId}
      </button>
      <remit-card-form
        name="card"
        required
        session-id="s"
        theme-button-color="#0a7"
        theme-show-step
        theme={{ lng: "en" }}
        remit={made}
        ref={(element) => void element?.completed}
        oncompleted={({ detail }) => exactly<string>()(detail.cardId)}
      />
    </>
  );
}

function City({ fields }: { fields: FieldFormState }) {
  const { options, isLoading } = useFieldOptions(fields, "CITY");
  return (
    <select disabled={isLoading}>
      {options.map(({ id, name }) => (
        <option key={id}>{name ?? id}</option>
      ))}
    </select>
  );
}

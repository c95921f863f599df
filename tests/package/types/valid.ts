// Everything here must compile, with the narrowest compiler settings and without any cast.

import {
  createRemitKit,
  darkTheme,
  formatAmount,
  fromMinorUnits,
  isRemitError,
  lightTheme,
  RemitError,
  themeContrast,
  toMinorUnits,
} from "remitkit";
import type {
  Amount,
  CardForm,
  CardFormEvent,
  ContrastProblem,
  Corridor,
  ErrorCode,
  ErrorKind,
  FieldForm,
  FieldProblem,
  FieldValue,
  FieldValues,
  JournalStore,
  MinorUnits,
  PushToCardFlow,
  PushToCardOptions,
  PushToCardStep,
  Quote,
  QuoteRequest,
  RecipientAccount,
  RemitKit,
  RemitKitOptions,
  Theme,
  TransferAttempt,
  TransferMethod,
  TransferResult,
} from "remitkit";
import { exactly } from "./exactly.js";

export async function shop(signal: AbortSignal): Promise<string> {
  const options: RemitKitOptions = {
    baseUrl: new URL("https://api.example"),
    cardUrl: "https://card.example",
    token: () => fetch("/api/remit-token").then((reply) => reply.json()),
    locale: undefined,
    journal: new Map<string, string>(),
    wasm: new Uint8Array(8),
    onDiagnostic: (entry) => console.log(entry.operation, entry.durationMs.toFixed()),
  };
  const remit = await createRemitKit(options);
  exactly<RemitKit>()(remit);

  const corridors = await remit.corridors(
    { dstCountryIso3Code: "MEX", transferMethod: "PUSH_TO_CARD" },
    { signal },
  );
  exactly<Corridor[]>()(corridors);
  const corridor = corridors[0];
  const usd = corridor?.sourceCurrency[0];
  if (corridor === undefined || usd === undefined) {
    return "";
  }
  const amount = toMinorUnits("125.50", usd);
  exactly<MinorUnits>()(amount);

  const form = await remit.recipientAccountFields({
    dstCountryIso3Code: corridor.destinationCountry.iso3Code,
    dstCurrencyIso3Code: "MXN",
    transferMethod: "A_METHOD_THAT_COMES_LATER" as TransferMethod,
    recipientType: "PERSON",
  });
  if (form.requiresCard) {
    for (const set of form.fieldSets) {
      for (const field of set.fields) {
        exactly<string>()(field.fieldId);
        exactly<boolean>()(field.isRequired);
      }
    }
  }
  const problems = form.check({
    CARD_ID: undefined,
    PHONE: { number: "1", countryIso3Code: "USA", countryPhoneCode: "1" },
  });
  exactly<FieldProblem[]>()(problems);
  exactly<FieldValue[]>()(form.toFields({ CARD_ID: "c", OTHER: null }));
  exactly<FieldValues>()(form.valuesOf(await remit.getRecipient("r")));
  form.check(form.valuesOf(await remit.getSender("s")));
  form.valuesOf(await remit.getRecipientAccount("r", "a"));

  const request: QuoteRequest = {
    transferMethod: "PUSH_TO_CARD",
    quoteBy: "SEND_AMOUNT",
    dstCountryIso3Code: "MEX",
    srcCurrencyIso3Code: usd.iso3Code,
    dstCurrencyIso3Code: "MXN",
    amount,
    recipientAccountId: undefined,
  };
  const quote = await remit.quote(request);
  exactly<Quote>()(quote);
  // What was read goes back as it is, also what this version does not list.
  await remit.quote({ ...request, transferMethod: corridor.transferMethod });
  if (quote.transferMethod) {
    await remit.corridors({ transferMethod: quote.transferMethod });
  }
  switch (corridor.transferMethod) {
    case "PUSH_TO_CARD":
    case "BANK_ACCOUNT":
      break;
    default:
      exactly<string>()(corridor.transferMethod.toLowerCase());
  }
  // Records go round, a quote is spread into a transfer, and what is left out has the service's default.
  const money = { srcCurrencyIso3Code: "USD", dstCurrencyIso3Code: "MXN", dstCountryIso3Code: "MEX", amount };
  await remit.quote(money);
  await remit.transfer({ ...quote, ...money, recipientId: "r", nonce: null });
  await remit.quote({ ...money, ...quote, recipientAccountId: null });
  await remit.senderFields({});
  const account = await remit.getRecipientAccount("r", "a");
  await remit.replaceRecipientAccount("r", account.recipientAccountId, account);
  const recipient = await remit.getRecipient("r");
  await remit.replaceRecipient("r", { ...recipient, userType: recipient.recipientType });
  const sender = await remit.getSender("s");
  await remit.replaceSender(sender.senderId, { ...sender, fields: sender.fields ?? [], senderGroupId: null });
  exactly<Amount>()(quote.sendAmount);
  exactly<string>()(formatAmount(quote.sendAmount, "es-MX"));
  exactly<string>()(fromMinorUnits(quote.sendAmount.value, quote.sendAmount.currency));
  exactly<string>()(formatAmount({ value: 5n, currency: { iso3Code: "USD", decimalPlaces: 2 } }));

  const attempt = await remit.prepareTransfer({
    transferMethod: "PUSH_TO_CARD",
    quoteBy: "RECEIVE_AMOUNT",
    dstCountryIso3Code: "MEX",
    srcCurrencyIso3Code: "USD",
    dstCurrencyIso3Code: "MXN",
    amount: 9007199254740993n,
    quoteHistoryId: quote.quoteHistoryId,
    recipientId: "r",
    customerHold: true,
    fields: form.toFields({}),
  });
  exactly<TransferAttempt>()(attempt);
  exactly<number | undefined>()(attempt.expiresAt);
  const transfer = await attempt.submit({ signal });
  exactly<TransferResult>()(transfer);
  exactly<Blob>()(await remit.transferReceipt(transfer.transferId));
  exactly<{ id: string }>()(
    await remit.request<{ id: string }>({ method: "GET", path: "/v1/later", query: { limit: 5 } }),
  );
  exactly<Record<string, string[]>>()(remit.contentSecurityPolicy());
  await remit.destroy();
  return transfer.confirmationNumber ?? transfer.transferId;
}

export async function card(remit: RemitKit, container: Element): Promise<string> {
  const theme: Theme = {
    primary: "#0a7",
    buttonTextCase: "UPPER",
    lng: "es-MX",
    showStep: true,
    cardBackground: "https://a.example/b.png",
  };
  using form = await remit.cardForm({ container, theme, height: 520 }, {});
  const off = form.on("LOAD_FAILED", (event) => {
    exactly<"LOAD_FAILED">()(event.type);
    exactly<string>()(event.reason);
    exactly<string | undefined>()(event.directive);
  });
  exactly<number | undefined>()(form.expiresAt);
  exactly<number | undefined>()(form.secondsLeft());
  off();
  form.element?.focus();
  form.focus();
  await remit.cardForm({ container, autoFocus: true, loadError: "never" });
  await remit.cardForm({ container, loadError: container });
  await remit.cardForm({ container, loadError: { message: "Indisponible", button: "Réessayer" } });
  await remit.cardForm({
    container,
    loadError(failure) {
      exactly<string>()(failure.message);
      exactly<string | undefined>()(failure.directive);
      exactly<Promise<void>>()(failure.retry());
      return failure.reason === "offline" ? "auto" : undefined;
    },
  });
  for await (const event of form) {
    exactly<CardFormEvent>()(event);
    if (event.type === "LOAD_FAILED") {
      console.log(event.reason);
    } else if (event.type === "CARD_VALIDATION_STOP_EXPIRED") {
      await form.renew();
    }
  }
  form.update({ theme: { ...theme, lng: "en" } });
  const { cardId } = await form.completed;
  exactly<string>()(cardId);
  return cardId;
}

export async function push(
  remit: RemitKit,
  corridor: Corridor,
  signal: AbortSignal,
): Promise<TransferAttempt | undefined> {
  const options: PushToCardOptions = {
    corridor,
    dstCurrencyIso3Code: "MXN",
    amount: 5n,
    quoteBy: "RECEIVE_AMOUNT",
    recipientId: "r",
    container: "#card",
    theme: { ...darkTheme, lng: "es-MX" },
    fields: async (form) => {
      exactly<FieldForm>()(form);
      return form.toFields({});
    },
    transfer: (quote) => {
      exactly<Quote>()(quote);
      return { purposeOfRemittance: "FAMILY", customerHold: true };
    },
  };
  const flow = remit.pushToCard(options, { signal });
  exactly<PushToCardFlow>()(flow);
  for await (const step of flow) {
    exactly<PushToCardStep>()(step);
    switch (step.type) {
      case "CORRIDOR":
        exactly<Corridor>()(step.corridor);
        break;
      case "ACCOUNT_FIELDS":
        exactly<FieldForm>()(step.fields);
        break;
      case "CARD_FORM":
        exactly<CardForm>()(step.form);
        break;
      case "CARD":
        exactly<string>()(step.cardId);
        break;
      case "RECIPIENT_ACCOUNT":
        exactly<RecipientAccount>()(step.recipientAccount);
        break;
      case "QUOTE":
        exactly<Quote>()(step.quote);
        break;
      case "TRANSFER":
        return step.attempt;
    }
  }
  await flow.return();
  exactly<ContrastProblem[]>()(themeContrast({ ...lightTheme, primary: "#0a7" }));
  return undefined;
}

export async function recover(error: unknown): Promise<string> {
  if (!isRemitError(error)) {
    throw error;
  }
  exactly<RemitError>()(error);
  exactly<ErrorKind>()(error.kind);
  const later = "ComesLater" as ErrorCode;
  const texts: Partial<Record<ErrorCode, string>> = { QuoteExpired: "Too late.", [later]: "Later." };
  console.log(texts[error.code]?.length);
  if (error.code === "QuoteAmountChanged" || error.code === later) {
    return error.message;
  }
  if (error.quote) {
    exactly<Quote | undefined>()(error.previousQuote);
    exactly<MinorUnits | undefined>()(error.difference?.totalCost);
    return error.quote.quoteHistoryId;
  }
  for (const problem of error.problems ?? []) {
    console.log(problem.fieldId, problem.code, problem.message);
  }
  switch (error.kind) {
    case "outcome_unknown":
      return (await error.attempt?.resume())?.transferId ?? "";
    case "invalid_request":
      return error.option ?? "";
    default:
      return new RemitError("Internal", "…", { kind: "internal", retryable: false, cause: error }).message;
  }
}

export const store: JournalStore = {
  get: async (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  delete: (key) => localStorage.removeItem(key),
  keys: () => Object.keys(localStorage),
};

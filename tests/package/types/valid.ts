// Everything here must compile, with the strictest compiler settings and without any cast.

import {
  createRemitKit,
  darkTheme,
  disclosureTexts,
  formatAmount,
  fromMinorUnits,
  isRemitError,
  lightTheme,
  RemitError,
  themeContrast,
  toMinorUnits,
} from "remitkit";
import type * as remitkit from "remitkit";
import { exactly } from "./exactly.js";

export async function shop(signal: AbortSignal): Promise<string> {
  const options: remitkit.RemitKitOptions = {
    baseUrl: new URL("https://api.example"),
    cardUrl: "https://card.example",
    token: () => fetch("/api/remit-token").then((reply) => reply.json()),
    locale: undefined,
    journal: new Map<string, string>(),
    wasm: new Uint8Array(8),
    onDiagnostic: (entry) => console.log(entry.operation, entry.durationMs.toFixed()),
  };
  const remit = await createRemitKit(options);
  exactly<remitkit.RemitKit>()(remit);

  const filter = { dstCountryIso3Code: "MEX", transferMethod: "PUSH_TO_CARD" } as const;
  const corridors = await remit.corridors(filter, { signal });
  exactly<remitkit.Corridor[]>()(corridors);
  const corridor = corridors[0];
  const usd = corridor?.sourceCurrency[0];
  if (corridor === undefined || usd === undefined) return "";
  const amount = toMinorUnits("125.50", usd);
  exactly<remitkit.MinorUnits>()(amount);

  const form = await remit.recipientAccountFields({
    dstCountryIso3Code: corridor.destinationCountry.iso3Code,
    dstCurrencyIso3Code: "MXN",
    transferMethod: "A_METHOD_THAT_COMES_LATER" as remitkit.TransferMethod,
    recipientType: "PERSON",
  });
  const field = form.fieldSets[0]?.fields[0];
  exactly<string | undefined>()(field?.fieldId);
  exactly<boolean>()(form.requiresCard);
  const PHONE = { number: "1", countryIso3Code: "USA", countryPhoneCode: "1" };
  exactly<remitkit.FieldProblem[]>()(form.check({ CARD_ID: undefined, PHONE }));
  exactly<remitkit.FieldValue[]>()(form.toFields({ CARD_ID: "c", OTHER: null }));
  exactly<remitkit.FieldProblem[]>()(form.warnings({ CLABE: "0" }));
  exactly<string[]>()(form.dependents("STATE"));
  exactly<remitkit.FieldValues>()(form.valuesOf(await remit.getRecipient("r")));

  // Records can be sent back, a quote spread into a transfer, and what is left out has the service's default.
  const money = { srcCurrencyIso3Code: "USD", dstCurrencyIso3Code: "MXN", dstCountryIso3Code: "MEX", amount };
  const quote = await remit.quote({ ...money, recipientAccountId: undefined });
  exactly<remitkit.Quote>()(quote);
  const { transferMethod } = corridor;
  await remit.quote({ ...money, ...quote, transferMethod, recipientAccountId: null });
  if (transferMethod !== "PUSH_TO_CARD" && transferMethod !== "BANK_ACCOUNT") transferMethod.toLowerCase();
  await remit.transfer({ ...quote, ...money, recipientId: "r", nonce: null });
  const recipient = await remit.getRecipient("r");
  await remit.replaceRecipient("r", { ...recipient, userType: recipient.recipientType });
  exactly<remitkit.Amount>()(quote.sendAmount);
  exactly<string>()(formatAmount(quote.sendAmount, "es-MX"));
  exactly<remitkit.Disclosures | null | undefined>()(quote.disclosures);
  for (const { title, text } of disclosureTexts(quote.disclosures)) exactly<string>()(title ?? text);
  const [disclosure] = quote.disclosures ?? [];
  exactly<unknown>()(typeof disclosure === "object" ? disclosure.comesLater : undefined);
  exactly<string>()(fromMinorUnits(quote.sendAmount.value, quote.sendAmount.currency));

  const details = { recipientId: "r", customerHold: true, fields: form.toFields({}) };
  const attempt = await remit.prepareTransfer({ ...quote, ...money, ...details, amount: 9007199254740993n });
  exactly<remitkit.TransferAttempt>()(attempt);
  exactly<number | undefined>()(attempt.expiresAt);
  const transfer = await attempt.submit({ signal });
  exactly<remitkit.TransferResult>()(transfer);
  exactly<Blob>()(await remit.transferReceipt(transfer.transferId));
  const raw = { method: "GET", path: "/v1/later", query: { limit: 5 } } as const;
  exactly<{ id: string }>()(await remit.request<{ id: string }>(raw));
  exactly<Record<string, string[]>>()(remit.contentSecurityPolicy());
  exactly<string>()(remit.userMessageOf(new RemitError("Timeout", "", { kind: "timeout", retryable: true })));
  await remit.destroy();
  exactly<remitkit.DisclosureText[]>()(disclosureTexts(transfer.disclaimers));
  return transfer.confirmationNumber ?? transfer.transferId;
}

export async function card(remit: remitkit.RemitKit, container: Element): Promise<string> {
  const theme: remitkit.Theme = { primary: "#0a7", buttonTextCase: "UPPER", lng: "es-MX", showStep: true };
  using form = await remit.cardForm({ container, theme, height: 520 }, {});
  const off = form.on("LOAD_FAILED", (event) => {
    exactly<"LOAD_FAILED">()(event.type);
    exactly<string>()(event.reason);
    exactly<string | undefined>()(event.directive);
  });
  off();
  exactly<number | undefined>()(form.expiresAt);
  exactly<number | undefined>()(form.secondsLeft());
  await remit.cardForm({ container, autoFocus: true, loadError: "never" });
  await remit.cardForm({ container, loadError: { message: "Indisponible", button: "Réessayer" } });
  await remit.cardForm({
    container,
    loadError(failure) {
      exactly<string>()(failure.message);
      exactly<Promise<void>>()(failure.retry());
      return failure.reason === "offline" ? "auto" : undefined;
    },
  });
  for await (const event of form) {
    exactly<remitkit.CardFormEvent>()(event);
    if (event.type === "LOAD_FAILED") console.log(event.reason);
    if (event.type === "CARD_VALIDATION_STOP_EXPIRED") await form.renew();
  }
  exactly<remitkit.ContrastProblem[]>()(themeContrast({ ...lightTheme, primary: "#0a7" }));
  const { cardId } = await form.completed;
  exactly<string>()(cardId);
  return cardId;
}

export async function push(remit: remitkit.RemitKit, corridor: remitkit.Corridor, signal: AbortSignal) {
  const options: remitkit.PushToCardOptions = {
    corridor,
    dstCurrencyIso3Code: "MXN",
    amount: 5n,
    quoteBy: "RECEIVE_AMOUNT",
    recipientId: "r",
    container: "#card",
    theme: { ...darkTheme, lng: "es-MX" },
    fields: async (form) => form.toFields({}),
    transfer: (quote) => ({ purposeOfRemittance: quote.quoteHistoryId, customerHold: true }),
  };
  const flow = remit.pushToCard(options, { signal });
  exactly<remitkit.PushToCardFlow>()(flow);
  for await (const step of flow) {
    exactly<remitkit.PushToCardStep>()(step);
    if (step.type === "CORRIDOR") exactly<remitkit.Corridor>()(step.corridor);
    else if (step.type === "ACCOUNT_FIELDS") exactly<remitkit.FieldForm>()(step.fields);
    else if (step.type === "CARD_FORM") exactly<remitkit.CardForm>()(step.form);
    else if (step.type === "CARD") exactly<string>()(step.cardId);
    else if (step.type === "RECIPIENT_ACCOUNT") exactly<remitkit.RecipientAccount>()(step.recipientAccount);
    else if (step.type === "QUOTE") exactly<remitkit.Quote>()(step.quote);
    else exactly<remitkit.TransferAttempt>()(step.attempt);
  }
  await flow.return();
}

export async function recover(error: unknown): Promise<string> {
  if (!isRemitError(error)) throw error;
  exactly<RemitError>()(error);
  exactly<remitkit.ErrorKind>()(error.kind);
  const later = "ComesLater" as remitkit.ErrorCode;
  const texts: Partial<Record<remitkit.ErrorCode, string>> = { QuoteExpired: "Too late.", [later]: "Later." };
  console.log(texts[error.code]?.length);
  if (error.code === "QuoteAmountChanged" || error.code === later) return error.message;
  if (error.quote) {
    exactly<remitkit.Quote | undefined>()(error.previousQuote);
    exactly<remitkit.MinorUnits | undefined>()(error.difference?.totalCost);
    return error.quote.quoteHistoryId;
  }
  for (const problem of error.problems ?? []) console.log(problem.fieldId, problem.code, problem.message);
  if (error.kind === "outcome_unknown") return (await error.attempt?.resume())?.transferId ?? "";
  if (error.kind === "invalid_request") return error.option ?? "";
  return new RemitError("Internal", "…", { kind: "internal", retryable: false, cause: error }).message;
}

export const store: remitkit.JournalStore = {
  get: async (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  delete: (key) => localStorage.removeItem(key),
  keys: () => Object.keys(localStorage),
};

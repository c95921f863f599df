import type { RemitKit } from "remitkit";
import { spaced } from "../../ui/test_cards";
import { wt } from "../texts";
import type { Bench, Experiment, Facts } from "./experiment";
import { AMOUNT, BANK, CARD, CASH, INDIA, recipientRequest, senderRequest, type Corridor } from "./ground";
import { pastTheSdk, rawRequest, rawTransfer } from "./past_the_sdk";

type Rule = Pick<Experiment, "run"> & Partial<Pick<Experiment, "byHand" | "expects">>;

const NOBODY = "00000000-0000-4000-8000-000000000000";
const DOLLAR_CARD = "4000000000000051";
const CARD_FROM_ABROAD = "4000000000000028";
const ANY_CARD = "4111111111111111";
/** What the second client's account holds at the start, in cents. */
const OTHER_BALANCE = 150_000;
const MINUTE_MS = 60_000;

/** What takes more than one request: the rules of the sandbox's table, by call and code. */
export const RULES: Record<string, Rule> = {
  "transfer SenderUndetermined": {
    run: async ({ remit, kits, ground }) => {
      const request = await ground.transfer(remit);
      return done((await kits.of("client")).transfer(request));
    },
  },
  "createSender SenderInvalidTypeOfIdLength": {
    run: async ({ kits }) => done((await kits.of("client")).createSender(senderRequest({ ID_TYPE: "SSN", ID_NUMBER: "12" }))),
  },
  "createRecipient RecipientInvalidTypeOfIdLength": {
    run: async ({ remit }) => {
      const { userType, fields } = recipientRequest(BANK);
      const body = { userType, fields: [...fields, { id: "ID_TYPE", value: "SSN" }, { id: "ID_NUMBER", value: "12" }] };
      const past = () => rawRequest(remit, { method: "POST", path: "/v1/recipients", body });
      return pastTheSdk("RecipientInvalidTypeOfIdLength", () => remit.createRecipient(body), past);
    },
  },
  "transfer Max24HourSendAmountLimitReached": {
    // A sender of its own, so that the demo's customer keeps her limits.
    run: async ({ kits, sandbox, ground, trace }) => {
      const { senderId } = await (await kits.of("client")).createSender(senderRequest());
      const limits = { send24Hours: AMOUNT };
      await sandbox.setLimits(limits, senderId);
      trace.action("limits", limits);
      const remit = await kits.make("newSender", { token: () => sandbox.token(senderId) });
      const send = async () => remit.transfer(await ground.transfer(remit));
      return done(send().then(send), remit);
    },
  },
  "transfer MinCashPayerTransactionLimitNotReached": { run: (bench) => payCash(bench, 500) },
  "transfer MaxCashPayerTransactionLimitExceeded": { run: (bench) => payCash(bench, 60_000) },
  "transferReceipt TransferReceiptNotFound": {
    run: async ({ remit, ground }) => {
      const { transferId } = await remit.transfer({ ...(await ground.transfer(remit)), customerHold: true });
      return done(remit.transferReceipt(transferId));
    },
  },
  "transfer InsufficientFunds": {
    run: async ({ kits, ground, trace }) => {
      const [remit, sandbox] = await Promise.all([kits.of("otherClient"), kits.sandbox("other")]);
      const request = await ground.transfer(remit);
      await sandbox.setBalance(10);
      trace.action("balance", { cents: 10 });
      try {
        return await done(remit.transfer(request));
      } finally {
        await sandbox.setBalance(OTHER_BALANCE);
      }
    },
  },
  "transfer SourceOfFundsRequired": {
    run: async ({ kits, ground }) => {
      const remit = await kits.of("business");
      return done(remit.transfer(await ground.transfer(remit)));
    },
  },
  "transfer PurposeOfRemittanceRequired": {
    run: async (bench) => {
      const request = await bench.ground.transfer(bench.remit, AMOUNT, INDIA);
      return pastTheSdk("PurposeOfRemittanceRequired", () => bench.remit.transfer(request), () => rawTransfer(bench, request));
    },
  },
  "transfer QuoteAmountChanged": {
    run: async ({ remit, ground, sandbox, trace }) => {
      const request = await ground.transfer(remit);
      await sandbox.clock.advance(16 * MINUTE_MS);
      trace.action("clock", { minutes: 16 });
      return done(remit.transfer(request));
    },
  },
  "transfer TransferDuplicatedByQuote": {
    run: async (bench) => {
      const { remit, ground } = bench;
      const request = await ground.transfer(remit);
      await remit.transfer(request);
      // The SDK gives the one transfer again; the code is for whoever sends without it.
      return pastTheSdk("TransferDuplicatedByQuote", () => remit.transfer(request), () => rawTransfer(bench, request));
    },
  },
  "quote QuoteByReceiveNotSupported": {
    run: ({ remit }) => quoteByReceive(remit, { dstCountryIso3Code: "CHL", dstCurrencyIso3Code: "CLP", transferMethod: "BANK_ACCOUNT" }),
  },
  "quote QuoteByReceiveNotEnabled": { run: async ({ kits }) => quoteByReceive(await kits.of("otherClient"), BANK) },
  "quote QuoteByReceiveForTransferMethodNotEnabled": { run: ({ remit }) => quoteByReceive(remit, CASH) },
  "transfer SourceCardAndReceivingCardMustBeUnique": {
    byHand: true,
    run: async (bench) => {
      const remit = await bench.kits.of("otherClient");
      const cardId = await bench.verified({ kit: remit }, () => wt("experiment.card", { number: spaced(ANY_CARD) }));
      const { recipientId } = await bench.ground.destination(remit, CARD);
      const { recipientAccountId } = await remit.createRecipientAccount(recipientId, { ...CARD, fields: [{ id: "CARD_ID", value: cardId }] });
      const request = await bench.ground.transfer(remit, AMOUNT, CARD, { recipientId, recipientAccountId });
      return done(remit.transfer({ ...request, sourceOfFunds: "PULL_FROM_CARD", sourceAccountId: cardId }));
    },
  },
  "transfer InvalidCardIssuerCountry": {
    byHand: true,
    run: async (bench) => {
      const remit = await bench.kits.of("otherClient");
      const cardId = await bench.verified({ kit: remit }, () => wt("experiment.card", { number: spaced(CARD_FROM_ABROAD) }));
      const request = await bench.ground.transfer(remit, AMOUNT);
      return done(remit.transfer({ ...request, sourceOfFunds: "PULL_FROM_CARD", sourceAccountId: cardId }));
    },
  },
  "createRecipientAccount BillingAndDestinationCurrencyCodeDiscrepancyError": {
    byHand: true,
    run: async (bench) => {
      const { remit } = bench;
      const cardId = await bench.verified({}, () => wt("experiment.card", { number: spaced(DOLLAR_CARD) }));
      const { recipientId } = await bench.ground.destination(remit, CARD);
      return done(remit.createRecipientAccount(recipientId, { ...CARD, fields: [{ id: "CARD_ID", value: cardId }] }));
    },
  },
  // For these two the form is only shown: what is entered wrong makes them.
  "cardForm ExpiryDateRequired": { expects: { event: "READY" }, run: (bench) => bench.card({}, ["READY"]) },
  "cardForm MinCardholderNames": { expects: { event: "READY" }, run: (bench) => bench.card({}, ["READY"]) },
  "cardForm InvalidCardOnboardingSession": {
    run: (bench) => bench.card({ options: { sessionId: NOBODY } }, ["CARD_VALIDATION_STOP_EXPIRED", "CARD_VALIDATION_STOP_FAIL"]),
  },
};

/** Pays cash at a Corner Pay, found as a customer finds it: through the choices of the transfer's fields. */
async function payCash({ remit, ground }: Bench, amount: number): Promise<Facts> {
  const form = await remit.transferFields(CASH);
  const values: Record<string, string> = {};
  for (const id of ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER", "PAYER_LOCATION"]) {
    const [first, ...others] = await form.options(id, values);
    const chosen = [first, ...others].find((one) => one?.name === "Corner Pay") ?? first;
    values[id] = chosen?.id ?? "";
  }
  const request = await ground.transfer(remit, amount, CASH);
  return done(remit.transfer({ ...request, fields: form.toFields(values) }));
}

function quoteByReceive(remit: RemitKit, corridor: Corridor): Promise<Facts> {
  return done(remit.quote({ ...corridor, srcCurrencyIso3Code: "USD", quoteBy: "RECEIVE_AMOUNT", amount: AMOUNT }));
}

/** Waits for a call that is to fail, and lets go of a kit that was made for it. */
async function done(call: Promise<unknown>, made?: RemitKit): Promise<Facts> {
  try {
    await call;
    return {};
  } finally {
    await made?.destroy();
  }
}

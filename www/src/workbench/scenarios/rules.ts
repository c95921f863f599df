import type { RemitKit } from "remitkit";
import { cardEntry } from "./cards";
import { AMOUNT, BANK, BANK_IN_INDIA, CARD, CASH, fields, QUOTE, UNKNOWN_ID } from "./fixtures";
import { recipientRequest, senderRequest, type Corridor } from "./fixtures";
import { callThenRaw, rawRequest, rawTransfer } from "./raw_requests";
import type { Bench, Scenario } from "./scenario";

type RunWithCard = (bench: Bench, remit: RemitKit, cardId: string) => Promise<void>;
type Rule = Pick<Scenario, "run"> & Partial<Scenario>;

const DOLLAR_CARD = "4000000000000051";
const FOREIGN_CARD = "4000000000000028";
const ANY_CARD = "4111111111111111";
/** The initial balance of the second client, in cents. */
const OTHER_BALANCE = 150_000;
/** Longer than a quote is held. */
const EXPIRY_MINUTES = 16;
const SHORT_ID = { ID_TYPE: "SSN", ID_NUMBER: "12" };
const CHILE: Corridor = { ...BANK, dstCountryIso3Code: "CHL", dstCurrencyIso3Code: "CLP" };

/** The triggers of the sandbox's table that take more than one request, by operation and code. */
export const RULES: Record<string, Scenario["run"] | Rule> = {
  "transfer SenderUndetermined": async ({ remit, kits, fixtures }) => {
    const request = await fixtures.transfer(remit);
    await (await kits.of("client")).transfer(request);
  },
  "createSender SenderInvalidTypeOfIdLength": async ({ kits }) => {
    await (await kits.of("client")).createSender(senderRequest(SHORT_ID));
  },
  "createRecipient RecipientInvalidTypeOfIdLength": ({ remit }) => {
    const { userType, fields: valid } = recipientRequest(BANK);
    const body = { userType, fields: [...valid, ...fields(SHORT_ID)] };
    const raw = () => rawRequest(remit, { method: "POST", path: "/v1/recipients", body });
    return callThenRaw("RecipientInvalidTypeOfIdLength", () => remit.createRecipient(body), raw);
  },
  "transfer Max24HourSendAmountLimitReached": async ({ kits, sandbox, fixtures, trace }) => {
    // A new sender, so that the demo's customer keeps her limits.
    const { senderId } = await (await kits.of("client")).createSender(senderRequest());
    const limits = { send24Hours: AMOUNT };
    await sandbox.setLimits(limits, senderId);
    trace.action("limits", limits);
    const remit = await kits.create("newSender", { token: () => sandbox.token(senderId) });
    const send = async () => void (await remit.transfer(await fixtures.transfer(remit)));
    await send().then(send).finally(() => remit.destroy());
  },
  "transfer MinCashPayerTransactionLimitNotReached": (bench) => payCash(bench, 500),
  "transfer MaxCashPayerTransactionLimitExceeded": (bench) => payCash(bench, 60_000),
  "transferReceipt TransferReceiptNotFound": async ({ remit, fixtures }) => {
    const request = { ...(await fixtures.transfer(remit)), customerHold: true };
    await remit.transferReceipt((await remit.transfer(request)).transferId);
  },
  "transfer InsufficientFunds": async ({ kits, fixtures, trace }) => {
    const [remit, sandbox] = await Promise.all([kits.of("otherClient"), kits.sandbox(1)]);
    const request = await fixtures.transfer(remit);
    await sandbox.setBalance(10);
    trace.action("balance", { cents: 10 });
    await remit.transfer(request).finally(() => sandbox.setBalance(OTHER_BALANCE));
  },
  "transfer SourceOfFundsRequired": async ({ kits, fixtures }) => {
    const remit = await kits.of("business");
    await remit.transfer(await fixtures.transfer(remit));
  },
  "transfer PurposeOfRemittanceRequired": async (bench) => {
    const { remit, fixtures } = bench;
    const request = await fixtures.transfer(remit, AMOUNT, BANK_IN_INDIA);
    const raw = () => rawTransfer(bench, request);
    return callThenRaw("PurposeOfRemittanceRequired", () => remit.transfer(request), raw);
  },
  "transfer QuoteAmountChanged": async ({ remit, fixtures, sandbox, trace }) => {
    const request = await fixtures.transfer(remit);
    await sandbox.clock.advance(EXPIRY_MINUTES * 60_000);
    trace.action("clock", { minutes: EXPIRY_MINUTES });
    await remit.transfer(request);
  },
  "transfer TransferDuplicatedByQuote": async (bench) => {
    const { remit, fixtures } = bench;
    const request = await fixtures.transfer(remit);
    await remit.transfer(request);
    // The SDK returns the same transfer again. Only a client without it gets the code.
    const raw = () => rawTransfer(bench, request);
    return callThenRaw("TransferDuplicatedByQuote", () => remit.transfer(request), raw);
  },
  "quote QuoteByReceiveNotSupported": ({ remit }) => quoteByReceive(remit, CHILE),
  "quote QuoteByReceiveNotEnabled": async ({ kits }) => quoteByReceive(await kits.of("otherClient"), BANK),
  "quote QuoteByReceiveForTransferMethodNotEnabled": ({ remit }) => quoteByReceive(remit, CASH),
  "transfer SourceCardAndReceivingCardMustBeUnique": withCard(ANY_CARD, async (bench, remit, cardId) => {
    const to = await addCard(bench, remit, cardId);
    const request = await bench.fixtures.transfer(remit, AMOUNT, CARD, to);
    await remit.transfer({ ...request, sourceOfFunds: "PULL_FROM_CARD", sourceAccountId: cardId });
  }),
  "transfer InvalidCardIssuerCountry": withCard(FOREIGN_CARD, async ({ fixtures }, remit, cardId) => {
    const request = await fixtures.transfer(remit);
    await remit.transfer({ ...request, sourceOfFunds: "PULL_FROM_CARD", sourceAccountId: cardId });
  }),
  "createRecipientAccount BillingAndDestinationCurrencyCodeDiscrepancyError": withCard(
    DOLLAR_CARD,
    async (bench, remit, cardId) => void (await addCard(bench, remit, cardId)),
  ),
  "cardForm ExpiryDateRequired": wrongInput(),
  "cardForm MinCardholderNames": wrongInput(),
  "cardForm InvalidCardOnboardingSession": (bench) => {
    const options = { sessionId: UNKNOWN_ID };
    return bench.card({ options }, ["CARD_VALIDATION_STOP_EXPIRED", "CARD_VALIDATION_STOP_FAIL"]);
  },
};

/** A rule that takes a verified card. Only the second client may pull money from cards. */
function withCard(number: string, run: RunWithCard): Rule {
  const caller = number === DOLLAR_CARD ? "customer" : "otherClient";
  const { about: ask } = cardEntry(number);
  return {
    byHand: true,
    run: async (bench) => {
      const kit = await bench.kits.of(caller);
      await run(bench, kit, await bench.verified({ kit }, ask));
    },
  };
}

/** A rule for which the form is only opened: wrong input causes the error. */
function wrongInput(): Rule {
  const note = "The form itself asks for it, and the page is not told: try it once the form is ready.";
  return { note, expects: "READY", run: (bench) => bench.card({}, ["READY"]) };
}

async function addCard({ fixtures }: Bench, remit: RemitKit, cardId: string) {
  const { recipientId } = await fixtures.destination(remit, CARD);
  const account = { ...CARD, fields: fields({ CARD_ID: cardId }) };
  const { recipientAccountId } = await remit.createRecipientAccount(recipientId, account);
  return { recipientId, recipientAccountId };
}

/** Pays cash at the first payer, found through the options of the transfer's fields. */
async function payCash({ remit, fixtures }: Bench, amount: number): Promise<void> {
  const form = await remit.transferFields(CASH);
  const values: Record<string, string> = {};
  for (const id of ["PAYER_STATE_PROVINCE", "PAYER_CITY", "PAYER", "PAYER_LOCATION"]) {
    const [first] = await form.options(id, values);
    values[id] = first?.id ?? "";
  }
  const request = await fixtures.transfer(remit, amount, CASH);
  await remit.transfer({ ...request, fields: form.toFields(values) });
}

async function quoteByReceive(remit: RemitKit, corridor: Corridor): Promise<void> {
  await remit.quote({ ...QUOTE, ...corridor, quoteBy: "RECEIVE_AMOUNT" });
}

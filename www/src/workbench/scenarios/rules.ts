import type { RemitKit } from "remitkit";
import { testCards } from "remitkit/testing";
import type { Caller } from "../kits";
import type { Attempt, Prepare } from "./attempt";
import { cardEntry, cardEvent } from "./cards";
import { QUOTE_EXPIRY } from "./disturbed_calls";
import { AMOUNT, BANK, CARD, CASH, INDIA, QUOTE, UNKNOWN_ID, type Corridor } from "./fixtures";
import { recipientRequest, requiredFields, senderRequest } from "./fixtures";
import type { Bench, Scenario } from "./scenario";

/** How to prepare a call that fails, or a scenario of its own. */
type Rule = Prepare | (Partial<Scenario> & { prepare?: Prepare });

/** The initial balance of the second client, in cents. */
const OTHER_BALANCE = 150_000;
const SHORT_ID = [{ id: "ID_TYPE", value: "SSN" }, { id: "ID_NUMBER", value: "12" }];
const CHILE: Corridor = { ...BANK, dstCountryIso3Code: "CHL", dstCurrencyIso3Code: "CLP" };
const BY_RECEIVE = { ...QUOTE, quoteBy: "RECEIVE_AMOUNT" };
const WRONG_INPUT: Rule = {
  note: "The form itself asks for it, and the page is not told: try it once the form is ready.",
  expects: "READY",
  run: (bench) => cardEvent(bench, ["READY"]),
};

/** The triggers of the sandbox's table that take more than one request, by operation and code. */
export const RULES: Record<string, Rule> = {
  "transfer SenderUndetermined": async ({ remit, fixtures }) => {
    return { caller: "client", request: await fixtures.transfer(remit) };
  },
  "createSender SenderInvalidTypeOfIdLength": async ({ remit }) => {
    const { fields, ...request } = await senderRequest(remit);
    return { caller: "client", request: { ...request, fields: [...fields, ...SHORT_ID] } };
  },
  "createRecipient RecipientInvalidTypeOfIdLength": async ({ remit }) => {
    const { userType, fields } = await recipientRequest(remit, BANK);
    return { request: { userType, fields: [...fields, ...SHORT_ID] }, raw: "POST /v1/recipients" };
  },
  "transfer Max24HourSendAmountLimitReached": async ({ kits, remit: own, sandbox, fixtures, trace }) => {
    // A new sender, so that the demo's customer keeps her limits.
    const { senderId } = await (await kits.of("client")).createSender(await senderRequest(own));
    const limits = { send24Hours: AMOUNT };
    await sandbox.setLimits(limits, senderId);
    trace.action("limits", limits);
    const remit = await kits.create("newSender", { token: () => sandbox.token(senderId) });
    await remit.transfer(await fixtures.transfer(remit));
    return { remit, request: await fixtures.transfer(remit), after: () => remit.destroy() };
  },
  "transfer MinCashPayerTransactionLimitNotReached": (bench) => payCash(bench, 500),
  "transfer MaxCashPayerTransactionLimitExceeded": (bench) => payCash(bench, 60_000),
  "transferReceipt TransferReceiptNotFound": async ({ remit, fixtures }) => {
    const request = { ...(await fixtures.transfer(remit)), customerHold: true };
    return { args: [(await remit.transfer(request)).transferId] };
  },
  "transfer InsufficientFunds": async ({ kits, fixtures, trace }) => {
    const [remit, sandbox] = await Promise.all([kits.of("otherClient"), kits.sandbox(1)]);
    const request = await fixtures.transfer(remit);
    await sandbox.setBalance(10);
    trace.action("balance", { cents: 10 });
    return { remit, request, after: () => sandbox.setBalance(OTHER_BALANCE) };
  },
  "transfer SourceOfFundsRequired": async ({ kits, fixtures }) => {
    return { caller: "business", request: await fixtures.transfer(await kits.of("business")) };
  },
  "transfer PurposeOfRemittanceRequired": async ({ remit, fixtures }) => {
    return { request: await fixtures.transfer(remit, INDIA), raw: "POST /v1/transfers" };
  },
  "transfer QuoteAmountChanged": async ({ remit, fixtures, sandbox, trace }) => {
    const request = await fixtures.transfer(remit);
    await sandbox.clock.advance(QUOTE_EXPIRY * 60_000);
    trace.action("clock", { minutes: QUOTE_EXPIRY });
    return { request };
  },
  "transfer TransferDuplicatedByQuote": async ({ remit, fixtures }) => {
    const request = await fixtures.transfer(remit);
    await remit.transfer(request);
    // The SDK returns the same transfer again. Only a client without it gets the code.
    return { request, raw: "POST /v1/transfers" };
  },
  "quote QuoteByReceiveNotSupported": () => ({ request: { ...BY_RECEIVE, ...CHILE } }),
  "quote QuoteByReceiveNotEnabled": () => ({ caller: "otherClient", request: BY_RECEIVE }),
  "quote QuoteByReceiveForTransferMethodNotEnabled": () => ({ request: { ...BY_RECEIVE, ...CASH } }),
  "transfer SourceCardAndReceivingCardMustBeUnique": withCard(
    testCards.success,
    async ({ fixtures }, remit, cardId) => {
      const { args, request } = await fixtures.cardAccount(remit, cardId);
      const { recipientAccountId } = await remit.createRecipientAccount(...args, request);
      const transfer = await fixtures.transfer(remit, CARD);
      return { request: { ...transfer, recipientAccountId, ...pulledFrom(cardId) } };
    },
    "otherClient",
  ),
  "transfer InvalidCardIssuerCountry": withCard(
    testCards.foreign,
    async ({ fixtures }, remit, cardId) => {
      return { request: { ...(await fixtures.transfer(remit)), ...pulledFrom(cardId) } };
    },
    "otherClient",
  ),
  "createRecipientAccount BillingAndDestinationCurrencyCodeDiscrepancyError": withCard(
    testCards.dollarsOnly,
    ({ fixtures }, remit, cardId) => fixtures.cardAccount(remit, cardId),
  ),
  "cardForm ExpiryDateRequired": WRONG_INPUT,
  "cardForm MinCardholderNames": WRONG_INPUT,
  "cardForm InvalidCardOnboardingSession": {
    run: (bench) => {
      const until = ["CARD_VALIDATION_STOP_EXPIRED", "CARD_VALIDATION_STOP_FAIL"] as const;
      return cardEvent(bench, until, { sessionId: UNKNOWN_ID });
    },
  },
};

/** A rule that takes a verified card. */
function withCard(
  { number }: { number: string },
  prepare: (bench: Bench, remit: RemitKit, cardId: string) => Promise<Attempt>,
  caller?: Caller,
): Rule {
  const { about: ask } = cardEntry(number);
  return {
    byHand: true,
    prepare: async (bench) => {
      const remit = await bench.kits.of(caller);
      const { cardId } = await (await bench.cardForm({}, ask, remit)).completed;
      return { remit, ...(await prepare(bench, remit, cardId)) };
    },
  };
}

/** Only the second client may pull money from cards. */
function pulledFrom(cardId: string) {
  return { sourceOfFunds: "PULL_FROM_CARD", sourceAccountId: cardId };
}

/** Pays cash at the first payer among the options of the transfer's fields. */
async function payCash({ remit, fixtures }: Bench, amount: number): Promise<Attempt> {
  const fields = await requiredFields(await remit.transferFields(CASH), CASH.dstCountryIso3Code);
  return { request: { ...(await fixtures.transfer(remit, { ...CASH, amount })), fields } };
}

import {
  connectSandbox,
  fakeCardForm,
  fakeCardFrame,
  fakeRemitKit,
  fillCardForm,
  startSandbox,
  testCards,
  triggers,
  withTrigger,
  type PageLike,
  type Sandbox,
} from "remitkit/testing";

declare const sandbox: Sandbox;
declare const page: PageLike;

// @ts-expect-error a port is a number
startSandbox({ port: "4100" });
// @ts-expect-error there is no such option
startSandbox({ cards: 4101 });
// @ts-expect-error a sandbox that another process has started is not stopped from here
sandbox.stop();
// @ts-expect-error the card form has an address, too
connectSandbox({ baseUrl: "http://127.0.0.1:4100" });
// @ts-expect-error a fault has a path
sandbox.faults.add({ kind: "drop" });
// @ts-expect-error there is no such fault
sandbox.faults.add({ kind: "explode", path: "*" });
// @ts-expect-error there is no such behaviour
sandbox.cardSessions.next("moody");
// @ts-expect-error no amount leads to it
triggers.RecipientNotFound.amount;
// @ts-expect-error there is no such code
triggers.QuoteChanged;
// @ts-expect-error constants are not to be changed
triggers.QuoteAmountChanged.amount = 5;
// @ts-expect-error a card that is verified has no code
testCards.success.code;
// @ts-expect-error a rule cannot be put into a request
withTrigger({ amount: 5 }, triggers.QuoteAmountChanged.ways[1]);
// @ts-expect-error there is no such message
fakeCardFrame({ script: ["CARD_VALIDATION_STARTED"] });
// @ts-expect-error it is said by the form, by a frame in it, or from elsewhere
fakeCardFrame({ script: [{ event: "CARD_VALIDATION_START", from: "page" }] });
// @ts-expect-error a form has no such event
fakeCardForm({ events: ["COMPLETED"] });
// @ts-expect-error a kit has no such method
fakeRemitKit({ quotes: async () => [] });
// @ts-expect-error a card is named
fillCardForm(page, { name: "Ana Garcia" });
// @ts-expect-error a selector is no page
fillCardForm("iframe", { card: testCards.success });

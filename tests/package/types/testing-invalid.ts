import * as testing from "remitkit/testing";

declare const sandbox: testing.Sandbox;
declare const page: testing.PageLike;
const { testCards, triggers } = testing;

// Each line below is an error.

testing.startSandbox({ port: "4100" });
testing.startSandbox({ cards: 4101 });
testing.startSandbox({ config: { countrys: [] } });
sandbox.addCard({ number: "4242424242424242", result: "lost" });
sandbox.stop();
testing.connectSandbox({ baseUrl: "http://127.0.0.1:4100" });
sandbox.faults.add({ kind: "drop" });
sandbox.faults.add({ kind: "explode", path: "*" });
sandbox.cardSessions.next("moody");
triggers.RecipientNotFound.amount;
triggers.QuoteChanged;
triggers.QuoteAmountChanged.amount = 5;
testCards.success.code;
testing.withTrigger({ amount: 5 }, triggers.QuoteAmountChanged.ways[1]);
testing.fakeCardFrame({ script: ["CARD_VALIDATION_STARTED"] });
testing.fakeCardFrame({ script: [{ event: "CARD_VALIDATION_START", from: "page" }] });
testing.fakeCardForm({ events: ["COMPLETED"] });
testing.fakeRemitKit({ quotes: async () => [] });
testing.fillCardForm(page, { name: "Ana Garcia" });
testing.fillCardForm("iframe", { card: testCards.success });

// No line below a mark may compile.

import * as testing from "remitkit/testing";

declare const sandbox: testing.Sandbox;
declare const page: testing.PageLike;
const { testCards, triggers } = testing;

// @ts-expect-error a port is a number
testing.startSandbox({ port: "4100" });
// @ts-expect-error no such option
testing.startSandbox({ cards: 4101 });
// @ts-expect-error another process stops the sandbox that it has started
sandbox.stop();
// @ts-expect-error the card form has an address, too
testing.connectSandbox({ baseUrl: "http://127.0.0.1:4100" });
// @ts-expect-error a fault has a path
sandbox.faults.add({ kind: "drop" });
// @ts-expect-error no such fault
sandbox.faults.add({ kind: "explode", path: "*" });
// @ts-expect-error no such behaviour
sandbox.cardSessions.next("moody");
// @ts-expect-error no amount triggers it
triggers.RecipientNotFound.amount;
// @ts-expect-error no such code
triggers.QuoteChanged;
// @ts-expect-error read-only
triggers.QuoteAmountChanged.amount = 5;
// @ts-expect-error a card that is verified has no code
testCards.success.code;
// @ts-expect-error a rule cannot be put into a request
testing.withTrigger({ amount: 5 }, triggers.QuoteAmountChanged.ways[1]);
// @ts-expect-error no such message
testing.fakeCardFrame({ script: ["CARD_VALIDATION_STARTED"] });
// @ts-expect-error no such sender of a message
testing.fakeCardFrame({ script: [{ event: "CARD_VALIDATION_START", from: "page" }] });
// @ts-expect-error no such event
testing.fakeCardForm({ events: ["COMPLETED"] });
// @ts-expect-error no such method
testing.fakeRemitKit({ quotes: async () => [] });
// @ts-expect-error the card is missing
testing.fillCardForm(page, { name: "Ana Garcia" });
// @ts-expect-error a selector is no page
testing.fillCardForm("iframe", { card: testCards.success });

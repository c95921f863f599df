import { connectSandbox, fakeRemitKit, testCards } from "remitkit/testing";
import { RemitError } from "remitkit";
import { customer, equal, errorOf, ok, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const shown = [];
  const show = (text) => shown.push(text);
  const countTransfers = async () => (await sandbox.transfers()).length;

  // A refused card, then an accepted one.
  const typing = customer.entersCard(testCards.prepaid).then(async () => {
    await until(async () => (await customer.dialogs()).length > 0, "the alert");
    await customer.entersCard(testCards.success);
  });
  // sample: Take a card
  await typing;
  equal(await customer.dialogs(), ["This card could not be verified."]);
  ok(/^\d+$/.test(cardId), "the card's id");
  equal(document.querySelector("#card").childElementCount, 0);

  // sample: From a quote to a transfer
  equal(problems, []);
  ok(confirmationNumber, "a confirmation number");
  equal((await sandbox.transfers()).map((transfer) => transfer.recipientId), [recipientId]);
  // sample: From a quote to a transfer
  const again = fields.valuesOf(await remit.getRecipient(recipientId));
  equal([again.firstName, again.ADDRESS_LINE_1], ["Ana", "Calle 5 de Mayo 3"]);

  /** Returns the request for a transfer of this amount. */
  const requestOf = async (amount: number) => {
    const request = { ...price, quoteBy: quoteBy as "SEND_AMOUNT", amount, recipientId };
    return { ...request, quoteHistoryId: (await remit.quote(request)).quoteHistoryId };
  };

  {
    const prices = [];
    const showPrice = (quote) => prices.push(quote);
    const failures = [];
    const customerTriesAgain = async (error) => failures.push(error.code) < 3;
    await sandbox.cardSessions.next("expired"); // a second round of the loop
    const typing = customer.entersCard(testCards.prepaid).then(async () => {
      await until(() => shown.includes("Try another card."));
      await customer.entersCard(testCards.success);
    });
    // sample: Push-to-Card in one loop
    await typing;
    equal(failures, ["InvalidCardOnboardingSession"]);
    equal([prices.length, await countTransfers()], [1, 2]);
    equal(document.querySelector("#card").childElementCount, 0);
  }

  {
    const form = await remit.cardForm({ container: "#card" });
    const logged = [];
    const console = { log: (text) => logged.push(text) };
    const reading = (async () => {
      // sample: Card form events
    })();
    {
      await until(() => logged.includes("READY"), "the form");
      await customer.losesForms();
      // sample: Card form events
      const message = () => document.querySelector("#card [role=alert]");
      await until(message, "the message");
      const button = message().nextSibling;
      const texts = [message().textContent, button.textContent];
      equal(texts, ["The card form is not available right now.", "Retry"]);
      await customer.findsForms();
      button.click();
      await until(() => message() === null, "the form in its place");
      own.destroy();
    }
    const typing = customer.entersCard(testCards.success);
    // sample: Card form events
    await until(() => shown.some((text) => /^1[78]\d\d s$/.test(text)), "the seconds of half an hour");
    await typing;
    await form.completed;
    form.destroy();
    await reading;
    equal(logged, ["READY", "CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS"]);
  }

  for (const [colorScheme, brand] of [["light", "#076"], ["dark", "#5fd3b3"]]) {
    await customer.emulateMedia({ colorScheme });
    const form = await remit.cardForm({ container: "#card" });
    const tables = [];
    const console = { table: (rows) => tables.push(rows) };
    {
      // sample: Theme
    }
    equal(tables, [[]]); // nothing is hard to read
    equal(new URL(form.url).searchParams.get("buttonColor"), brand);
    form.destroy();
  }

  {
    let quotes = 0;
    const showNewQuote = async () => void (quotes += 1);
    const pay = async (remit, request) => {
      // sample: Errors
    };
    const request = await requestOf(10000);
    await sandbox.moveRate("MXN", 10000);
    await pay(remit, request);
    equal(quotes, 1);
    await sandbox.setBalance(0);
    await pay(remit, await requestOf(10000));
    equal(shown.at(-1), "The account's balance does not cover this transfer.");
    await sandbox.setBalance(1_000_000_00);
    let resumed = 0;
    const unknown = new RemitError("OutcomeUnknown", "", { kind: "outcome_unknown", retryable: false });
    unknown.attempt = { resume: async () => void (resumed += 1) };
    await pay(fakeRemitKit({ transfer: () => Promise.reject(unknown) }).remit, {});
    equal(resumed, 1);
  }

  {
    // A page left before the reply to a transfer, and before sending another.
    const before = await countTransfers();
    const left = await remit.prepareTransfer(await requestOf(2000));
    const attempt = await remit.prepareTransfer(await requestOf(2100));
    await sandbox.faults.add(
      { kind: "drop", when: "after", method: "POST", path: "/v1/transfers" },
      { kind: "status", path: "/v1/transfers/progress/*", count: 20 },
    );
    const error = await errorOf(attempt.submit({ signal: AbortSignal.timeout(700) }));
    equal(error.kind, "outcome_unknown");
    await sandbox.faults.clear();
    // sample: A transfer happens once
    ok(/^Your transfer \S+ was made\.$/.test(shown.at(-1)), shown.at(-1));
    equal([await countTransfers(), left.state], [before + 1, "PREPARED"]);
    await left.discard();
  }

  for (const paid of [false, true]) {
    const order = { id: "17" };
    const before = await countTransfers();
    const request = await requestOf(2300);
    // sample: A transfer happens once
    equal(await countTransfers(), before + (paid ? 0 : 1));
    if (paid) ok(/^Paid before, by transfer \S{36}\.$/.test(shown.at(-1)), shown.at(-1));
  }

  {
    const before = await countTransfers();
    const request = await requestOf(2200);
    await sandbox.moveRate("MXN", -20000);
    const asked = [];
    const customerAgrees = async (...args) => asked.push(args);
    // sample: When the price changes
    const [[quote, previous, less], ...others] = asked;
    ok(less < 0, "less for the recipient");
    equal(less, quote.receiveAmount.value - previous.receiveAmount.value);
    equal([others.length, await countTransfers()], [0, before + 1]);
  }

  {
    const entries = [];
    const console = { debug: (entry) => entries.push(entry) };
    // sample: Watching it live
    equal(entries.map(({ operation, status }) => [operation, status]), [["corridors", 200]]);
  }

  {
    // sample: Amounts
  }

  {
    // sample: Bundlers and servers
    ok((await remit.corridors()).length > 0);
  }

  // sample: Ready when the customer is

  {
    // sample: Ready when the customer is
    const links = new DOMParser().parseFromString(html, "text/html").querySelectorAll("link");
    const [script, file] = links;
    equal([script.rel, file.rel, file.type], ["modulepreload", "preload", "application/wasm"]);
  }
};

import { createRoot } from "react-dom/client";
import { createRemitKit } from "remitkit";
import { testCards } from "remitkit/testing";
import { customer, equal, fillRecipient, textOf, until } from "./check.js";

export default async ({ baseUrl, cardUrl }) => {
  const place = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
  const route = { ...place, srcCurrencyIso3Code: "USD" };
  const shown = [];
  const show = (text) => shown.push(text);
  const cards = [];
  const addAccount = (cardId) => cards.push(cardId);
  const root = createRoot(document.querySelector("#root"));

  // sample: React: remitkit/react

  root.render(<Checkout />);
  await until(() => /^\$1\d\d\.\d\d$/.test(textOf("output")), "the price of 125.50 dollars");
  await until(() => /\d+$/.test(textOf("#root > div")), "the seconds that it holds");
  await customer.fill("#root input", "3");
  await until(() => /^\$[3-9]\.\d\d$/.test(textOf("output")), "the price of 3 dollars");
  await customer.fill("#root input", "3,x");
  await until(() => textOf("[role=alert]") === "Enter an amount, such as 125.50.");
  await customer.entersCard(testCards.prepaid);
  await until(() => shown.includes("Try another card."));
  await customer.entersCard(testCards.success);
  await until(() => cards.length === 1);

  // sample: React: remitkit/react

  const remit = await createRemitKit(options);
  const { destinationCountry } = await remit.quote({ ...route, quoteBy: "SEND_AMOUNT", amount: 100 });
  const done = [];
  const form = <Recipient query={place} country={destinationCountry} onDone={(fields) => done.push(fields)} />;
  root.render(<RemitKitProvider remit={remit}>{form}</RemitKitProvider>);
  await until(() => document.querySelector("form label"), "the fields");
  await fillRecipient("form", await remit.recipientFields(place));
  await until(() => done.length === 1, "the recipient's fields");
  const phone = { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" };
  equal(done[0].find(({ id }) => id === "PHONE_NUMBER").value, phone);
  await remit.createRecipient({ ...place, userType: "PERSON", fields: done[0] });

  // sample: React: remitkit/react
  await customer.losesForms();
  root.render(<RemitKitProvider remit={remit}>{card}</RemitKitProvider>);
  const message = "The card form could not be loaded. Please try again. Try again";
  await until(() => textOf("[role=alert]") === message);
  await customer.findsForms();
  document.querySelector("[role=alert] button").click();
  await until(() => document.activeElement?.localName === "iframe", "the focus in the form");
  await until(() => document.querySelector("[role=alert]") === null, "no message beside the form");
};

import { createRoot } from "react-dom/client";
import { createRemitKit } from "remitkit";
import { testCards } from "remitkit/testing";
import { customer, until } from "./check.js";

export default async ({ baseUrl, cardUrl }) => {
  const place = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
  const route = { ...place, srcCurrencyIso3Code: "USD" };
  const show = (_: string) => {};
  const cards = [];
  const addAccount = (cardId) => cards.push(cardId);
  const root = createRoot(document.querySelector("#root"));
  const textOf = (selector) => document.querySelector(selector)?.textContent;

  // sample: React: remitkit/react

  root.render(<Checkout />);
  await until(() => /^\$1\d\d\.\d\d$/.test(textOf("output")), "the price of 125.50 dollars");
  await customer.fill("#root input", "3,x");
  await until(() => textOf("[role=alert]") === "Enter an amount, such as 125.50.");
  await customer.entersCard(testCards.success);
  await until(() => cards.length === 1);

  // sample: React: remitkit/react

  const remit = await createRemitKit(options);
  const sent = [];
  const form = <Recipient query={place} onDone={(fields) => sent.push(fields)} />;
  root.render(<RemitKitProvider remit={remit}>{form}</RemitKitProvider>);
  await until(() => document.querySelector("form select option + option"), "choices");
  await customer.click("form button");
  await until(() => document.activeElement.matches("form [aria-invalid=true]"), "the focus in a wrong field");
  const describedBy = document.activeElement.getAttribute("aria-describedby")!.split(" ");
  const problem = document.getElementById(describedBy.at(-1)!)!;
  await until(() => problem.textContent !== "", "a problem");

  // sample: React: remitkit/react
  await customer.losesForms();
  root.render(<RemitKitProvider remit={remit}>{card}</RemitKitProvider>);
  await until(() => /^(The card form could not be loaded\.|If the card form is not shown here, please try again\.).* Try again$/.test(textOf("[role=alert]")));
  await customer.findsForms();
  document.querySelector("[role=alert] button").click();
  await until(() => document.activeElement?.localName === "iframe", "the focus in the form");
};

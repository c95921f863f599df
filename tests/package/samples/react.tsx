import { createRoot } from "react-dom/client";
import { createRemitKit } from "remitkit";
import { connectSandbox, testCards } from "remitkit/testing";
import { customer, equal, submitTwice, translate, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const place = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };
  const route = { ...place, srcCurrencyIso3Code: "USD" };
  const show = (_: string) => {};
  const cards = [];
  const addAccount = (cardId) => cards.push(cardId);
  const root = createRoot(document.querySelector("#root"));
  const textOf = (selector) => document.querySelector(selector)?.textContent;
  let disclosures;
  const { fetch } = window;
  window.fetch = async (...args) => {
    const reply = await fetch(...args);
    if (disclosures === undefined || !reply.url.includes("/v1/quote?")) return reply;
    return Response.json({ ...(await reply.json()), disclosures });
  };

  // sample: React: remitkit/react

  await sandbox.setLifetimes({ quoteSeconds: 4 });
  root.render(<Checkout />);
  const isPriced = () => /^\$1\d\d\.\d\d$/.test(textOf("output"));
  await until(isPriced, "the price of 125 dollars");
  // React must not look for texts that a translator has replaced.
  translate(document.querySelector("#root"));
  const isExpired = () => document.querySelector("output ~ button")?.textContent === "New price";
  await until(isExpired, "the end of the price");
  equal(textOf("output ~ p").trim().startsWith("The recipient may receive less"), true);
  await sandbox.setLifetimes({ quoteSeconds: 900 });
  await customer.click("output ~ button");
  await until(() => isPriced() && /^\d+$/.test(textOf("output ~ span")), "a new price");
  const seconds = textOf("output ~ span");
  await until(() => textOf("output ~ span") !== seconds, "the next second");
  const legalTexts = () => [...document.querySelectorAll("output ~ p")].map(({ textContent }) => textContent.trim());
  const prices = { 126: ["Fees", "Paid by you."], 127: [undefined, "A later text."], 128: ["Taxes", "None."] };
  for (const [amount, [title, text]] of Object.entries(prices)) {
    disclosures = [{ title, text }, "The same for each price."];
    await customer.fill("#root input", amount);
    const expected = [title ? `${title} ${text}` : text, "The same for each price."].join();
    await until(() => legalTexts().join() === expected, `${expected} of the price of ${amount}`);
  }
  await customer.fill("#root input", "3,x");
  await until(() => textOf("[role=alert]") === "Enter a valid amount.");
  document.documentElement.lang = "de";
  await customer.fill("#root input", "125,50");
  await until(() => /^1\d\d,\d\d\s\$$/.test(textOf("output")), "the price of 125,50 on a German page");
  document.documentElement.lang = "en";
  await customer.entersCard(testCards.success);
  await until(() => cards.length === 1);

  // sample: React: remitkit/react

  const remit = await createRemitKit(options);
  const sent = [];
  let fails;
  const isDone = new Promise((_, reject) => (fails = reject));
  const onDone = (fields) => {
    sent.push(fields);
    return isDone;
  };
  const form = <Recipient query={place} onDone={onDone} />;
  root.render(<RemitKitProvider remit={remit}>{form}</RemitKitProvider>);
  await until(() => document.querySelector("form select option + option"), "choices");
  await customer.click("form button");
  await until(() => document.activeElement.matches("form [aria-invalid=true]"), "the focus in a wrong field");
  const describedBy = document.activeElement.getAttribute("aria-describedby")!.split(" ");
  const problem = document.getElementById(describedBy.at(-1)!)!;
  await until(() => problem.textContent !== "", "a problem");
  const values = { firstName: "Ana", lastName: "Pérez", ADDRESS_LINE_1: "Calle 5" };
  for (const [id, value] of Object.entries(values)) await customer.fill(`form [name=${id}]`, value);
  await until(() => problem.textContent === "", "no problem");
  submitTwice(document.querySelector("form"));
  await customer.click("form button");
  equal(sent.length, 1);
  fails(new Error("refused"));
  await isDone.catch(() => {});
  submitTwice(document.querySelector("form"));
  equal(sent.length, 2);

  // sample: React: remitkit/react
  await customer.losesForms();
  root.render(<RemitKitProvider remit={remit}>{card}</RemitKitProvider>);
  await until(() => /^(The card form could not be loaded\.|If the card form is not shown here, please try again\.).* Try again$/.test(textOf("[role=alert]")));
  await customer.findsForms();
  document.querySelector("[role=alert] button").click();
  await until(() => document.activeElement?.localName === "iframe", "the focus in the form");
};

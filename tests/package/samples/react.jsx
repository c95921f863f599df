import { createRoot } from "react-dom/client";
import { createRemitKit } from "remitkit";
import { connectSandbox, testCards } from "remitkit/testing";
import { customer, equal, ok, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const route = {
    dstCountryIso3Code: "MEX",
    dstCurrencyIso3Code: "MXN",
    srcCurrencyIso3Code: "USD",
    transferMethod: "PUSH_TO_CARD",
  };
  const shown = [];
  const show = (text) => shown.push(text);
  const cards = [];
  const addAccount = (cardId) => cards.push(cardId);
  const root = createRoot(document.querySelector("#root"));
  const text = (selector) => document.querySelector(selector)?.textContent;

  // sample: React: remitkit/react

  root.render(<Checkout />);
  await until(() => /^\$1\d\d\.\d\d$/.test(text("output")), "the price of 125.50 dollars");
  ok(/\d+$/.test(text("#root > div")), "how long it holds");
  await customer.fill("#root input", "3");
  await until(() => /^\$[3-9]\.\d\d$/.test(text("output")), "the price of 3 dollars");
  await customer.fill("#root input", "3,x");
  await until(() => text("[role=alert]") === "Enter an amount, such as 125.50.");
  await customer.entersCard(testCards.prepaid);
  await until(() => shown.includes("Try another card."));
  await customer.entersCard(testCards.success);
  await until(() => cards.length === 1);
  root.render(<RemitKitProvider options={{ ...options, token: "none" }}><CardForm onError={(error) => show(error.kind)} /></RemitKitProvider>);
  await until(() => shown.includes("authentication"));

  // sample: React: remitkit/react

  const remit = await createRemitKit(options);
  const { destinationCountry } = await remit.quote({ ...route, quoteBy: "SEND_AMOUNT", amount: 100 });
  const done = [];
  const query = { ...route, recipientType: "PERSON" };
  delete query.srcCurrencyIso3Code;
  root.render(
    <RemitKitProvider remit={remit}>
      <Recipient query={query} country={destinationCountry} onDone={(fields) => done.push(fields)} />
    </RemitKitProvider>,
  );
  await until(() => document.querySelector("form label"), "the fields");
  const labels = () => [...document.querySelectorAll("label")];
  const all = (await remit.recipientFields(query)).fieldSets.flatMap((set) => set.fields);
  const visible = all.filter(({ visibility }) => !visibility.startsWith("HIDE"));
  ok(visible.length < all.length, "a hidden field among them");
  equal(labels().length, visible.length);
  ok([...document.querySelectorAll("select")].every((select) => select.selectedOptions[0].text === "Choose"), "no choice made");
  await customer.click("form button");
  await until(() => document.querySelectorAll("[aria-invalid=true]").length === visible.filter((field) => field.isRequired).length);
  equal(done, []);
  const named = (id) => `label:nth-of-type(${visible.findIndex(({ fieldId }) => fieldId === id) + 1})`;
  await customer.fill(`${named("firstName")} input`, "Ana");
  await customer.fill(`${named("lastName")} input`, "Rojas");
  await customer.fill(`${named("ADDRESS_LINE_1")} input`, "Av. Juárez 12");
  await customer.fill(`${named("PHONE_NUMBER")} input`, "5512345678");
  await until(() => document.querySelectorAll(`${named("ADDRESS_STATE")} option`).length > 2, "the states");
  await customer.selectOption(`${named("ADDRESS_STATE")} select`, { index: 2 });
  await until(() => document.querySelectorAll(`${named("ADDRESS_CITY")} option`).length > 1, "the state's cities");
  await customer.selectOption(`${named("ADDRESS_CITY")} select`, { index: 1 });
  await customer.click("form button");
  await until(() => done.length === 1, "the recipient's fields");
  const { recipientId } = await remit.createRecipient({ ...query, recipientType: undefined, userType: "PERSON", fields: done[0] });
  ok(recipientId, "a recipient");
  equal(done[0].find(({ id }) => id === "PHONE_NUMBER").value, { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" });
  ok((await sandbox.requests()).some(({ route, status }) => route === "/v1/recipients" && status < 300), "a recipient that was made");

  // sample: React: remitkit/react
  await customer.losesForms();
  root.render(<RemitKitProvider remit={remit}>{card}</RemitKitProvider>);
  await until(() => /^The card form could not be loaded. Please try again. Try again$/.test(text("[role=alert]")), "the message");
  await customer.findsForms();
  document.querySelector("[role=alert] button").click();
  await until(() => document.activeElement?.localName === "iframe", "the form, which has the focus");
  await until(() => document.querySelector("[role=alert]") === null, "no message beside the form");
};

import { createRemitKit, isRemitError, RemitError } from "remitkit";
import { connectSandbox } from "remitkit/testing";
import { customer, equal, errorOf, ok, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const token = () => sandbox.token();
  const shown = [];
  const show = (text) => shown.push(text);
  const options = { baseUrl, cardUrl, token };

  // sample: The wasm does not load
  const remit = await openKit(options);
  equal((await errorOf(openKit({ ...options, baseUrl: "no address" }))).option, "baseUrl");

  await (async () => {
    document.body.insertAdjacentHTML("beforeend", '<form id="recipient"></form>');
    const route = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
    const price = { ...route, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: 100 };
    // sample: A form without a framework
    const all = (await remit.recipientFields(route)).fieldSets.flatMap((set) => set.fields);
    const visible = all.filter(({ visibility }) => !visibility.startsWith("HIDE"));
    const labels = [...document.querySelectorAll("#recipient label")];
    equal(labels.length, visible.length);
    const nth = (id) => `#recipient label:nth-of-type(${visible.findIndex(({ fieldId }) => fieldId === id) + 1})`;
    await customer.click("#recipient button");
    equal(document.querySelectorAll("#recipient [aria-invalid=true]").length, visible.filter((field) => field.isRequired).length);
    for (const [id, value] of [["firstName", "Ana"], ["lastName", "Rojas"], ["ADDRESS_LINE_1", "Av. Juárez 12"], ["PHONE_NUMBER", "5512345678"]]) {
      await customer.fill(`${nth(id)} input`, value);
    }
    await customer.selectOption(`${nth("ADDRESS_STATE")} select`, { index: 2 });
    await until(() => document.querySelectorAll(`${nth("ADDRESS_CITY")} option`).length > 2, "the state's cities");
    await customer.selectOption(`${nth("ADDRESS_CITY")} select`, { index: 1 });
    await customer.click("#recipient button");
    await until(async () => (await sandbox.requests()).some(({ route, method, status }) => method === "POST" && route === "/v1/recipients" && status === 201), "a recipient");
    document.querySelector("#recipient").remove();
  })();

  // sample: A content security policy
  equal(header, `script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${baseUrl} ${cardUrl}; frame-src ${cardUrl}`);

  const place = document.querySelector("#card");
  // sample: The height of the card form
  for (const [width, height] of [[320, 640], [500, 590]]) {
    place.style.width = `${width}px`;
    await until(() => form.element.offsetHeight === height, `a height of ${height} in ${width}`);
  }
  place.style.width = "";

  await (async () => {
    // sample: The customer's language
    await sandbox.faults.add({ kind: "nonJson", path: "/v1/corridors", count: 3 });
    const { message } = await errorOf(spanish.corridors());
    ok(/servicio/.test(message), message);
    ok((await customer.navigations()).some((url) => url.includes("lng=es-MX")), "a form in Spanish");
    await spanish.destroy();
  })();

  // sample: Retries

  // sample: What to show when something fails
  const problem = { fieldId: "firstName", code: "MissingRequiredField", message: "Enter the first name." };
  const problems = [problem, { ...problem, label: "First name" }];
  const failure = (kind, more) => new RemitError("Any", `of ${kind}`, { kind, retryable: false, ...more });
  equal(explain(failure("field", { problems })), "Enter the first name. First name: Enter the first name.");
  equal(explain(failure("quote")), "The price has changed. Please look at the new one.");
  equal(explain(failure("timeout")), "The service does not answer. Please try again.");
  equal(explain(failure("card")), "of card");

  // sample: A bundler that does not find the wasm
  ok((await inline.corridors()).length > 0);

  // sample: Content blockers and locked-down browsers
  form.destroy();
  {
    const form = await remit.cardForm({ container: "#card", loadTimeoutMs: 20_000 });
    form.destroy();
  }
  ok(isRemitError(await errorOf(form.completed)));
};

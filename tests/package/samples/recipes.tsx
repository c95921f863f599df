import { createRemitKit, isRemitError, RemitError } from "remitkit";
import { connectSandbox } from "remitkit/testing";
import { countRecipients, customer, equal, errorOf, ok, submitTwice, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const token = () => sandbox.token();
  const shown = [];
  const show = (what) => shown.push(what);
  const remit = await createRemitKit({ baseUrl, cardUrl, token });

  {
    document.body.insertAdjacentHTML("beforeend", '<form id="recipient"></form>');
    const place = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
    const route = { ...place, transferMethod: "BANK_ACCOUNT" } as const;
    // sample: A form without a framework
    await until(() => document.querySelector("#recipient select option + option"), "choices");
    await customer.click("#recipient button");
    ok(document.activeElement.matches("#recipient [aria-invalid=true]"), "the focus in a wrong field");
    const values = { firstName: "Ana", lastName: "Pérez", ADDRESS_LINE_1: "Calle 5" };
    for (const [id, value] of Object.entries(values)) await customer.fill(`#recipient [name=${id}]`, value);
    await sandbox.faults.add({ kind: "status", status: 400, method: "POST", path: "/v1/recipients" });
    submitTwice(document.querySelector("#recipient"));
    await until(() => shown.length === 1, "a message");
    submitTwice(document.querySelector("#recipient"));
    await until(() => shown.length === 2, "the recipient");
    await customer.click("#recipient button");
    equal([typeof shown[1].recipientId, await countRecipients(sandbox)], ["string", 2]);
    document.querySelector("#recipient").remove();
  }

  // sample: A content security policy
  const connect = `connect-src 'self' ${baseUrl} ${cardUrl}`;
  equal(header, `script-src 'self' 'wasm-unsafe-eval'; ${connect}; frame-src ${cardUrl}`);

  const place = document.querySelector<HTMLElement>("#card")!;
  // sample: The height of the card form
  for (const [width, height] of [[320, 640], [500, 590]]) {
    place.style.width = `${width}px`;
    await until(() => form.element.offsetHeight === height, `a height of ${height} in ${width}`);
  }
  place.style.width = "";

  {
    const form = await remit.cardForm({ container: "#card" });
    // sample: Pages that replace parts of themselves
    document.dispatchEvent(new Event("livewire:navigating"));
    equal((await errorOf(form.completed)).code, "CardFormDestroyed");
  }

  {
    // sample: The customer's language
    await until(async () => (await customer.navigations()).some((url) => url.includes("lng=es-MX")));
    await spanish.destroy();
  }

  // sample: What to show when something fails
  const problem = { fieldId: "firstName", code: "MissingRequiredField", message: "Enter the first name." };
  const failure = (kind, more) => new RemitError("Any", `of ${kind}`, { kind, retryable: false, ...more });
  const problems = [problem, { ...problem, label: "First name" }];
  equal(explain(failure("field", { problems })), "Enter the first name. First name: Enter the first name.");
  equal(explain(failure("card")), "of card");

  // sample: Content blockers and locked-down browsers
  form.destroy();
  ok(isRemitError(await errorOf(form.completed)));
};

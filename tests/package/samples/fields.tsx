import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createRemitKit } from "remitkit";
import { RemitKitProvider } from "remitkit/react";
import { connectSandbox } from "remitkit/testing";
import { countRecipients, customer, equal, ok, submitTwice, submitUnchecked, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const sandbox = connectSandbox(addresses);
  const token = () => sandbox.token();
  const remit = await createRemitKit({ baseUrl, cardUrl, token });
  const shown = [];
  const show = (text) => shown.push(text);
  /** Fills in the form and submits it again and again, once the customer has seen what is missing. */
  const completes = async (find) => {
    await until(() => find()?.definition, "the fields");
    const before = await countRecipients(sandbox);
    const { form } = find();
    submitUnchecked(form);
    await customer.click("form button");
    ok(find().shadowRoot.activeElement.matches("[aria-invalid=true], [part=summary]"), "the focus at what is wrong");
    await customer.fill("[data-field=firstName] input", "Ana");
    await customer.fill("[data-field=lastName] input", "Pérez");
    await customer.fill("[data-field=ADDRESS_LINE_1] input", "Calle 5");
    await sandbox.faults.add({ kind: "status", status: 400, method: "POST", path: "/v1/recipients" });
    submitTwice(form);
    const hasFailed = async () => shown.splice(0).length > 0 || (await customer.dialogs()).length > 0;
    await until(hasFailed, "a message");
    equal(await countRecipients(sandbox), before + 1);
    submitTwice(form);
    await customer.click("form button");
    equal(find().problems, []);
    await until(() => shown.length === 1, "the recipient");
    await customer.click("form button");
    equal(typeof shown.pop().recipientId, "string");
    equal(await countRecipients(sandbox), before + 2);
  };

  const place = document.body.appendChild(document.createElement("section"));
  // sample: Ready-made fields: remitkit/fields
  place.innerHTML = html;
  {
    // sample: Ready-made fields: remitkit/fields
    await completes(() => fields);
    place.remove();
  }

  // sample: Ready-made fields: remitkit/fields
  const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
  const root = createRoot(document.querySelector("#root"));
  const recipient = <Recipient query={query} onDone={show} />;
  root.render(<StrictMode><RemitKitProvider remit={remit}>{recipient}</RemitKitProvider></StrictMode>);
  await completes(() => document.querySelector("#root remit-fields"));
  root.unmount();

  // sample: Ready-made fields: remitkit/fields
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css.replace("remit-fields:not", "later-fields:not");
  ok(document.body.appendChild(document.createElement("later-fields")).offsetHeight >= 480, "a reserved place");

  {
    const asked = [];
    const next = async (request) => {
      asked.push(request);
      if (asked.length === 1) throw new Error("refused");
    };
    const pays = async () => {
      const amount = () => document.querySelector("remit-amount");
      await until(() => amount()?.check, "the element");
      const { form } = amount();
      amount().amount = "";
      submitUnchecked(form);
      equal(asked, []);
      amount().amount = "200";
      await until(() => amount().request, "a price");
      submitTwice(form);
      equal(asked.length, 1);
      await customer.click("form button"); // once more after the failure
      submitTwice(form);
      equal(asked.length, 2);
      for (const { quoteHistoryId, amount, quoteBy } of asked.splice(0)) {
        equal([typeof quoteHistoryId, amount, quoteBy], ["string", 20000, "SEND_AMOUNT"]);
      }
    };
    const priced = document.body.appendChild(document.createElement("section"));
    // sample: The amount and its price
    priced.innerHTML = html;
    {
      // sample: The amount and its price
      await pays();
      priced.remove();
    }
    // sample: The amount and its price
    const price = createRoot(document.body.appendChild(document.createElement("section")));
    price.render(<StrictMode><RemitKitProvider remit={remit}><Price onDone={next} /></RemitKitProvider></StrictMode>);
    await pays();
    price.unmount();
    {
      // sample: The amount and its price
      priced.innerHTML = html;
      document.body.append(priced);
      const compared = priced.querySelector("remit-amount");
      compared.remit = remit;
      const radio = "[part=methods] [value=CASH_PICKUP]";
      await until(() => compared.shadowRoot.querySelector(radio), "the methods");
      await customer.click(radio);
      await until(() => compared.request?.transferMethod === "CASH_PICKUP", "its price");
      const fees = () => [...compared.shadowRoot.querySelectorAll("[part=detail]")].map(({ textContent }) => textContent);
      await until(() => fees().length > 2 && fees().every((text) => /Fee \$\d/.test(text)), "all prices");
      equal(compared.shadowRoot.querySelectorAll("select").length, 2);
    }
    {
      // sample: The amount and its price
      priced.innerHTML = html;
      const summary = priced.querySelector("[slot=summary]");
      {
        // sample: The amount and its price
        own.remit = remit;
        await until(() => /^\$20\d\.\d\d/.test(summary.querySelector("p").textContent), "the page's own price");
        ok(summary.querySelector("button").hidden, "a price that holds needs no other one");
        equal([own.shadowRoot, own.querySelector("[part=timer]")], [null, null]);
      }
    }
  }
};

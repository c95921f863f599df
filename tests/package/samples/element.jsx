import { testCards, connectSandbox } from "remitkit/testing";
import { customer, equal, until } from "./check.js";

export default async (addresses) => {
  const { baseUrl, cardUrl } = addresses;
  const token = await connectSandbox(addresses).token();
  const shown = [];
  const show = (text) => shown.push(text);
  // sample: A custom element: remitkit/element
  document.body.innerHTML = html;
  const element = document.querySelector("remit-card-form");
  const form = document.querySelector("form");
  const told = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    told.push(new FormData(form).get("cardId"));
  });
  await (async () => {
    // sample: A custom element: remitkit/element
    await customer.click("button");
    equal(told, []); // it is required
    await customer.entersCard(testCards.success);
    await until(() => shown.length === 1);
    await customer.click("button");
    equal(told, shown);
    equal(new URL(element.cardForm.element.src).searchParams.get("primary"), "#076");
  })();
  await (async () => {
    await customer.losesForms();
    // sample: A custom element: remitkit/element
    const lost = document.createElement("section");
    lost.innerHTML = html;
    lost.firstElementChild.remit = element.remit;
    document.body.append(lost);
    await until(() => lost.querySelector("p").offsetHeight > 0, "the page's own words");
    await customer.findsForms();
    await lost.firstElementChild.renew();
    await until(() => lost.querySelector("p").offsetHeight === 0, "the form in their place");
  })();
  // sample: A custom element: remitkit/element
  document.head.append(Object.assign(document.createElement("style"), { textContent: css.replace("remit-card-form", "later-form") }));
  document.body.insertAdjacentHTML("beforeend", "<later-form></later-form>");
  equal(document.querySelector("later-form").offsetHeight, 620);
};

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
  {
    // sample: A custom element: remitkit/element
    await customer.entersCard(testCards.success);
    await until(() => shown.length === 1);
    equal(shown, [new FormData(document.querySelector("form")).get("cardId")]);
    equal(new URL(element.cardForm.url).searchParams.get("primary"), "#076");
  }
  {
    await customer.losesForms();
    // sample: A custom element: remitkit/element
    const place = document.body.appendChild(document.createElement("section"));
    place.innerHTML = html;
    place.firstElementChild.remit = element.remit;
    await until(() => place.querySelector("p").offsetHeight > 0, "the page's own message");
  }
  // sample: A custom element: remitkit/element
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css.replace("remit-card-form", "later-form");
  equal(document.body.appendChild(document.createElement("later-form")).offsetHeight, 620);
};

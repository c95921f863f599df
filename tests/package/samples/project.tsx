import { customer, equal, ok } from "./check.js";

export default async () => {
  const typing = customer.entersCard("4111111111111111");
  // sample: Ten lines that take a card
  await typing;
  ok(/^\d+$/.test(cardId), "the card's id");
  equal(document.querySelector("#card").childElementCount, 0);
};

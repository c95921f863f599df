import { Card } from "@adyen/adyen-web";
import { checkout } from "./adyen-checkout.js";

export async function mountCardForm(container, options) {
  return new Card(await checkout(options), { hasHolderName: true }).mount(container);
}

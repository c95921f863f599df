import { CustomCard } from "@adyen/adyen-web";
import { checkout } from "./adyen-checkout.js";

export async function mountCardForm(container, options) {
  return new CustomCard(await checkout(options), { brands: ["visa", "mc"] }).mount(container);
}

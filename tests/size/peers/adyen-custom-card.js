import { AdyenCheckout, CustomCard } from "@adyen/adyen-web";

export async function mountCardForm(container, { clientKey, session, onCompleted, onFailed }) {
  const checkout = await AdyenCheckout({
    clientKey,
    session,
    environment: "test",
    countryCode: "US",
    onPaymentCompleted: onCompleted,
    onPaymentFailed: onFailed,
  });
  return new CustomCard(checkout, { brands: ["visa", "mc"] }).mount(container);
}

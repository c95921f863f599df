import { AdyenCheckout, Card } from "@adyen/adyen-web";

export async function mountCardForm(container, { clientKey, session, onCompleted, onFailed }) {
  const checkout = await AdyenCheckout({
    clientKey,
    session,
    environment: "test",
    countryCode: "US",
    onPaymentCompleted: onCompleted,
    onPaymentFailed: onFailed,
  });
  return new Card(checkout, { hasHolderName: true }).mount(container);
}

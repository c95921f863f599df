import { AdyenCheckout } from "@adyen/adyen-web";

/** What any of Adyen's components is put upon. */
export const checkout = ({ clientKey, session, onCompleted, onFailed }) =>
  AdyenCheckout({
    clientKey,
    session,
    environment: "test",
    countryCode: "US",
    onPaymentCompleted: onCompleted,
    onPaymentFailed: onFailed,
  });

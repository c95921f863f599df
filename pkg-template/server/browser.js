// What `remitkit/server` is to whoever bundles for browsers. The names are here so that an import of them
// gets as far as the reason.

import { browserRefusal } from "./not-in-a-browser.js";

function refuse() {
  throw browserRefusal();
}

export { isRemitError } from "../errors.js";
export { RemitError } from "../remit-error.js";
export { refuse as createTokenIssuer, refuse as createWebhookReceiver, refuse as parseTransferWebhook };

refuse();

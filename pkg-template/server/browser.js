// `remitkit/server` for bundles for browsers: throws at import. Exports the names, so that linking gets that
// far.

import { browserRefusal } from "./not-in-a-browser.js";

function refuse() {
  throw browserRefusal();
}

export { isRemitError } from "../errors.js";
export { RemitError } from "../remit-error.js";
export { refuse as createTokenIssuer, refuse as createWebhookReceiver, refuse as parseTransferWebhook };

refuse();

// `remitkit/server` in bundles for browsers: throws at import, but exports the names, so that it links.

import { browserRefusal } from "./not-in-a-browser.js";

function refuse() {
  throw browserRefusal();
}

export { isRemitError } from "../errors/errors.js";
export { RemitError } from "../core/remit-error.js";
export { refuse as createTokenIssuer, refuse as createWebhookReceiver, refuse as parseTransferWebhook };

refuse();

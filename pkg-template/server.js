import "./server/not-in-a-browser.js";

export { isRemitError } from "./errors/errors.js";
export { RemitError } from "./core/remit-error.js";
export { createTokenIssuer } from "./server/token-issuer.js";
export { parseTransferWebhook } from "./server/transfer-webhook.js";
export { createWebhookReceiver } from "./server/webhook-receiver.js";

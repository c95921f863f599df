// The interface's operations as methods of the SDK: how each is called, what it must send, and the reply.

import { REQUESTS } from "./samples.mjs";

/** `reply` names one of REPLIES. A path's `{name}` becomes `{0}`, and the name one of `ids`. */
function operation(method, path, reply, more) {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return { method, path: ids.reduce((text, name, at) => text.replace(name, at), path), ids, reply, ...more };
}

const get = (path, reply, more) => operation("GET", path, reply, more);
const query = (path, reply, sample, more) => get(path, reply, { sample, as: "query", ...more });
const body = (method, path, reply, sample, more) => operation(method, path, reply, { sample, as: "body", ...more });

const SENDER = "/v1/senders/{senderId}";
const RECIPIENT = "/v1/recipients/{recipientId}";
const ACCOUNT = `${RECIPIENT}/accounts/{accId}`;
const TRANSFER = "/v1/transfers/{transferId}";
const SENDER_FIELDS = { before: "/v1/sender-fields" };
const RECIPIENT_FIELDS = { before: "/v1/recipient-fields" };
const ACCOUNT_FIELDS = { before: "/v1/recipient-account-fields" };

/** By the method's name. A `default` stands for an input that is left out. */
export const OPERATIONS = {
  // The page narrows them: nothing of the filter is sent.
  corridors: get("/v1/corridors", "corridors", { sample: REQUESTS.filter, as: "nothing", default: {} }),
  quote: query("/v1/quote", "quote", REQUESTS.quote),
  getQuote: get("/v1/quote/{quoteHistoryId}", "quote"),
  senderFields: query("/v1/sender-fields", "fields", REQUESTS.senderFields),
  recipientFields: query("/v1/recipient-fields", "fields", REQUESTS.corridorFields),
  recipientAccountFields: query("/v1/recipient-account-fields", "accountFields", REQUESTS.corridorFields),
  transferFields: query("/v1/transfer-fields", "fields", REQUESTS.transferFields),
  createSender: body("POST", "/v1/senders", "sender", REQUESTS.sender, SENDER_FIELDS),
  updateSender: body("PATCH", SENDER, "sender", REQUESTS.sender, SENDER_FIELDS),
  replaceSender: body("PUT", SENDER, "sender", REQUESTS.sender, SENDER_FIELDS),
  getSender: get(SENDER, "sender"),
  deleteSender: operation("DELETE", SENDER),
  senderId: get("/v1/sender-id", "sender"),
  createRecipient: body("POST", "/v1/recipients", "recipient", REQUESTS.recipient, RECIPIENT_FIELDS),
  replaceRecipient: body("PUT", RECIPIENT, "recipient", REQUESTS.recipient, RECIPIENT_FIELDS),
  getRecipient: get(RECIPIENT, "recipient"),
  deleteRecipient: operation("DELETE", RECIPIENT),
  recipients: query("/v1/recipients", "recipients", REQUESTS.recipientFilter, { default: {} }),
  createRecipientAccount: body("POST", `${RECIPIENT}/accounts`, "account", REQUESTS.account, ACCOUNT_FIELDS),
  replaceRecipientAccount: body("PUT", ACCOUNT, "account", REQUESTS.account, ACCOUNT_FIELDS),
  getRecipientAccount: get(ACCOUNT, "account"),
  deleteRecipientAccount: operation("DELETE", ACCOUNT),
  recipientAccounts: get(`${RECIPIENT}/accounts`, "accounts"),
  createCardSession: body("POST", "/v1/card-onboarding-sessions", "cardSession", REQUESTS.cardSession, {
    default: REQUESTS.cardSession(),
  }),
  getCardSession: get("/v1/card-onboarding-sessions/{sessionId}", "cardSession"),
  nonce: get("/v1/nonce", "nonce"),
  getTransfer: get(TRANSFER, "transfer"),
  transfers: query("/v1/transfers", "transfers", REQUESTS.transferFilter, { default: {} }),
  transferStatuses: get(`${TRANSFER}/statuses`, "statuses"),
  transferProgress: get("/v1/transfers/progress/{quoteHistoryId}", "progress"),
  transferReceipt: get(`${TRANSFER}/receipt`, "receipt"),
  transferRequest: get("/transferrequests/v1/transfer-requests/{transferRequestId}", "transferRequest"),
  releaseCustomerHold: operation("POST", `${TRANSFER}/customer-hold/release`),
  cancelCustomerHold: body("POST", `${TRANSFER}/customer-hold/cancel`, undefined, REQUESTS.cancellation),
};

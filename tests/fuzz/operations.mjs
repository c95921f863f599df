// The interface's operations as methods of the SDK: how each is called, and what it must then send.

import { REQUESTS } from "./samples.mjs";

const get = (path, ids = [], more) => ({ method: "GET", path, ids, ...more });
const remove = (path, ids) => ({ method: "DELETE", path, ids });
const asks = (path, sample) => ({ method: "GET", path, ids: [], sample, as: "query" });
const post = (path, ids, sample, more) => ({ method: "POST", path, ids, sample, as: "body", ...more });
const put = (path, ids, sample, more) => ({ ...post(path, ids, sample, more), method: "PUT" });

const SENDER = { before: "/v1/sender-fields" };
const RECIPIENT = { before: "/v1/recipient-fields" };
const ACCOUNT = { before: "/v1/recipient-account-fields" };

/** By the method's name. A `default` stands for an input that is left out. */
export const OPERATIONS = {
  // Narrowed on the page: nothing of the filter is sent.
  corridors: { ...get("/v1/corridors"), sample: REQUESTS.filter, as: "nothing", default: {} },
  quote: asks("/v1/quote", REQUESTS.quote),
  getQuote: get("/v1/quote/{0}", ["quoteHistoryId"]),
  senderFields: asks("/v1/sender-fields", REQUESTS.senderFields),
  recipientFields: asks("/v1/recipient-fields", REQUESTS.corridorFields),
  recipientAccountFields: asks("/v1/recipient-account-fields", REQUESTS.corridorFields),
  transferFields: asks("/v1/transfer-fields", REQUESTS.transferFields),
  createSender: post("/v1/senders", [], REQUESTS.sender, SENDER),
  updateSender: { ...put("/v1/senders/{0}", ["senderId"], REQUESTS.sender, SENDER), method: "PATCH" },
  replaceSender: put("/v1/senders/{0}", ["senderId"], REQUESTS.sender, SENDER),
  getSender: get("/v1/senders/{0}", ["senderId"]),
  deleteSender: remove("/v1/senders/{0}", ["senderId"]),
  senderId: get("/v1/sender-id"),
  createRecipient: post("/v1/recipients", [], REQUESTS.recipient, RECIPIENT),
  replaceRecipient: put("/v1/recipients/{0}", ["recipientId"], REQUESTS.recipient, RECIPIENT),
  getRecipient: get("/v1/recipients/{0}", ["recipientId"]),
  deleteRecipient: remove("/v1/recipients/{0}", ["recipientId"]),
  recipients: { ...asks("/v1/recipients", REQUESTS.recipientFilter), default: {} },
  createRecipientAccount: post("/v1/recipients/{0}/accounts", ["recipientId"], REQUESTS.account, ACCOUNT),
  replaceRecipientAccount: put("/v1/recipients/{0}/accounts/{1}", ["recipientId", "accId"], REQUESTS.account, ACCOUNT),
  getRecipientAccount: get("/v1/recipients/{0}/accounts/{1}", ["recipientId", "accId"]),
  deleteRecipientAccount: remove("/v1/recipients/{0}/accounts/{1}", ["recipientId", "accId"]),
  recipientAccounts: get("/v1/recipients/{0}/accounts", ["recipientId"]),
  createCardSession: { ...post("/v1/card-onboarding-sessions", [], REQUESTS.cardSession), default: REQUESTS.cardSession() },
  getCardSession: get("/v1/card-onboarding-sessions/{0}", ["sessionId"]),
  nonce: get("/v1/nonce"),
  getTransfer: get("/v1/transfers/{0}", ["transferId"]),
  transfers: { ...asks("/v1/transfers", REQUESTS.transferFilter), default: {} },
  transferStatuses: get("/v1/transfers/{0}/statuses", ["transferId"]),
  transferProgress: get("/v1/transfers/progress/{0}", ["quoteHistoryId"]),
  transferReceipt: get("/v1/transfers/{0}/receipt", ["transferId"]),
  transferRequest: get("/transferrequests/v1/transfer-requests/{0}", ["transferRequestId"]),
  releaseCustomerHold: { ...get("/v1/transfers/{0}/customer-hold/release", ["transferId"]), method: "POST" },
  cancelCustomerHold: post("/v1/transfers/{0}/customer-hold/cancel", ["transferId"], REQUESTS.cancellation),
};

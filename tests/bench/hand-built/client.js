// The service's operations over openapi-fetch: requests and replies are validated by schemas.

import createFetchClient from "openapi-fetch";
import * as schemas from "./schemas.js";
import { TokenKeeper } from "./token.js";

export class ServiceError extends Error {
  constructor(status, body) {
    const first = Array.isArray(body) ? body[0] : body;
    super(first?.message ?? `The service answered with status ${status}.`);
    this.name = "ServiceError";
    this.status = status;
    this.code = first?.code;
  }
}

const SENDER = "/v1/senders/{senderId}";
const RECIPIENT = "/v1/recipients/{recipientId}";
const ACCOUNTS = `${RECIPIENT}/accounts`;
const ACCOUNT = `${ACCOUNTS}/{accId}`;
const FIELDS = "/v1/recipient";
const SESSIONS = "/v1/card-onboarding-sessions";
const TRANSFER = "/v1/transfers/{transferId}";
const REQUESTS = "/transferrequests/v1/transfer-requests";
const CARD = { entityMode: "RECIPIENT" };

/** Method, path, the schemas of the reply and of the query or body, and the input if it is left out. */
const OPERATIONS = {
  corridors: ["GET", "/v1/corridors", schemas.Corridors],
  quote: ["GET", "/v1/quote", schemas.Quote, schemas.QuoteRequest],
  getQuote: ["GET", "/v1/quote/{quoteHistoryId}", schemas.Quote],
  senderFields: ["GET", "/v1/sender-fields", schemas.FieldSets, schemas.SenderFieldsQuery],
  recipientFields: ["GET", `${FIELDS}-fields`, schemas.FieldSets, schemas.CorridorFieldsQuery],
  recipientAccountFields: ["GET", `${FIELDS}-account-fields`, schemas.FieldSets, schemas.CorridorFieldsQuery],
  transferFields: ["GET", "/v1/transfer-fields", schemas.FieldSets, schemas.TransferFieldsQuery],
  senderId: ["GET", "/v1/sender-id", schemas.SenderId],
  createSender: ["POST", "/v1/senders", schemas.Sender, schemas.SenderRequest],
  updateSender: ["PATCH", SENDER, schemas.Sender, schemas.SenderRequest],
  replaceSender: ["PUT", SENDER, schemas.Sender, schemas.SenderRequest],
  getSender: ["GET", SENDER, schemas.Sender],
  deleteSender: ["DELETE", SENDER],
  recipients: ["GET", "/v1/recipients", schemas.Recipients, schemas.RecipientFilter, {}],
  createRecipient: ["POST", "/v1/recipients", schemas.Recipient, schemas.RecipientRequest],
  replaceRecipient: ["PUT", RECIPIENT, schemas.Recipient, schemas.RecipientRequest],
  getRecipient: ["GET", RECIPIENT, schemas.Recipient],
  deleteRecipient: ["DELETE", RECIPIENT],
  recipientAccounts: ["GET", ACCOUNTS, schemas.RecipientAccounts],
  createRecipientAccount: ["POST", ACCOUNTS, schemas.RecipientAccount, schemas.RecipientAccountRequest],
  replaceRecipientAccount: ["PUT", ACCOUNT, schemas.RecipientAccount, schemas.RecipientAccountRequest],
  getRecipientAccount: ["GET", ACCOUNT, schemas.RecipientAccount],
  deleteRecipientAccount: ["DELETE", ACCOUNT],
  nonce: ["GET", "/v1/nonce", schemas.Nonce],
  createCardSession: ["POST", SESSIONS, schemas.CardSession, schemas.CardSessionRequest, CARD],
  getCardSession: ["GET", `${SESSIONS}/{sessionId}`, schemas.CardSession],
  transfer: ["POST", "/v1/transfers", schemas.Transfer, schemas.TransferRequest],
  getTransfer: ["GET", TRANSFER, schemas.Transfer],
  transfers: ["GET", "/v1/transfers", schemas.Transfers, schemas.TransferFilter, {}],
  transferStatuses: ["GET", `${TRANSFER}/statuses`, schemas.TransferStatuses],
  transferProgress: ["GET", "/v1/transfers/progress/{quoteHistoryId}", schemas.TransferProgress],
  transferRequest: ["GET", `${REQUESTS}/{transferRequestId}`, schemas.TransferRequestRecord],
  releaseCustomerHold: ["POST", `${TRANSFER}/customer-hold/release`],
  cancelCustomerHold: ["POST", `${TRANSFER}/customer-hold/cancel`, undefined, schemas.HoldCancellation],
};

/** `token` is a token, or a function that returns one. */
export function createClient({ baseUrl, token, locale = "en-US" }) {
  const tokens = new TokenKeeper(token);
  const http = createFetchClient({ baseUrl, cache: "no-store", credentials: "omit" });
  http.use({
    async onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${await tokens.get()}`);
      return request;
    },
  });

  async function call(method, path, init) {
    const { data, error, response } = await http[method](path, init);
    if (!response.ok) throw new ServiceError(response.status, error);
    return data;
  }

  function methodOf([method, path, reply, input, omitted]) {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
    const headers = path.startsWith("/v1/quote") ? { "Accept-Language": locale } : undefined;
    return async (...args) => {
      const params = {};
      if (ids.length > 0) {
        params.path = Object.fromEntries(ids.map((id, at) => [id, schemas.Id.parse(args[at])]));
      }
      const { [ids.length]: given = omitted } = args;
      const sent = input?.parse(given);
      if (method === "GET") params.query = sent;
      const data = await call(method, path, { params, headers, body: method === "GET" ? undefined : sent });
      return reply?.parse(data);
    };
  }

  const methods = Object.entries(OPERATIONS).map(([name, operation]) => [name, methodOf(operation)]);
  return {
    ...Object.fromEntries(methods),
    transferReceipt: (transferId) => {
      const params = { path: { transferId: schemas.Id.parse(transferId) } };
      return call("GET", `${TRANSFER}/receipt`, { params, parseAs: "blob" });
    },
  };
}

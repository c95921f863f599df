// The service's operations over openapi-fetch: what is sent and what comes back goes through a schema.

import createFetchClient from "openapi-fetch";
import * as schemas from "./schemas.js";
import { TokenKeeper } from "./token.js";

/** An answer of the service that says no. */
export class ServiceError extends Error {
  constructor(status, body) {
    const first = Array.isArray(body) ? body[0] : body;
    super(first?.message ?? `The service answered with status ${status}.`);
    this.name = "ServiceError";
    this.status = status;
    this.code = first?.code;
  }
}

/** `token` is a token, or a function that gives one. */
export function createClient({ baseUrl, token, locale = "en-US" }) {
  const tokens = new TokenKeeper(token);
  const http = createFetchClient({ baseUrl, cache: "no-store", credentials: "omit" });
  http.use({
    async onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${await tokens.get()}`);
      return request;
    },
  });
  const localized = { "Accept-Language": locale };

  /** Calls, and holds what comes back to a schema; without one there is nothing to read. */
  async function call(method, path, { schema, ...init } = {}) {
    const { data, error, response } = await http[method](path, init);
    if (!response.ok) throw new ServiceError(response.status, error);
    return schema?.parse(data);
  }
  const read = (path, schema, init) => call("GET", path, { ...init, schema });
  const id = (value) => schemas.Id.parse(value);
  const at = (ids) => ({
    path: Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, id(value)])),
  });

  return {
    corridors: () => read("/v1/corridors", schemas.Corridors),
    quote: (request) =>
      read("/v1/quote", schemas.Quote, {
        params: { query: schemas.QuoteRequest.parse(request) },
        headers: localized,
      }),
    getQuote: (quoteHistoryId) =>
      read("/v1/quote/{quoteHistoryId}", schemas.Quote, { params: at({ quoteHistoryId }), headers: localized }),

    senderFields: (query) =>
      read("/v1/sender-fields", schemas.FieldSets, { params: { query: schemas.SenderFieldsQuery.parse(query) } }),
    recipientFields: (query) =>
      read("/v1/recipient-fields", schemas.FieldSets, {
        params: { query: schemas.CorridorFieldsQuery.parse(query) },
      }),
    recipientAccountFields: (query) =>
      read("/v1/recipient-account-fields", schemas.FieldSets, {
        params: { query: schemas.CorridorFieldsQuery.parse(query) },
      }),
    transferFields: (query) =>
      read("/v1/transfer-fields", schemas.FieldSets, {
        params: { query: schemas.TransferFieldsQuery.parse(query) },
      }),

    senderId: () => read("/v1/sender-id", schemas.SenderId),
    createSender: (request) =>
      call("POST", "/v1/senders", { body: schemas.SenderRequest.parse(request), schema: schemas.Sender }),
    updateSender: (senderId, request) =>
      call("PATCH", "/v1/senders/{senderId}", {
        params: at({ senderId }),
        body: schemas.SenderRequest.parse(request),
        schema: schemas.Sender,
      }),
    replaceSender: (senderId, request) =>
      call("PUT", "/v1/senders/{senderId}", {
        params: at({ senderId }),
        body: schemas.SenderRequest.parse(request),
        schema: schemas.Sender,
      }),
    getSender: (senderId) => read("/v1/senders/{senderId}", schemas.Sender, { params: at({ senderId }) }),
    deleteSender: (senderId) => call("DELETE", "/v1/senders/{senderId}", { params: at({ senderId }) }),

    recipients: (filter = {}) =>
      read("/v1/recipients", schemas.Recipients, { params: { query: schemas.RecipientFilter.parse(filter) } }),
    createRecipient: (request) =>
      call("POST", "/v1/recipients", { body: schemas.RecipientRequest.parse(request), schema: schemas.Recipient }),
    replaceRecipient: (recipientId, request) =>
      call("PUT", "/v1/recipients/{recipientId}", {
        params: at({ recipientId }),
        body: schemas.RecipientRequest.parse(request),
        schema: schemas.Recipient,
      }),
    getRecipient: (recipientId) =>
      read("/v1/recipients/{recipientId}", schemas.Recipient, { params: at({ recipientId }) }),
    deleteRecipient: (recipientId) =>
      call("DELETE", "/v1/recipients/{recipientId}", { params: at({ recipientId }) }),

    recipientAccounts: (recipientId) =>
      read("/v1/recipients/{recipientId}/accounts", schemas.RecipientAccounts, { params: at({ recipientId }) }),
    createRecipientAccount: (recipientId, request) =>
      call("POST", "/v1/recipients/{recipientId}/accounts", {
        params: at({ recipientId }),
        body: schemas.RecipientAccountRequest.parse(request),
        schema: schemas.RecipientAccount,
      }),
    replaceRecipientAccount: (recipientId, accId, request) =>
      call("PUT", "/v1/recipients/{recipientId}/accounts/{accId}", {
        params: at({ recipientId, accId }),
        body: schemas.RecipientAccountRequest.parse(request),
        schema: schemas.RecipientAccount,
      }),
    getRecipientAccount: (recipientId, accId) =>
      read("/v1/recipients/{recipientId}/accounts/{accId}", schemas.RecipientAccount, {
        params: at({ recipientId, accId }),
      }),
    deleteRecipientAccount: (recipientId, accId) =>
      call("DELETE", "/v1/recipients/{recipientId}/accounts/{accId}", { params: at({ recipientId, accId }) }),

    nonce: () => read("/v1/nonce", schemas.Nonce),
    createCardSession: (request = { entityMode: "RECIPIENT" }) =>
      call("POST", "/v1/card-onboarding-sessions", {
        body: schemas.CardSessionRequest.parse(request),
        schema: schemas.CardSession,
      }),
    getCardSession: (sessionId) =>
      read("/v1/card-onboarding-sessions/{sessionId}", schemas.CardSession, { params: at({ sessionId }) }),

    transfer: (request) =>
      call("POST", "/v1/transfers", { body: schemas.TransferRequest.parse(request), schema: schemas.Transfer }),
    getTransfer: (transferId) =>
      read("/v1/transfers/{transferId}", schemas.Transfer, { params: at({ transferId }) }),
    transfers: (filter = {}) =>
      read("/v1/transfers", schemas.Transfers, { params: { query: schemas.TransferFilter.parse(filter) } }),
    transferStatuses: (transferId) =>
      read("/v1/transfers/{transferId}/statuses", schemas.TransferStatuses, { params: at({ transferId }) }),
    transferProgress: (quoteHistoryId) =>
      read("/v1/transfers/progress/{quoteHistoryId}", schemas.TransferProgress, { params: at({ quoteHistoryId }) }),
    transferReceipt: async (transferId) => {
      const { data, error, response } = await http.GET("/v1/transfers/{transferId}/receipt", {
        params: at({ transferId }),
        parseAs: "blob",
      });
      if (!response.ok) throw new ServiceError(response.status, error);
      return data;
    },
    transferRequest: (transferRequestId) =>
      read("/transferrequests/v1/transfer-requests/{transferRequestId}", schemas.TransferRequestRecord, {
        params: at({ transferRequestId }),
      }),
    releaseCustomerHold: (transferId) =>
      call("POST", "/v1/transfers/{transferId}/customer-hold/release", { params: at({ transferId }) }),
    cancelCustomerHold: (transferId, request) =>
      call("POST", "/v1/transfers/{transferId}/customer-hold/cancel", {
        params: at({ transferId }),
        body: schemas.HoldCancellation.parse(request),
      }),
  };
}

// The fourteen operations of a checkout, each reply checked against its schema; with zod or zod/mini.

import createClient from "openapi-fetch";
import * as z from "zod";

const country = z.object({ name: z.string(), iso3Code: z.string(), iso2Code: z.string() });
const currency = z.object({
  name: z.string(),
  iso3Code: z.string(),
  symbol: z.string(),
  decimalPlaces: z.int(),
  roundDirection: z.string(),
});
const amount = z.object({ value: z.int(), currency });
const corridors = z.array(
  z.object({
    destinationCountry: country,
    sourceCurrency: z.array(currency),
    destinationCurrency: z.array(currency),
    transferMethod: z.string(),
  }),
);
const quote = z.object({
  quoteHistoryId: z.uuid(),
  sendAmount: amount,
  receiveAmount: z.optional(amount),
  totalCost: z.optional(amount),
  rate: z.optional(z.number()),
  adjustments: z.optional(
    z.array(z.object({ id: z.union([z.string(), z.int()]), label: z.string(), amount: z.optional(amount) })),
  ),
  expirationDate: z.optional(z.iso.datetime()),
});
const choice = z.object({ id: z.string(), name: z.string() });
const fieldSets = z.object({
  fieldSets: z.array(
    z.object({
      fieldSetId: z.string(),
      fieldSetName: z.string(),
      fields: z.array(
        z.object({
          fieldId: z.string(),
          fieldType: z.string(),
          name: z.string(),
          isRequired: z.boolean(),
          visibility: z.string(),
          placeholderText: z.string(),
          regex: z.optional(z.string()),
          minLength: z.optional(z.int()),
          maxLength: z.optional(z.int()),
          options: z.optional(z.array(choice)),
          optionsSource: z.optional(z.string()),
        }),
      ),
    }),
  ),
});
const phoneNumber = z.object({ number: z.string(), countryIso3Code: z.string() });
const fields = z.array(z.object({ id: z.string(), value: z.union([z.string(), phoneNumber, z.null()]) }));
const sender = z.object({ senderId: z.uuid(), senderType: z.string(), fields });
const recipient = z.object({ recipientId: z.uuid(), recipientType: z.string(), fields });
const recipientAccount = z.object({
  recipientAccountId: z.uuid(),
  dstCountryIso3Code: z.string(),
  dstCurrencyIso3Code: z.string(),
  transferMethod: z.string(),
  fields,
});
const cardSession = z.object({
  id: z.uuid(),
  status: z.string(),
  expirationDate: z.iso.datetime(),
  cardId: z.nullable(z.string()),
});
const nonce = z.object({ nonce: z.uuid() });
const transfer = z.object({
  transferId: z.uuid(),
  confirmationNumber: z.union([z.string(), z.int()]),
  quote,
  status: z.string(),
  createdAt: z.iso.datetime(),
});
const progress = z.object({ transferId: z.optional(z.uuid()), transferRecordStatus: z.string() });
const errors = z.array(
  z.object({ code: z.string(), message: z.string(), fieldId: z.optional(z.string()) }),
);

export function createCheckout({ baseUrl, token }) {
  const client = createClient({ baseUrl });
  client.use({
    async onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${await token()}`);
      return request;
    },
  });
  const get = async (schema, path, params = {}) => parsed(schema, await client.GET(path, { params }));
  const post = async (schema, path, body, params = {}) =>
    parsed(schema, await client.POST(path, { body, params }));
  return {
    corridors: () => get(corridors, "/v1/corridors"),
    quote: (query) => get(quote, "/v1/quote", { query }),
    getQuote: (quoteHistoryId) => get(quote, "/v1/quote/{quoteHistoryId}", { path: { quoteHistoryId } }),
    senderFields: (query) => get(fieldSets, "/v1/sender-fields", { query }),
    recipientFields: (query) => get(fieldSets, "/v1/recipient-fields", { query }),
    transferFields: (query) => get(fieldSets, "/v1/transfer-fields", { query }),
    createSender: (body) => post(sender, "/v1/senders", body),
    createRecipient: (body) => post(recipient, "/v1/recipients", body),
    createRecipientAccount: (recipientId, body) =>
      post(recipientAccount, "/v1/recipients/{recipientId}/accounts", body, { path: { recipientId } }),
    createCardSession: (body) => post(cardSession, "/v1/card-onboarding-sessions", body),
    getCardSession: (sessionId) =>
      get(cardSession, "/v1/card-onboarding-sessions/{sessionId}", { path: { sessionId } }),
    nonce: () => get(nonce, "/v1/nonce"),
    transfer: (body) => post(transfer, "/v1/transfers", body),
    transferProgress: (quoteHistoryId) =>
      get(progress, "/v1/transfers/progress/{quoteHistoryId}", { path: { quoteHistoryId } }),
  };
}

function parsed(schema, { data, error, response }) {
  if (error !== undefined) {
    const found = errors.safeParse(error);
    throw Object.assign(new Error(`the service answered ${response.status}`), {
      errors: found.success ? found.data : [],
    });
  }
  return schema.parse(data);
}

// The service's requests and replies, as its document describes them. They use the functions that `zod/mini`
// and `zod` share, so that one source can be bundled with either. Enumerations and identifiers in replies are
// open: a value that the service adds later must not break a shop.

import * as z from "zod/mini";

// A checkout's policy forbids `eval`. Full zod would try it, which the policy reports as a violation.
z.config({ jitless: true });

const text = z.string();
const digits = z.pipe(z.number(), z.transform(String));
const label = z.union([text, digits]);
const optional = (schema) => z.optional(z.nullable(schema));
const oneOrMany = (schema) => z.union([z.array(schema), z.pipe(schema, z.transform((one) => [one]))]);
const wrapped = (name, schema) =>
  z.union([z.array(schema), z.pipe(z.object({ [name]: z.array(schema) }), z.transform((reply) => reply[name]))]);

// Money

const Currency = z.object({
  name: optional(text),
  iso3Code: text,
  symbol: optional(text),
  decimalPlaces: z.int(),
  roundDirection: optional(text),
  iso4217Code: optional(label),
});

const Country = z.object({ name: text, iso3Code: text, iso2Code: text, phoneCode: optional(label) });

const Amount = z.object({ value: z.int(), currency: Currency });

const ListedAmount = z.object({ value: optional(z.number()), currency: optional(Currency) });

export const Corridor = z.object({
  destinationCountry: Country,
  sourceCurrency: oneOrMany(Currency),
  destinationCurrency: oneOrMany(Currency),
  transferMethod: text,
});

export const Corridors = wrapped("corridors", Corridor);

export const Quote = z.object({
  sendAmount: Amount,
  quoteHistoryId: text,
  receiveAmount: optional(Amount),
  rate: optional(z.number()),
  adjustments: optional(z.array(z.object({ id: optional(label), label: optional(text), amount: optional(Amount) }))),
  totalCost: optional(Amount),
  deliverySLA: optional(z.object({ id: optional(label), name: optional(text) })),
  disclosures: z.optional(z.unknown()),
  transferMethod: optional(text),
  destinationCountry: optional(Country),
  senderId: optional(label),
  customerId: optional(label),
  expirationDate: optional(text),
});

// Fields

const Dependency = z.object({ comparisonOperator: text, comparisonValues: z.array(label), fieldId: text });

const FieldDefinition = z.object({
  fieldId: text,
  fieldType: text,
  isRequired: z.boolean(),
  name: optional(text),
  visibility: optional(text),
  placeholderText: optional(text),
  label: optional(text),
  hintText: optional(text),
  sortOrder: optional(z.int()),
  regex: optional(text),
  minLength: optional(z.int()),
  maxLength: optional(z.int()),
  minValue: optional(label),
  maxValue: optional(label),
  options: optional(z.array(z.object({ id: label, name: optional(text) }))),
  optionsSource: optional(text),
  dependencies: optional(z.object({ isRequired: optional(z.array(Dependency)) })),
});

export const FieldSets = z.object({
  fieldSets: z.array(z.object({ fieldSetId: text, fieldSetName: optional(text), fields: z.array(FieldDefinition) })),
});

const RecordField = z.object({ id: text, name: optional(text), type: optional(text), value: z.optional(z.unknown()) });

// Parties

export const Sender = z.object({
  senderId: text,
  senderType: optional(text),
  firstName: optional(text),
  lastName: optional(text),
  companyName: optional(text),
  kycStatus: optional(text),
  createdAt: optional(text),
  isDeactivated: optional(z.boolean()),
  fields: optional(z.array(RecordField)),
});

export const SenderId = z.object({ senderId: text });

export const Recipient = z.object({
  recipientId: text,
  recipientType: optional(text),
  senderId: optional(text),
  firstName: optional(text),
  lastName: optional(text),
  companyName: optional(text),
  createdAt: optional(text),
  fields: optional(z.array(RecordField)),
});

export const Recipients = wrapped("recipients", Recipient);

export const RecipientAccount = z.object({
  recipientAccountId: text,
  dstCountryIso3Code: optional(text),
  dstCurrencyIso3Code: optional(text),
  transferMethod: optional(text),
  accountNumber: optional(label),
  createdAt: optional(text),
  fields: optional(z.array(RecordField)),
});

export const RecipientAccounts = wrapped("accounts", RecipientAccount);

// Cards and transfers

export const CardSession = z.object({ id: text, status: text, expirationDate: text, cardId: optional(label) });

export const Nonce = z.object({ nonce: text });

export const Transfer = z.object({
  transferId: label,
  confirmationNumber: optional(label),
  status: optional(text),
  quote: z.optional(z.unknown()),
  senderDetails: z.optional(z.unknown()),
  recipientDetails: z.optional(z.unknown()),
  recipientAccountDetails: z.optional(z.unknown()),
  disclaimers: z.optional(z.unknown()),
  createdAt: optional(text),
  dateAvailable: optional(text),
  fields: optional(z.array(RecordField)),
  customer: z.optional(z.unknown()),
});

export const Transfers = wrapped(
  "transfers",
  z.object({
    transferId: label,
    confirmationNumber: optional(label),
    status: optional(text),
    quote: optional(
      z.object({
        sendAmount: optional(ListedAmount),
        receiveAmount: optional(ListedAmount),
        totalCost: optional(ListedAmount),
      }),
    ),
    createdAt: optional(text),
  }),
);

export const TransferStatuses = z.object({
  statuses: z.array(z.object({ status: text, changedDate: optional(text) })),
});

export const TransferProgress = z.object({ transferId: optional(label), transferRecordStatus: text });

export const TransferRequestRecord = z.object({
  transferRequestId: optional(text),
  status: optional(z.object({ id: optional(label), name: optional(text) })),
});

export const SenderToken = z.object({ access_token: text, expires_in: optional(z.int()), token_type: optional(text) });

// What is sent

const code = text.check(z.regex(/^[A-Z]{3}$/));
const name = text.check(z.regex(/^[A-Z][A-Z0-9_]*$/));
const uuid = text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i));
const minorUnits = z.int().check(z.gte(0));

const FieldValue = z.strictObject({
  id: text,
  name: optional(text),
  type: optional(text),
  value: z.union([
    text,
    z.null(),
    z.object({ number: text, countryIso3Code: z.optional(text), countryPhoneCode: z.optional(label) }),
  ]),
});

export const QuoteRequest = z.strictObject({
  transferMethod: optional(name),
  quoteBy: optional(name),
  dstCountryIso3Code: code,
  srcCurrencyIso3Code: code,
  dstCurrencyIso3Code: code,
  amount: minorUnits,
  recipientAccountId: optional(uuid),
});

export const CorridorFieldsQuery = z.strictObject({
  dstCountryIso3Code: code,
  dstCurrencyIso3Code: code,
  transferMethod: optional(name),
  recipientType: optional(name),
});

export const SenderFieldsQuery = z.strictObject({ senderType: name });

export const TransferFieldsQuery = z.strictObject({
  dstCountryIso3Code: code,
  dstCurrencyIso3Code: code,
  transferMethod: optional(name),
});

export const SenderRequest = z.strictObject({
  senderType: name,
  fields: z.array(FieldValue),
  senderGroupId: optional(uuid),
});

export const RecipientRequest = z.strictObject({
  userType: optional(name),
  fields: optional(z.array(FieldValue)),
  dstCountryIso3Code: optional(code),
  dstCurrencyIso3Code: optional(code),
  transferMethod: optional(name),
  senderId: optional(uuid),
});

export const RecipientAccountRequest = z.strictObject({
  dstCountryIso3Code: optional(code),
  dstCurrencyIso3Code: optional(code),
  transferMethod: optional(name),
  accountNumber: optional(text),
  fields: optional(z.array(FieldValue)),
});

export const CardSessionRequest = z.strictObject({ entityMode: name });

export const TransferRequest = z.strictObject({
  dstCountryIso3Code: code,
  dstCurrencyIso3Code: code,
  srcCurrencyIso3Code: code,
  transferMethod: optional(name),
  quoteBy: optional(name),
  amount: minorUnits,
  quoteHistoryId: uuid,
  recipientId: uuid,
  recipientAccountId: optional(uuid),
  customerHold: optional(z.boolean()),
  nonce: optional(uuid),
  fields: optional(z.array(FieldValue)),
  senderId: optional(uuid),
  purposeOfRemittance: optional(text),
  sourceOfFunds: optional(text),
  sourceTransferMethod: optional(text),
  sourceAccountId: optional(text),
});

export const TransferFilter = z.strictObject({
  senderId: optional(uuid),
  limit: optional(minorUnits),
  offset: optional(minorUnits),
});

export const RecipientFilter = z.strictObject({ senderId: optional(uuid) });

export const HoldCancellation = z.strictObject({ reason: name });

export const Id = uuid;

// The service's requests and replies, as its document describes them, in functions that `zod/mini` and `zod`
// share, so that one source can be bundled with either. Enumerations and identifiers in replies are open: a
// value that the service adds later must not break a shop.

import * as z from "zod/mini";

// A checkout's policy forbids `eval`. Full zod would try it, which the policy reports as a violation.
z.config({ jitless: true });

const text = z.string();
const digits = z.pipe(z.number(), z.transform(String));
const label = z.union([text, digits]);
const optional = (schema) => z.optional(z.nullable(schema));
const members = (schema, names) => Object.fromEntries(names.map((name) => [name, schema]));
const optionalTexts = (...names) => members(optional(text), names);
const optionalLabels = (...names) => members(optional(label), names);
const unknown = (...names) => members(z.optional(z.unknown()), names);
const oneOrMany = (schema) => z.union([z.array(schema), z.pipe(schema, z.transform((one) => [one]))]);
const wrapped = (name, schema) =>
  z.union([z.array(schema), z.pipe(z.object({ [name]: z.array(schema) }), z.transform((reply) => reply[name]))]);

// Money

const Currency = z.object({
  iso3Code: text,
  decimalPlaces: z.int(),
  ...optionalTexts("name", "symbol", "roundDirection"),
  ...optionalLabels("iso4217Code"),
});
const Country = z.object({ name: text, iso3Code: text, iso2Code: text, phoneCode: optional(label) });
const Amount = z.object({ value: z.int(), currency: Currency });
const ListedAmount = z.object({ value: optional(z.number()), currency: optional(Currency) });

export const Corridors = wrapped(
  "corridors",
  z.object({
    destinationCountry: Country,
    sourceCurrency: oneOrMany(Currency),
    destinationCurrency: oneOrMany(Currency),
    transferMethod: text,
  }),
);

const Adjustment = z.object({ id: optional(label), label: optional(text), amount: optional(Amount) });

export const Quote = z.object({
  sendAmount: Amount,
  quoteHistoryId: text,
  receiveAmount: optional(Amount),
  rate: optional(z.number()),
  adjustments: optional(z.array(Adjustment)),
  totalCost: optional(Amount),
  deliverySLA: optional(z.object({ id: optional(label), name: optional(text) })),
  destinationCountry: optional(Country),
  ...unknown("disclosures"),
  ...optionalTexts("transferMethod", "expirationDate"),
  ...optionalLabels("senderId", "customerId"),
});

// Fields

const Dependency = z.object({ comparisonOperator: text, comparisonValues: z.array(label), fieldId: text });
const FieldDefinition = z.object({
  fieldId: text,
  fieldType: text,
  isRequired: z.boolean(),
  ...optionalTexts("name", "visibility", "placeholderText", "label", "hintText", "regex", "optionsSource"),
  ...members(optional(z.int()), ["sortOrder", "minLength", "maxLength"]),
  ...optionalLabels("minValue", "maxValue"),
  options: optional(z.array(z.object({ id: label, name: optional(text) }))),
  dependencies: optional(z.object({ isRequired: optional(z.array(Dependency)) })),
});
const FieldSet = z.object({ fieldSetId: text, fieldSetName: optional(text), fields: z.array(FieldDefinition) });
export const FieldSets = z.object({ fieldSets: z.array(FieldSet) });

const RecordField = z.object({ id: text, ...optionalTexts("name", "type"), ...unknown("value") });
const recordFields = { fields: optional(z.array(RecordField)) };

// Parties

const PARTY = { ...optionalTexts("firstName", "lastName", "companyName", "createdAt"), ...recordFields };
export const Sender = z.object({
  senderId: text,
  ...PARTY,
  ...optionalTexts("senderType", "kycStatus"),
  isDeactivated: optional(z.boolean()),
});
export const SenderId = z.object({ senderId: text });
export const Recipient = z.object({ recipientId: text, ...PARTY, ...optionalTexts("recipientType", "senderId") });
export const Recipients = wrapped("recipients", Recipient);
export const RecipientAccount = z.object({
  recipientAccountId: text,
  ...optionalTexts("dstCountryIso3Code", "dstCurrencyIso3Code", "transferMethod", "createdAt"),
  ...optionalLabels("accountNumber"),
  ...recordFields,
});
export const RecipientAccounts = wrapped("accounts", RecipientAccount);

// Cards and transfers

export const CardSession = z.object({ id: text, status: text, expirationDate: text, cardId: optional(label) });
export const Nonce = z.object({ nonce: text });
export const Transfer = z.object({
  transferId: label,
  ...optionalLabels("confirmationNumber"),
  ...optionalTexts("status", "createdAt", "dateAvailable"),
  ...unknown("quote", "senderDetails", "recipientDetails", "recipientAccountDetails", "disclaimers", "customer"),
  ...recordFields,
});
const ListedQuote = z.object(members(optional(ListedAmount), ["sendAmount", "receiveAmount", "totalCost"]));
export const Transfers = wrapped(
  "transfers",
  z.object({
    transferId: label,
    ...optionalLabels("confirmationNumber"),
    ...optionalTexts("status", "createdAt"),
    quote: optional(ListedQuote),
  }),
);
const StatusChange = z.object({ status: text, changedDate: optional(text) });
export const TransferStatuses = z.object({ statuses: z.array(StatusChange) });
export const TransferProgress = z.object({ transferId: optional(label), transferRecordStatus: text });
export const TransferRequestRecord = z.object({
  transferRequestId: optional(text),
  status: optional(z.object({ id: optional(label), name: optional(text) })),
});
export const SenderToken = z.object({
  access_token: text,
  expires_in: optional(z.int()),
  token_type: optional(text),
});

// What is sent

const code = text.check(z.regex(/^[A-Z]{3}$/));
const name = text.check(z.regex(/^[A-Z][A-Z0-9_]*$/));
const uuid = text.check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i));
const minorUnits = z.int().check(z.gte(0));

const Phone = z.object({ number: text, countryIso3Code: z.optional(text), countryPhoneCode: z.optional(label) });
const FieldValue = z.strictObject({
  id: text,
  ...optionalTexts("name", "type"),
  value: z.union([text, z.null(), Phone]),
});
const fields = optional(z.array(FieldValue));
const route = { dstCountryIso3Code: code, dstCurrencyIso3Code: code, transferMethod: optional(name) };
const optionalRoute = {
  ...members(optional(code), ["dstCountryIso3Code", "dstCurrencyIso3Code"]),
  transferMethod: optional(name),
};
const price = { ...route, srcCurrencyIso3Code: code, quoteBy: optional(name), amount: minorUnits };

export const QuoteRequest = z.strictObject({ ...price, recipientAccountId: optional(uuid) });
export const CorridorFieldsQuery = z.strictObject({ ...route, recipientType: optional(name) });
export const SenderFieldsQuery = z.strictObject({ senderType: name });
export const TransferFieldsQuery = z.strictObject(route);
export const SenderRequest = z.strictObject({
  senderType: name,
  fields: z.array(FieldValue),
  senderGroupId: optional(uuid),
});
export const RecipientRequest = z.strictObject({
  ...optionalRoute,
  userType: optional(name),
  fields,
  senderId: optional(uuid),
});
export const RecipientAccountRequest = z.strictObject({ ...optionalRoute, accountNumber: optional(text), fields });
export const CardSessionRequest = z.strictObject({ entityMode: name });
export const TransferRequest = z.strictObject({
  ...price,
  quoteHistoryId: uuid,
  recipientId: uuid,
  ...members(optional(uuid), ["recipientAccountId", "nonce", "senderId"]),
  customerHold: optional(z.boolean()),
  fields,
  ...optionalTexts("purposeOfRemittance", "sourceOfFunds", "sourceTransferMethod", "sourceAccountId"),
});
export const TransferFilter = z.strictObject({
  senderId: optional(uuid),
  ...members(optional(minorUnits), ["limit", "offset"]),
});
export const RecipientFilter = z.strictObject({ senderId: optional(uuid) });
export const HoldCancellation = z.strictObject({ reason: name });
export const Id = uuid;

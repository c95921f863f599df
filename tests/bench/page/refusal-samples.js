// Valid replies and inputs, which are spoiled one value at a time.

import { fieldSets } from "./fields.js";
import { CORRIDOR, FIELDS_QUERY, ID, OTHER_ID, QUOTE, QUOTE_REQUEST, SESSION } from "./samples.js";

const RECORD_FIELDS = [{ id: "firstName", name: "First name", type: "TEXT", value: "Ana" }];
const PERSON = { firstName: "Ana", lastName: "Garcia", createdAt: "2026-01-01T00:00:00Z", fields: RECORD_FIELDS };
const LISTED = { value: 125.5, currency: QUOTE.sendAmount.currency };

const SENDER = { senderId: ID, senderType: "PERSON", ...PERSON, kycStatus: "PASSED", isDeactivated: false };
const RECIPIENT = { recipientId: ID, recipientType: "PERSON", senderId: OTHER_ID, ...PERSON };
const ACCOUNT = {
  recipientAccountId: ID,
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  transferMethod: "BANK_ACCOUNT",
  accountNumber: "****9719",
  createdAt: "2026-01-01T00:00:00Z",
  fields: RECORD_FIELDS,
};
const TRANSFER = { transferId: ID, confirmationNumber: "1042", status: "Pending", createdAt: "2026-01-01T00:00:00Z", fields: RECORD_FIELDS };

export const REPLIES = [
  { operation: "corridors", args: [], reply: [CORRIDOR] },
  { operation: "quote", args: [QUOTE_REQUEST], reply: QUOTE },
  { operation: "getQuote", args: [ID], reply: QUOTE },
  { operation: "recipientAccountFields", args: [FIELDS_QUERY], reply: fieldSets(10) },
  { operation: "senderId", args: [], reply: { senderId: ID } },
  { operation: "getSender", args: [ID], reply: SENDER },
  { operation: "getRecipient", args: [ID], reply: RECIPIENT },
  { operation: "recipients", args: [], reply: [RECIPIENT] },
  { operation: "getRecipientAccount", args: [ID, OTHER_ID], reply: ACCOUNT },
  { operation: "recipientAccounts", args: [ID], reply: [ACCOUNT] },
  { operation: "nonce", args: [], reply: { nonce: ID } },
  { operation: "createCardSession", args: [], reply: SESSION },
  { operation: "getCardSession", args: [ID], reply: SESSION },
  { operation: "getTransfer", args: [ID], reply: TRANSFER },
  {
    operation: "transfers",
    args: [],
    reply: [{ transferId: ID, confirmationNumber: "1042", status: "Pending", quote: { sendAmount: LISTED, receiveAmount: LISTED, totalCost: LISTED }, createdAt: "2026-01-01T00:00:00Z" }],
  },
  { operation: "transferStatuses", args: [ID], reply: { statuses: [{ status: "Pending", changedDate: "2026-01-01T00:00:00Z" }] } },
  { operation: "transferProgress", args: [ID], reply: { transferId: ID, transferRecordStatus: "Created" } },
  { operation: "transferRequest", args: [ID], reply: { transferRequestId: ID, status: { id: "3", name: "PROCESSED" } } },
];

/** Turns a reply into a text that is not JSON, or not a reply. */
export const BROKEN_TEXTS = [
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, -1)],
  ["cut off in the middle", (text) => text.slice(0, text.length / 2)],
  ["a page of a proxy", () => "<!doctype html><title>Bad gateway</title>"],
  ["NaN in it", (text) => text.replace(/:("[^"]*"|\d+)/, ":NaN")],
  ["two documents", (text) => `${text} ${text}`],
  ["a comma too many", (text) => text.replace(/\}$|\]$/, (end) => `,${end}`)],
];

const VALUES = [{ id: "NOTE", value: "x" }];
const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };

export const INPUTS = [
  { operation: "quote", path: "/v1/quote", input: { ...QUOTE_REQUEST, recipientAccountId: ID }, reply: QUOTE },
  { operation: "recipientAccountFields", path: "/v1/recipient-account-fields", input: FIELDS_QUERY },
  { operation: "createRecipientAccount", path: "/v1/recipients/", ids: [ID], input: { ...ROUTE, accountNumber: "032180000118", fields: VALUES }, reply: ACCOUNT },
  { operation: "createCardSession", path: "/v1/card-onboarding-sessions", input: { entityMode: "RECIPIENT" }, reply: SESSION },
  { operation: "cancelCustomerHold", path: `/v1/transfers/${ID}/customer-hold`, ids: [ID], input: { reason: "CUSTOMER_REQUEST" }, reply: {} },
  {
    operation: "transfer",
    // It checks what a transfer would send.
    sdkOperation: "prepareTransfer",
    path: "/v1/transfers",
    input: {
      ...QUOTE_REQUEST,
      quoteHistoryId: OTHER_ID,
      recipientId: ID,
      recipientAccountId: ID,
      customerHold: false,
      nonce: OTHER_ID,
      fields: VALUES,
      senderId: ID,
      purposeOfRemittance: "FAMILY_SUPPORT",
    },
    reply: TRANSFER,
  },
];

/** The definitions of the fields in the inputs. */
export const FIELDS_BEFORE = {
  fieldSets: [{ fieldSetId: "a", fieldSetName: "A", fields: [{ fieldId: "NOTE", fieldType: "TEXT", name: "Note", isRequired: true, visibility: "SHOW_AND_REQUIRED", placeholderText: "" }] }],
};

/** What a page can pass instead of a value: more than JSON can represent. */
export const WRONG_INPUTS = [
  ["undefined", undefined],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-1", -1],
  ["a fraction", 1.5],
  ["a number beyond 2^53", 2 ** 53 + 2],
  ["a number in a text", "100"],
  ["lower case", "mex"],
  ["an empty text", ""],
  ["too long", "MEXX"],
  ["true", true],
  ["an object", {}],
  ["an array", []],
  ["an invalid date", new Date(Number.NaN)],
  ["a map", new Map()],
];

// Requests of a checkout, and the replies of the service.

export const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const OTHER_ID = "9b2d61c7-1f53-4c0a-8f8e-5f1d3b2a4c10";
export const TOKEN = "sender-level-token";
export const BASE_URL = "https://api.remitkit.example";

/** The card form's address; a page sets it to one that is served. */
export const place = { cardUrl: "https://card.remitkit.example" };

/** Within a day, as sessions end: a later date would be taken for a wrong clock. */
const SOON = new Date(Date.now() + 20 * 3_600_000).toISOString();

const USD = { name: "US Dollar", iso3Code: "USD", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD" };
const MXN = { name: "Peso", iso3Code: "MXN", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD" };
const MEXICO = { name: "Mexico", iso3Code: "MEX", iso2Code: "MX" };

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "PUSH_TO_CARD" };

const FIELDS = [
  { id: "firstName", value: "Ana María" },
  { id: "lastName", value: "García" },
  { id: "NOTE", value: "\u2028 é 😀 \u0000" },
  { id: "PHONE", value: { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" } },
];

/** Plain requests. Each call makes a new one, which may be changed. */
export const REQUESTS = {
  filter: () => ({ dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", srcCurrencyIso3Code: "USD", transferMethod: "PUSH_TO_CARD" }),
  quote: () => ({ ...ROUTE, quoteBy: "SEND_AMOUNT", srcCurrencyIso3Code: "USD", amount: 9_007_199_254_740_993n, recipientAccountId: ID }),
  senderFields: () => ({ senderType: "PERSON" }),
  corridorFields: () => ({ ...ROUTE, recipientType: "PERSON" }),
  transferFields: () => ({ ...ROUTE }),
  sender: () => ({ senderType: "PERSON", fields: structuredClone(FIELDS), senderGroupId: OTHER_ID }),
  recipient: () => ({ userType: "PERSON", fields: structuredClone(FIELDS), ...ROUTE, senderId: OTHER_ID }),
  recipientFilter: () => ({ senderId: OTHER_ID }),
  account: () => ({ ...ROUTE, accountNumber: "032180000118359719", fields: [{ id: "CARD_ID", value: OTHER_ID }, ...structuredClone(FIELDS)] }),
  cardSession: () => ({ entityMode: "RECIPIENT" }),
  transfer: (quoteHistoryId) => ({
    ...ROUTE,
    srcCurrencyIso3Code: "USD",
    quoteBy: "SEND_AMOUNT",
    amount: 12550,
    quoteHistoryId,
    recipientId: ID,
    recipientAccountId: OTHER_ID,
    customerHold: false,
    // Each attempt has its own.
    nonce: OTHER_ID.slice(0, 8) + quoteHistoryId.slice(8),
    fields: structuredClone(FIELDS),
    purposeOfRemittance: "FAMILY \ud83d\ude00",
  }),
  transferFilter: () => ({ senderId: OTHER_ID, limit: 10, offset: 0 }),
  cancellation: () => ({ reason: "CUSTOMER_REQUEST" }),
  raw: () => ({
    method: "POST",
    path: "/v1/later/thing",
    query: { text: "a b&c=d", count: 7, wide: 9_007_199_254_740_991, is: true },
    body: { list: [1, 0.5, -0, 1e-7, "x", null, { deep: [[]] }], text: "\ud83d\ude00 \\ \" \n" },
  }),
  values: () => ({ firstName: "Ana María", NOTE: " ", PHONE: { number: "5512345678" }, EMPTY: null, LIST: "7" }),
  theme: () => ({ primary: "#0a7", lng: "es-MX", showStep: true, buttonRadius: "8px", font: "Inter" }),
  colors: () => ({ primary: "#0a7", text: "rgb(0 0 0 / 50%)", background: "white" }),
  cardForm: (container) => ({ container, sessionId: ID, theme: REQUESTS.theme(), title: "Card", height: 600, loadTimeoutMs: 20_000 }),
  flow: (container) => ({
    corridor: JSON.parse(REPLIES.corridors)[0],
    amount: 12550,
    quoteBy: "SEND_AMOUNT",
    recipientId: ID,
    fields: structuredClone(FIELDS),
    container,
    theme: REQUESTS.theme(),
  }),
  amount: () => ({ value: 9_007_199_254_740_993n, currency: { iso3Code: "USD", decimalPlaces: 2 } }),
  details: () => ({ kind: "unavailable", retryable: true, option: "amount", problems: [{ fieldId: "a", code: "b", message: "c" }] }),
  options: (journal) => ({
    baseUrl: BASE_URL,
    cardUrl: place.cardUrl,
    token: { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" },
    locale: "es-MX",
    timeoutMs: 5_000,
    journal,
    onDiagnostic: () => {},
  }),
};

const field = (fieldId, fieldType, more) => ({ fieldId, fieldType, name: fieldId, isRequired: false, visibility: "SHOW_AND_OPTIONAL", placeholderText: "", ...more });
const fieldSets = (...fields) => JSON.stringify({ fieldSets: [{ fieldSetId: "a", fieldSetName: "A", fields }] });
const account = { recipientAccountId: OTHER_ID };
const transfer = { transferId: ID, confirmationNumber: "1", status: "Pending" };
let nonces = 0;

export const QUOTE = { quoteHistoryId: OTHER_ID, sendAmount: { value: 9_007_199_254_740_993n, currency: USD }, receiveAmount: { value: 1, currency: MXN } };

const COMMON = [
  field("NOTE", "TEXT", { regex: "^[^<]*$", maxLength: 2_000_000 }),
  field("PHONE", "PHONE_NUMBER"),
  field("LIST", "DROPDOWN", { optionsSource: "/v1/choices?of={NOTE}" }),
];

export const REPLIES = {
  corridors: JSON.stringify([{ destinationCountry: MEXICO, sourceCurrency: [USD], destinationCurrency: [MXN], transferMethod: "PUSH_TO_CARD" }]),
  quote: JSON.stringify({ ...QUOTE, sendAmount: { value: "WIDE", currency: USD } }).replace('"WIDE"', "9007199254740993"),
  fields: fieldSets(...COMMON),
  accountFields: fieldSets(...COMMON, field("CARD_ID", "TEXT", { visibility: "HIDE_AND_REQUIRED", isRequired: true })),
  choices: JSON.stringify([{ id: "7", name: "Seven" }]),
  sender: JSON.stringify({ senderId: ID }),
  recipient: JSON.stringify({ recipientId: ID }),
  recipients: JSON.stringify([{ recipientId: ID }]),
  account: JSON.stringify(account),
  accounts: JSON.stringify([account]),
  cardSession: JSON.stringify({ id: ID, status: "INCOMPLETE", expirationDate: SOON, cardId: null }),
  nonce: () => JSON.stringify({ nonce: `00000000-0000-4000-8000-${String((nonces += 1)).padStart(12, "0")}` }),
  progress: JSON.stringify({ transferRecordStatus: "NotInProgress" }),
  statuses: JSON.stringify({ statuses: [{ status: "Pending" }] }),
  transfer: JSON.stringify(transfer),
  transfers: JSON.stringify([transfer]),
  receipt: "%PDF",
  transferRequest: JSON.stringify({ transferRequestId: ID, status: { name: "PROCESSED" } }),
};

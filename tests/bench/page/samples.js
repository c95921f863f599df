// Requests of a checkout, and the replies of the service.

export const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const OTHER_ID = "9b2d61c7-1f53-4c0a-8f8e-5f1d3b2a4c10";

const USD = { name: "US Dollar", iso3Code: "USD", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD", iso4217Code: "840" };
const MXN = { name: "Mexican Peso", iso3Code: "MXN", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD", iso4217Code: "484" };
const MEXICO = { name: "Mexico", iso3Code: "MEX", iso2Code: "MX", phoneCode: "52" };
const amount = (value, currency) => ({ value, currency });

const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };

export const QUOTE_REQUEST = { ...ROUTE, quoteBy: "SEND_AMOUNT", srcCurrencyIso3Code: "USD", amount: 12550 };

export const FIELDS_QUERY = { ...ROUTE, recipientType: "PERSON" };

export const QUOTE = {
  quoteHistoryId: OTHER_ID,
  sendAmount: amount(12550, USD),
  receiveAmount: amount(229_012, MXN),
  totalCost: amount(12949, USD),
  rate: 18.248,
  adjustments: [
    { id: "FEE", label: "Transfer fee", amount: amount(499, USD) },
    { id: "DISCOUNT", label: "First transfer", amount: amount(-100, USD) },
  ],
  deliverySLA: { id: "3", name: "Within minutes" },
  disclosures: ["The recipient may receive less due to fees charged by the recipient's bank."],
  transferMethod: "BANK_ACCOUNT",
  destinationCountry: MEXICO,
  senderId: ID,
  customerId: "1042",
  expirationDate: "2099-01-01T00:00:00.0000000Z",
};

export const CORRIDOR = { destinationCountry: MEXICO, sourceCurrency: [USD], destinationCurrency: [MXN], transferMethod: "BANK_ACCOUNT" };

export const SESSION = { id: ID, status: "INCOMPLETE", expirationDate: "2099-01-01T00:00:00Z", cardId: null };

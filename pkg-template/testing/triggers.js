// Made from the tables that the sandbox itself obeys; a test keeps them alike.

export const triggers = {
  SenderUndetermined: {
    code: "SenderUndetermined",
    status: 400,
    ways: [
      { operation: "transfer", rule: "Use a client-level token and name no senderId." },
    ],
  },
  SenderNotFound: {
    code: "SenderNotFound",
    status: 404,
    ways: [
      { operation: "transfer", property: "senderId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  InvalidSenderName: {
    code: "InvalidSenderName",
    status: 400,
    ways: [
      { operation: "createSender", field: "lastName", value: null },
      { operation: "updateSender", field: "lastName", value: "4711" },
    ],
  },
  SenderNotCreated: {
    code: "SenderNotCreated",
    status: 400,
    ways: [
      { operation: "createSender", lastName: "SenderNotCreated" },
      { operation: "createSender", property: "senderGroupId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  SenderNotUpdated: {
    code: "SenderNotUpdated",
    status: 400,
    ways: [
      { operation: "updateSender", lastName: "SenderNotUpdated" },
      { operation: "updateSender", property: "senderGroupId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  InvalidTypeOfId: {
    code: "InvalidTypeOfId",
    status: 400,
    ways: [
      { operation: "createSender", field: "ID_TYPE", value: "TIN" },
    ],
  },
  SenderInvalidTypeOfIdLength: {
    code: "SenderInvalidTypeOfIdLength",
    status: 400,
    ways: [
      { operation: "createSender", rule: "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters." },
    ],
  },
  SenderInvalidDateOfBirthUnder18: {
    code: "SenderInvalidDateOfBirthUnder18",
    status: 400,
    ways: [
      { operation: "createSender", field: "DATE_OF_BIRTH", value: "2020-01-01" },
    ],
  },
  RecipientNotFound: {
    code: "RecipientNotFound",
    status: 404,
    ways: [
      { operation: "transfer", property: "recipientId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  InvalidRecipientId: {
    code: "InvalidRecipientId",
    status: 400,
    ways: [
      { operation: "transfer", property: "recipientId", value: "4711" },
    ],
  },
  InvalidRecipientName: {
    code: "InvalidRecipientName",
    status: 400,
    ways: [
      { operation: "createRecipient", field: "lastName", value: null },
    ],
  },
  RecipientInvalidTypeOfIdLength: {
    code: "RecipientInvalidTypeOfIdLength",
    status: 400,
    ways: [
      { operation: "createRecipient", rule: "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters, and name no corridor." },
    ],
  },
  RecipientInvalidPhoneNumber: {
    code: "RecipientInvalidPhoneNumber",
    status: 400,
    ways: [
      { operation: "createRecipient", field: "PHONE_NUMBER", value: "4711" },
    ],
  },
  RecipientAccountNotFound: {
    code: "RecipientAccountNotFound",
    status: 404,
    ways: [
      { operation: "transfer", property: "recipientAccountId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  InvalidRecipientAccountId: {
    code: "InvalidRecipientAccountId",
    status: 400,
    ways: [
      { operation: "transfer", property: "recipientAccountId", value: "4711" },
    ],
  },
  Max24HourSendAmountLimitReached: {
    code: "Max24HourSendAmountLimitReached",
    status: 400,
    amount: 990001,
    ways: [
      { operation: "transfer", amount: 990001 },
      { operation: "transfer", rule: "Lower the sender's limits with POST /sandbox/limits; the same goes for the other limits." },
    ],
  },
  Max7DaysSendAmountLimitReached: {
    code: "Max7DaysSendAmountLimitReached",
    status: 400,
    amount: 990002,
    ways: [
      { operation: "transfer", amount: 990002 },
    ],
  },
  Max24HourTotalCostLimitReached: {
    code: "Max24HourTotalCostLimitReached",
    status: 400,
    amount: 990003,
    ways: [
      { operation: "transfer", amount: 990003 },
    ],
  },
  Max7DaysTransferCountLimitReached: {
    code: "Max7DaysTransferCountLimitReached",
    status: 400,
    amount: 990004,
    ways: [
      { operation: "transfer", amount: 990004 },
    ],
  },
  Max24HourTransferCountLimitReached: {
    code: "Max24HourTransferCountLimitReached",
    status: 400,
    amount: 990005,
    ways: [
      { operation: "transfer", amount: 990005 },
    ],
  },
  Max24HourSendAmountLimitReachedExceed: {
    code: "Max24HourSendAmountLimitReachedExceed",
    status: 400,
    amount: 990006,
    ways: [
      { operation: "transfer", amount: 990006 },
    ],
  },
  Max7DaysSendAmountLimitReachedExceed: {
    code: "Max7DaysSendAmountLimitReachedExceed",
    status: 400,
    amount: 990007,
    ways: [
      { operation: "transfer", amount: 990007 },
    ],
  },
  Max24HourTotalCostLimitReachedExceed: {
    code: "Max24HourTotalCostLimitReachedExceed",
    status: 400,
    amount: 990008,
    ways: [
      { operation: "transfer", amount: 990008 },
    ],
  },
  Max24HourRecipientSendAmountLimitReached: {
    code: "Max24HourRecipientSendAmountLimitReached",
    status: 400,
    amount: 990009,
    ways: [
      { operation: "transfer", amount: 990009 },
    ],
  },
  Max7DaysRecipientSendAmountLimitReached: {
    code: "Max7DaysRecipientSendAmountLimitReached",
    status: 400,
    amount: 990010,
    ways: [
      { operation: "transfer", amount: 990010 },
    ],
  },
  MaxMonthlyRecipientSendAmountLimitReached: {
    code: "MaxMonthlyRecipientSendAmountLimitReached",
    status: 400,
    amount: 990011,
    ways: [
      { operation: "transfer", amount: 990011 },
    ],
  },
  Max24HourRecipientTransferCountLimitReached: {
    code: "Max24HourRecipientTransferCountLimitReached",
    status: 400,
    amount: 990012,
    ways: [
      { operation: "transfer", amount: 990012 },
    ],
  },
  MaxMonthlyRecipientTransferCountLimitReached: {
    code: "MaxMonthlyRecipientTransferCountLimitReached",
    status: 400,
    amount: 990013,
    ways: [
      { operation: "transfer", amount: 990013 },
    ],
  },
  MinCashPayerTransactionLimitNotReached: {
    code: "MinCashPayerTransactionLimitNotReached",
    status: 400,
    amount: 990014,
    ways: [
      { operation: "transfer", amount: 990014 },
      { operation: "transfer", rule: "Send 5 US dollars to a Corner Pay." },
    ],
  },
  MaxCashPayerTransactionLimitExceeded: {
    code: "MaxCashPayerTransactionLimitExceeded",
    status: 400,
    amount: 990015,
    ways: [
      { operation: "transfer", amount: 990015 },
      { operation: "transfer", rule: "Send 600 US dollars to a Corner Pay." },
    ],
  },
  MaxLimitOutOfRange: {
    code: "MaxLimitOutOfRange",
    status: 400,
    amount: 1000001,
    ways: [
      { operation: "transfer", amount: 1000001 },
    ],
  },
  TransferNotFound: {
    code: "TransferNotFound",
    status: 404,
    ways: [
      { operation: "getTransfer", property: "transferId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  TransferReceiptNotFound: {
    code: "TransferReceiptNotFound",
    status: 404,
    ways: [
      { operation: "transferReceipt", rule: "Ask for the receipt of a held transfer." },
    ],
  },
  TransferRequestNotFound: {
    code: "TransferRequestNotFound",
    status: 404,
    ways: [
      { operation: "transferRequest", property: "transferRequestId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  InsufficientFunds: {
    code: "InsufficientFunds",
    status: 400,
    amount: 990020,
    ways: [
      { operation: "transfer", amount: 990020 },
      { operation: "transfer", rule: "Lower the balance with POST /sandbox/balance." },
    ],
  },
  InvalidAmount: {
    code: "InvalidAmount",
    status: 400,
    ways: [
      { operation: "quote", property: "amount", value: "12.50" },
    ],
  },
  SourceOfFundsRequired: {
    code: "SourceOfFundsRequired",
    status: 400,
    ways: [
      { operation: "transfer", rule: "Send as a BUSINESS and give no sourceOfFunds." },
    ],
  },
  SourceOfFundsInvalid: {
    code: "SourceOfFundsInvalid",
    status: 400,
    ways: [
      { operation: "transfer", property: "sourceOfFunds", value: "LOTTERY" },
    ],
  },
  PurposeOfRemittanceRequired: {
    code: "PurposeOfRemittanceRequired",
    status: 400,
    ways: [
      { operation: "transfer", rule: "Send to India and give no REMITTANCE_PURPOSE." },
    ],
  },
  SourceTransferMethodNotFound: {
    code: "SourceTransferMethodNotFound",
    status: 400,
    ways: [
      { operation: "transfer", property: "sourceTransferMethod", value: "BARTER" },
    ],
  },
  SourceAccountNotSupported: {
    code: "SourceAccountNotSupported",
    status: 400,
    ways: [
      { operation: "transfer", property: "sourceOfFunds", value: "PULL_FROM_CARD" },
    ],
  },
  QuoteAmountChanged: {
    code: "QuoteAmountChanged",
    status: 400,
    amount: 990030,
    ways: [
      { operation: "transfer", amount: 990030 },
      { operation: "transfer", rule: "Move the rate with POST /sandbox/rates, the fee with POST /sandbox/fees, or the clock by 15 minutes with POST /sandbox/clock, which moves all rates but those of a currency to itself." },
    ],
  },
  QuoteAmountChangedOfac: {
    code: "QuoteAmountChangedOfac",
    status: 400,
    amount: 990031,
    ways: [
      { operation: "transfer", amount: 990031 },
    ],
  },
  TransferDuplicatedByQuote: {
    code: "TransferDuplicatedByQuote",
    status: 400,
    ways: [
      { operation: "transfer", rule: "Send twice with one quote." },
    ],
  },
  NoQuoteHistoryIdProvided: {
    code: "NoQuoteHistoryIdProvided",
    status: 400,
    ways: [
      { operation: "transfer", property: "quoteHistoryId", value: null },
    ],
  },
  QuoteHistoryNotFound: {
    code: "QuoteHistoryNotFound",
    status: 404,
    ways: [
      { operation: "transfer", property: "quoteHistoryId", value: "00000000-0000-4000-8000-000000000000" },
    ],
  },
  ErrorGettingQuote: {
    code: "ErrorGettingQuote",
    status: 500,
    amount: 990040,
    ways: [
      { operation: "quote", amount: 990040 },
    ],
  },
  QuoteByReceiveNotSupported: {
    code: "QuoteByReceiveNotSupported",
    status: 400,
    amount: 990041,
    ways: [
      { operation: "quote", rule: "Quote by RECEIVE_AMOUNT to Chile." },
      { operation: "quote", amount: 990041 },
    ],
  },
  QuoteByReceiveNotEnabled: {
    code: "QuoteByReceiveNotEnabled",
    status: 400,
    amount: 990042,
    ways: [
      { operation: "quote", rule: "Quote by RECEIVE_AMOUNT as other-client." },
      { operation: "quote", amount: 990042 },
    ],
  },
  QuoteByReceiveForTransferMethodNotEnabled: {
    code: "QuoteByReceiveForTransferMethodNotEnabled",
    status: 400,
    amount: 990043,
    ways: [
      { operation: "quote", rule: "Quote by RECEIVE_AMOUNT for CASH_PICKUP." },
      { operation: "quote", amount: 990043 },
    ],
  },
  NoCorridorFoundForSpecificValues: {
    code: "NoCorridorFoundForSpecificValues",
    status: 400,
    ways: [
      { operation: "quote", property: "dstCountryIso3Code", value: "DEU" },
    ],
  },
  CC404: {
    code: "CC404",
    status: 404,
    ways: [
      { operation: "recipientFields", property: "dstCountryIso3Code", value: "DEU" },
    ],
  },
  UnsupportedCountry: {
    code: "UnsupportedCountry",
    status: 400,
    ways: [
      { operation: "quote", property: "dstCountryIso3Code", value: "XXX" },
    ],
  },
  RspTransferException: {
    code: "RspTransferException",
    status: 400,
    amount: 990050,
    ways: [
      { operation: "transfer", amount: 990050 },
    ],
  },
  CardProvidedCannotBeUsedForThisTransaction: {
    code: "CardProvidedCannotBeUsedForThisTransaction",
    status: 400,
    amount: 990065,
    card: "4000000000000002",
    ways: [
      { operation: "cardForm", card: "4000000000000002" },
      { operation: "createRecipientAccount", field: "CARD_ID", value: "4711" },
      { operation: "transfer", amount: 990065 },
    ],
  },
  InvalidCardIssuerCountry: {
    code: "InvalidCardIssuerCountry",
    status: 400,
    amount: 990067,
    ways: [
      { operation: "transfer", rule: "As other-client, pay with PULL_FROM_CARD and the card 4000000000000028 as sourceAccountId." },
      { operation: "transfer", amount: 990067 },
    ],
  },
  SourceCardAndReceivingCardMustBeUnique: {
    code: "SourceCardAndReceivingCardMustBeUnique",
    status: 400,
    amount: 990060,
    ways: [
      { operation: "transfer", rule: "As other-client, pay with PULL_FROM_CARD and the recipient's card as sourceAccountId." },
      { operation: "transfer", amount: 990060 },
    ],
  },
  CardNotSupported: {
    code: "CardNotSupported",
    status: 400,
    amount: 990066,
    card: "4000000000000010",
    ways: [
      { operation: "cardForm", card: "4000000000000010" },
      { operation: "transfer", amount: 990066 },
    ],
  },
  ExpiryDateRequired: {
    code: "ExpiryDateRequired",
    status: 400,
    amount: 990061,
    ways: [
      { operation: "cardForm", rule: "Verify a card without its expiry date." },
      { operation: "transfer", amount: 990061 },
    ],
  },
  InvalidCardOnboardingSession: {
    code: "InvalidCardOnboardingSession",
    status: 400,
    amount: 990062,
    ways: [
      { operation: "cardForm", rule: "Open the form with a session that is not." },
      { operation: "transfer", amount: 990062 },
    ],
  },
  MinCardholderNames: {
    code: "MinCardholderNames",
    status: 400,
    amount: 990063,
    ways: [
      { operation: "cardForm", rule: "Verify a card with one name only." },
      { operation: "transfer", amount: 990063 },
    ],
  },
  BillingAndDestinationCurrencyCodeDiscrepancyError: {
    code: "BillingAndDestinationCurrencyCodeDiscrepancyError",
    status: 400,
    amount: 990064,
    ways: [
      { operation: "createRecipientAccount", rule: "Use the card 4000000000000051, which takes US dollars only, in another currency." },
      { operation: "transfer", amount: 990064 },
    ],
  },
  NotEmptyValidator: {
    code: "NotEmptyValidator",
    status: 400,
    ways: [
      { operation: "transfer", property: "recipientId", value: null },
    ],
  },
  MissingRequiredField: {
    code: "MissingRequiredField",
    status: 400,
    ways: [
      { operation: "createRecipientAccount", field: "CARD_ID", value: null },
    ],
  },
  ValueRegexFailure: {
    code: "ValueRegexFailure",
    status: 400,
    ways: [
      { operation: "createSender", field: "ADDRESS_ZIP", value: "ABCDE" },
    ],
  },
  BadRequestError: {
    code: "BadRequestError",
    status: 400,
    ways: [
      { operation: "transfer", property: "nonce", value: "4711" },
    ],
  },
  BusinessOrDataValidationError: {
    code: "BusinessOrDataValidationError",
    status: 400,
    ways: [
      { operation: "createSender", field: "ADDRESS_STATE", value: "ZZ" },
    ],
  },
};

export const testCards = {
  success: {
    number: "4111111111111111",
    description: "A Visa card that is verified.",
    result: "success",
  },
  successMastercard: {
    number: "5555555555554444",
    description: "A Mastercard that is verified.",
    result: "success",
  },
  invalid: {
    number: "4000000000000002",
    description: "A card that is invalid or inactive.",
    result: "fail",
    code: "CardProvidedCannotBeUsedForThisTransaction",
  },
  prepaid: {
    number: "4000000000000010",
    description: "A prepaid card.",
    result: "fail",
    code: "CardNotSupported",
  },
  foreign: {
    number: "4000000000000028",
    description: "A card that was issued outside the United States: it can receive, and not pay.",
    result: "successIssuedAbroad",
  },
  expiresSession: {
    number: "4000000000000036",
    description: "The session expires meanwhile.",
    result: "expired",
  },
  blockedLater: {
    number: "4000000000000044",
    description: "A card that is blocked after it was verified: transfers to it fail.",
    result: "successThenBlocked",
  },
  dollarsOnly: {
    number: "4000000000000051",
    description: "A card that takes US dollars only.",
    result: "success",
    currency: "USD",
  },
};

export const failingTransferAmount = 990099;

export const sandboxSenders = {
  person: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e001",
  business: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e002",
  limited: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003",
  foreign: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e004",
};

export const sandboxClients = [
  { clientId: "sandbox-client", clientSecret: "sandbox-secret" },
  { clientId: "other-client", clientSecret: "other-secret" },
];

export const cardSessionBehaviours = [
  "normal",
  "expired",
  "silent",
  "wrong-origin",
  "fails-to-load",
];

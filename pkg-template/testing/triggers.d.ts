// Made from the tables that the sandbox itself obeys; a test keeps them alike.

/** How to get each documented error code. `status` is its HTTP status; `amount` and `card` are those of its first way that has one. */
export const triggers: {
  readonly SenderUndetermined: {
    readonly code: "SenderUndetermined";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "Use a client-level token and name no senderId." },
    ];
  };
  readonly SenderNotFound: {
    readonly code: "SenderNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "senderId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly InvalidSenderName: {
    readonly code: "InvalidSenderName";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly field: "lastName"; readonly value: null },
      { readonly operation: "updateSender"; readonly field: "lastName"; readonly value: "4711" },
    ];
  };
  readonly SenderNotCreated: {
    readonly code: "SenderNotCreated";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly lastName: "SenderNotCreated" },
      { readonly operation: "createSender"; readonly property: "senderGroupId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly SenderNotUpdated: {
    readonly code: "SenderNotUpdated";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "updateSender"; readonly lastName: "SenderNotUpdated" },
      { readonly operation: "updateSender"; readonly property: "senderGroupId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly InvalidTypeOfId: {
    readonly code: "InvalidTypeOfId";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly field: "ID_TYPE"; readonly value: "TIN" },
    ];
  };
  readonly SenderInvalidTypeOfIdLength: {
    readonly code: "SenderInvalidTypeOfIdLength";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly rule: "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters." },
    ];
  };
  readonly SenderInvalidDateOfBirthUnder18: {
    readonly code: "SenderInvalidDateOfBirthUnder18";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly field: "DATE_OF_BIRTH"; readonly value: "2020-01-01" },
    ];
  };
  readonly RecipientNotFound: {
    readonly code: "RecipientNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "recipientId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly InvalidRecipientId: {
    readonly code: "InvalidRecipientId";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "recipientId"; readonly value: "4711" },
    ];
  };
  readonly InvalidRecipientName: {
    readonly code: "InvalidRecipientName";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createRecipient"; readonly field: "lastName"; readonly value: null },
    ];
  };
  readonly RecipientInvalidTypeOfIdLength: {
    readonly code: "RecipientInvalidTypeOfIdLength";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createRecipient"; readonly rule: "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters, and name no corridor." },
    ];
  };
  readonly RecipientInvalidPhoneNumber: {
    readonly code: "RecipientInvalidPhoneNumber";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createRecipient"; readonly field: "PHONE_NUMBER"; readonly value: "4711" },
    ];
  };
  readonly RecipientAccountNotFound: {
    readonly code: "RecipientAccountNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "recipientAccountId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly InvalidRecipientAccountId: {
    readonly code: "InvalidRecipientAccountId";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "recipientAccountId"; readonly value: "4711" },
    ];
  };
  readonly Max24HourSendAmountLimitReached: {
    readonly code: "Max24HourSendAmountLimitReached";
    readonly status: 400;
    readonly amount: 990001;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990001 },
      { readonly operation: "transfer"; readonly rule: "Lower the sender's limits with POST /sandbox/limits; the same goes for the other limits." },
    ];
  };
  readonly Max7DaysSendAmountLimitReached: {
    readonly code: "Max7DaysSendAmountLimitReached";
    readonly status: 400;
    readonly amount: 990002;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990002 },
    ];
  };
  readonly Max24HourTotalCostLimitReached: {
    readonly code: "Max24HourTotalCostLimitReached";
    readonly status: 400;
    readonly amount: 990003;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990003 },
    ];
  };
  readonly Max7DaysTransferCountLimitReached: {
    readonly code: "Max7DaysTransferCountLimitReached";
    readonly status: 400;
    readonly amount: 990004;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990004 },
    ];
  };
  readonly Max24HourTransferCountLimitReached: {
    readonly code: "Max24HourTransferCountLimitReached";
    readonly status: 400;
    readonly amount: 990005;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990005 },
    ];
  };
  readonly Max24HourSendAmountLimitReachedExceed: {
    readonly code: "Max24HourSendAmountLimitReachedExceed";
    readonly status: 400;
    readonly amount: 990006;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990006 },
    ];
  };
  readonly Max7DaysSendAmountLimitReachedExceed: {
    readonly code: "Max7DaysSendAmountLimitReachedExceed";
    readonly status: 400;
    readonly amount: 990007;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990007 },
    ];
  };
  readonly Max24HourTotalCostLimitReachedExceed: {
    readonly code: "Max24HourTotalCostLimitReachedExceed";
    readonly status: 400;
    readonly amount: 990008;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990008 },
    ];
  };
  readonly Max24HourRecipientSendAmountLimitReached: {
    readonly code: "Max24HourRecipientSendAmountLimitReached";
    readonly status: 400;
    readonly amount: 990009;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990009 },
    ];
  };
  readonly Max7DaysRecipientSendAmountLimitReached: {
    readonly code: "Max7DaysRecipientSendAmountLimitReached";
    readonly status: 400;
    readonly amount: 990010;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990010 },
    ];
  };
  readonly MaxMonthlyRecipientSendAmountLimitReached: {
    readonly code: "MaxMonthlyRecipientSendAmountLimitReached";
    readonly status: 400;
    readonly amount: 990011;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990011 },
    ];
  };
  readonly Max24HourRecipientTransferCountLimitReached: {
    readonly code: "Max24HourRecipientTransferCountLimitReached";
    readonly status: 400;
    readonly amount: 990012;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990012 },
    ];
  };
  readonly MaxMonthlyRecipientTransferCountLimitReached: {
    readonly code: "MaxMonthlyRecipientTransferCountLimitReached";
    readonly status: 400;
    readonly amount: 990013;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990013 },
    ];
  };
  readonly MinCashPayerTransactionLimitNotReached: {
    readonly code: "MinCashPayerTransactionLimitNotReached";
    readonly status: 400;
    readonly amount: 990014;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990014 },
      { readonly operation: "transfer"; readonly rule: "Send 5 US dollars to a Corner Pay." },
    ];
  };
  readonly MaxCashPayerTransactionLimitExceeded: {
    readonly code: "MaxCashPayerTransactionLimitExceeded";
    readonly status: 400;
    readonly amount: 990015;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990015 },
      { readonly operation: "transfer"; readonly rule: "Send 600 US dollars to a Corner Pay." },
    ];
  };
  readonly MaxLimitOutOfRange: {
    readonly code: "MaxLimitOutOfRange";
    readonly status: 400;
    readonly amount: 1000001;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 1000001 },
    ];
  };
  readonly TransferNotFound: {
    readonly code: "TransferNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "getTransfer"; readonly property: "transferId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly TransferReceiptNotFound: {
    readonly code: "TransferReceiptNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transferReceipt"; readonly rule: "Ask for the receipt of a held transfer." },
    ];
  };
  readonly TransferRequestNotFound: {
    readonly code: "TransferRequestNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transferRequest"; readonly property: "transferRequestId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly InsufficientFunds: {
    readonly code: "InsufficientFunds";
    readonly status: 400;
    readonly amount: 990020;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990020 },
      { readonly operation: "transfer"; readonly rule: "Lower the balance with POST /sandbox/balance." },
    ];
  };
  readonly InvalidAmount: {
    readonly code: "InvalidAmount";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly property: "amount"; readonly value: "12.50" },
    ];
  };
  readonly SourceOfFundsRequired: {
    readonly code: "SourceOfFundsRequired";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "Send as a BUSINESS and give no sourceOfFunds." },
    ];
  };
  readonly SourceOfFundsInvalid: {
    readonly code: "SourceOfFundsInvalid";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "sourceOfFunds"; readonly value: "LOTTERY" },
    ];
  };
  readonly PurposeOfRemittanceRequired: {
    readonly code: "PurposeOfRemittanceRequired";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "Send to India and give no REMITTANCE_PURPOSE." },
    ];
  };
  readonly SourceTransferMethodNotFound: {
    readonly code: "SourceTransferMethodNotFound";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "sourceTransferMethod"; readonly value: "BARTER" },
    ];
  };
  readonly SourceAccountNotSupported: {
    readonly code: "SourceAccountNotSupported";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "sourceOfFunds"; readonly value: "PULL_FROM_CARD" },
    ];
  };
  readonly QuoteAmountChanged: {
    readonly code: "QuoteAmountChanged";
    readonly status: 400;
    readonly amount: 990030;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990030 },
      { readonly operation: "transfer"; readonly rule: "Move the rate with POST /sandbox/rates, the fee with POST /sandbox/fees, or the clock by 15 minutes with POST /sandbox/clock, which moves all rates but those of a currency to itself." },
    ];
  };
  readonly QuoteAmountChangedOfac: {
    readonly code: "QuoteAmountChangedOfac";
    readonly status: 400;
    readonly amount: 990031;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990031 },
    ];
  };
  readonly TransferDuplicatedByQuote: {
    readonly code: "TransferDuplicatedByQuote";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "Send twice with one quote." },
    ];
  };
  readonly NoQuoteHistoryIdProvided: {
    readonly code: "NoQuoteHistoryIdProvided";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "quoteHistoryId"; readonly value: null },
    ];
  };
  readonly QuoteHistoryNotFound: {
    readonly code: "QuoteHistoryNotFound";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "quoteHistoryId"; readonly value: "00000000-0000-4000-8000-000000000000" },
    ];
  };
  readonly ErrorGettingQuote: {
    readonly code: "ErrorGettingQuote";
    readonly status: 500;
    readonly amount: 990040;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly amount: 990040 },
    ];
  };
  readonly QuoteByReceiveNotSupported: {
    readonly code: "QuoteByReceiveNotSupported";
    readonly status: 400;
    readonly amount: 990041;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly rule: "Quote by RECEIVE_AMOUNT to Chile." },
      { readonly operation: "quote"; readonly amount: 990041 },
    ];
  };
  readonly QuoteByReceiveNotEnabled: {
    readonly code: "QuoteByReceiveNotEnabled";
    readonly status: 400;
    readonly amount: 990042;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly rule: "Quote by RECEIVE_AMOUNT as other-client." },
      { readonly operation: "quote"; readonly amount: 990042 },
    ];
  };
  readonly QuoteByReceiveForTransferMethodNotEnabled: {
    readonly code: "QuoteByReceiveForTransferMethodNotEnabled";
    readonly status: 400;
    readonly amount: 990043;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly rule: "Quote by RECEIVE_AMOUNT for CASH_PICKUP." },
      { readonly operation: "quote"; readonly amount: 990043 },
    ];
  };
  readonly NoCorridorFoundForSpecificValues: {
    readonly code: "NoCorridorFoundForSpecificValues";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly property: "dstCountryIso3Code"; readonly value: "DEU" },
    ];
  };
  readonly CC404: {
    readonly code: "CC404";
    readonly status: 404;
    readonly ways: readonly [
      { readonly operation: "recipientFields"; readonly property: "dstCountryIso3Code"; readonly value: "DEU" },
    ];
  };
  readonly UnsupportedCountry: {
    readonly code: "UnsupportedCountry";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "quote"; readonly property: "dstCountryIso3Code"; readonly value: "XXX" },
    ];
  };
  readonly RspTransferException: {
    readonly code: "RspTransferException";
    readonly status: 400;
    readonly amount: 990050;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly amount: 990050 },
    ];
  };
  readonly CardProvidedCannotBeUsedForThisTransaction: {
    readonly code: "CardProvidedCannotBeUsedForThisTransaction";
    readonly status: 400;
    readonly amount: 990065;
    readonly card: "4000000000000002";
    readonly ways: readonly [
      { readonly operation: "cardForm"; readonly card: "4000000000000002" },
      { readonly operation: "createRecipientAccount"; readonly field: "CARD_ID"; readonly value: "4711" },
      { readonly operation: "transfer"; readonly amount: 990065 },
    ];
  };
  readonly InvalidCardIssuerCountry: {
    readonly code: "InvalidCardIssuerCountry";
    readonly status: 400;
    readonly amount: 990067;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "As other-client, pay with PULL_FROM_CARD and the card 4000000000000028 as sourceAccountId." },
      { readonly operation: "transfer"; readonly amount: 990067 },
    ];
  };
  readonly SourceCardAndReceivingCardMustBeUnique: {
    readonly code: "SourceCardAndReceivingCardMustBeUnique";
    readonly status: 400;
    readonly amount: 990060;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly rule: "As other-client, pay with PULL_FROM_CARD and the recipient's card as sourceAccountId." },
      { readonly operation: "transfer"; readonly amount: 990060 },
    ];
  };
  readonly CardNotSupported: {
    readonly code: "CardNotSupported";
    readonly status: 400;
    readonly amount: 990066;
    readonly card: "4000000000000010";
    readonly ways: readonly [
      { readonly operation: "cardForm"; readonly card: "4000000000000010" },
      { readonly operation: "transfer"; readonly amount: 990066 },
    ];
  };
  readonly ExpiryDateRequired: {
    readonly code: "ExpiryDateRequired";
    readonly status: 400;
    readonly amount: 990061;
    readonly ways: readonly [
      { readonly operation: "cardForm"; readonly rule: "Verify a card without its expiry date." },
      { readonly operation: "transfer"; readonly amount: 990061 },
    ];
  };
  readonly InvalidCardOnboardingSession: {
    readonly code: "InvalidCardOnboardingSession";
    readonly status: 400;
    readonly amount: 990062;
    readonly ways: readonly [
      { readonly operation: "cardForm"; readonly rule: "Open the form with a session that is not." },
      { readonly operation: "transfer"; readonly amount: 990062 },
    ];
  };
  readonly MinCardholderNames: {
    readonly code: "MinCardholderNames";
    readonly status: 400;
    readonly amount: 990063;
    readonly ways: readonly [
      { readonly operation: "cardForm"; readonly rule: "Verify a card with one name only." },
      { readonly operation: "transfer"; readonly amount: 990063 },
    ];
  };
  readonly BillingAndDestinationCurrencyCodeDiscrepancyError: {
    readonly code: "BillingAndDestinationCurrencyCodeDiscrepancyError";
    readonly status: 400;
    readonly amount: 990064;
    readonly ways: readonly [
      { readonly operation: "createRecipientAccount"; readonly rule: "Use the card 4000000000000051, which takes US dollars only, in another currency." },
      { readonly operation: "transfer"; readonly amount: 990064 },
    ];
  };
  readonly NotEmptyValidator: {
    readonly code: "NotEmptyValidator";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "recipientId"; readonly value: null },
    ];
  };
  readonly MissingRequiredField: {
    readonly code: "MissingRequiredField";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createRecipientAccount"; readonly field: "CARD_ID"; readonly value: null },
    ];
  };
  readonly ValueRegexFailure: {
    readonly code: "ValueRegexFailure";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly field: "ADDRESS_ZIP"; readonly value: "ABCDE" },
    ];
  };
  readonly BadRequestError: {
    readonly code: "BadRequestError";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "transfer"; readonly property: "nonce"; readonly value: "4711" },
    ];
  };
  readonly BusinessOrDataValidationError: {
    readonly code: "BusinessOrDataValidationError";
    readonly status: 400;
    readonly ways: readonly [
      { readonly operation: "createSender"; readonly field: "ADDRESS_STATE"; readonly value: "ZZ" },
    ];
  };
};

/** What to type into the card form, and what becomes of it. Any other number with a right check digit is verified. */
export const testCards: {
  readonly success: {
    readonly number: "4111111111111111";
    readonly description: "A Visa card that is verified.";
    readonly result: "success";
  };
  readonly successMastercard: {
    readonly number: "5555555555554444";
    readonly description: "A Mastercard that is verified.";
    readonly result: "success";
  };
  readonly invalid: {
    readonly number: "4000000000000002";
    readonly description: "A card that is invalid or inactive.";
    readonly result: "fail";
    readonly code: "CardProvidedCannotBeUsedForThisTransaction";
  };
  readonly prepaid: {
    readonly number: "4000000000000010";
    readonly description: "A prepaid card.";
    readonly result: "fail";
    readonly code: "CardNotSupported";
  };
  readonly foreign: {
    readonly number: "4000000000000028";
    readonly description: "A card that was issued outside the United States: it can receive, and not pay.";
    readonly result: "successIssuedAbroad";
  };
  readonly expiresSession: {
    readonly number: "4000000000000036";
    readonly description: "The session expires meanwhile.";
    readonly result: "expired";
  };
  readonly blockedLater: {
    readonly number: "4000000000000044";
    readonly description: "A card that is blocked after it was verified: transfers to it fail.";
    readonly result: "successThenBlocked";
  };
  readonly dollarsOnly: {
    readonly number: "4000000000000051";
    readonly description: "A card that takes US dollars only.";
    readonly result: "success";
    readonly currency: "USD";
  };
};

/** The amount, in minor units, of a transfer that is made and whose status then becomes Failed. */
export const failingTransferAmount: 990099;

/** The senders of a fresh sandbox: a person whose limits hardly bind, a business, a person with the limits of a new sender, and a person of the second client. */
export const sandboxSenders: {
  readonly person: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e001";
  readonly business: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e002";
  readonly limited: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003";
  readonly foreign: "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e004";
};

/** The clients of every sandbox. These open nothing else. */
export const sandboxClients: readonly [
  { readonly clientId: "sandbox-client"; readonly clientSecret: "sandbox-secret" },
  { readonly clientId: "other-client"; readonly clientSecret: "other-secret" },
];

/** How the next card session can be told to behave. */
export const cardSessionBehaviours: readonly [
  "normal",
  "expired",
  "silent",
  "wrong-origin",
  "fails-to-load",
];

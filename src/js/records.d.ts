// Made from the records of src/api, by `cargo run --package package-tables -- --records`.

/** How the money is paid out. */
export type TransferMethod =
  | "BANK_ACCOUNT"
  /** To a card, whose number the customer enters only in the hosted card form. */
  | "PUSH_TO_CARD"
  /** In cash, at a counter. */
  | "CASH_PICKUP"
  | "MOBILE_WALLET"
  /** To the sender's own account; on quotes only. */
  | "ACCOUNT_FUNDING"
  | Unlisted;

/** Which side of the quote the amount fixes: what is paid in, or what is paid out. */
export type QuoteBy =
  /** The amount is what the sender pays in. */
  | "SEND_AMOUNT"
  /** The amount is what the recipient gets. */
  | "RECEIVE_AMOUNT"
  | Unlisted;

/** A person or a business. */
export type PartyType =
  | "PERSON"
  | "BUSINESS"
  | Unlisted;

/** What kind of value a field takes. */
export type FieldType =
  | "TEXT"
  /** `{ number, countryIso3Code, countryPhoneCode }`. */
  | "PHONE_NUMBER"
  /** `YYYY-MM-DD`. */
  | "DATE"
  /** The id of one of the options. */
  | "DROPDOWN"
  | Unlisted;

/** Whether a field is shown, and whether it is required. */
export type Visibility =
  | "SHOW_AND_REQUIRED"
  | "SHOW_AND_OPTIONAL"
  | "HIDE_AND_OPTIONAL"
  | "HIDE_AND_REQUIRED"
  | Unlisted;

/** The state of a sender's identity check. */
export type KycStatus =
  | "UNKNOWN"
  | "SKIPPED"
  | "PASSED"
  /** The sender must show a document. */
  | "ID_REQUIRED"
  | "FAILED"
  | "PENDING"
  /** The check could not be made. */
  | "REQUEST_FAILED"
  | Unlisted;

/** The status of a transfer. Its letter case varies. */
export type TransferStatusName =
  /** A held transfer stays in this status. */
  | "Initiated"
  | "Pending"
  | "Failed"
  | "Canceled"
  | "Pending Cancelation"
  | "Complete"
  | "Unknown"
  | (string & {});

/** A currency as the service describes it. */
export interface Currency {
  name: string;
  /** ISO 4217, such as `USD`. */
  iso3Code: string;
  symbol: string;
  /**
   * How many decimals the minor unit has: 0, 2 and 3 occur. Use this and no table of your own: tables
   * differ.
   */
  decimalPlaces: number;
  /** How the service rounds; `STANDARD` and `UP` occur. */
  roundDirection: string;
  /** The numeric code of ISO 4217. */
  iso4217Code?: string | null;
}

/** An amount of money: `value / 10^currency.decimalPlaces`. */
export interface Amount {
  /** Minor units; negative for a rebate among a quote's adjustments. */
  value: MinorUnits;
  currency: Currency;
}

/** A country as the service describes it. */
export interface Country {
  name: string;
  /** ISO 3166-1 alpha-3, such as `MEX`. */
  iso3Code: string;
  /** ISO 3166-1 alpha-2, such as `MX`. */
  iso2Code: string;
  /** The calling code, such as `52`. Present in a quote's country, absent in a corridor's. */
  phoneCode?: string | null;
}

/** An enabled route for money: a country, currencies and a transfer method. */
export interface Corridor {
  destinationCountry: Country;
  /** The currencies that the sender can pay in. */
  sourceCurrency: Currency[];
  /** The currencies that the recipient can get. */
  destinationCurrency: Currency[];
  transferMethod: TransferMethod;
}

/** A part of the price, such as a fee or a rebate. */
export interface Adjustment {
  id?: string | null;
  label?: string | null;
  /** Negative if it is in the sender's favor. */
  amount?: Amount | null;
}

/** A price, for one transfer at most. */
export interface Quote {
  /** What the sender pays in, without fees. */
  sendAmount: Amount;
  /** Identifies the quote in a transfer. */
  quoteHistoryId: string;
  /** What the recipient gets. */
  receiveAmount?: Amount | null;
  /** How much of the receiving currency one unit of the other buys. For display, not for calculation. */
  rate?: number | null;
  /** Fees and rebates. */
  adjustments?: Adjustment[] | null;
  /** What the sender pays in total. */
  totalCost?: Amount | null;
  /** How long delivery takes. */
  deliverySLA?: {
    id?: string | null;
    name?: string | null;
  } | null;
  /** Legal texts to show before the customer pays. The interface does not define their shape. */
  disclosures?: Disclosures | null;
  transferMethod?: TransferMethod | null;
  destinationCountry?: Country | null;
  /** The sender that the quote is for. */
  senderId?: string | null;
  /** The client that the quote is for. */
  customerId?: string | null;
  /** When it expires, ISO 8601, if the service says so. */
  expirationDate?: string | null;
  destinationCountryISO3Code?: string | null;
  destinationCurrencyISO3Code?: string | null;
  sourceCurrencyIso3Code?: string | null;
}

/** A value as the service's records carry it. */
export interface RecordField {
  /** The id of the field. */
  id: string;
  name?: string | null;
  type?: string | null;
  value?: unknown;
}

/** A field to collect. */
export interface FieldDefinition {
  /** Identifies the field in requests. */
  fieldId: string;
  fieldType: FieldType;
  isRequired: boolean;
  name: string;
  /** The page itself fills in a field that is hidden and required, such as `CARD_ID`. */
  visibility: Visibility;
  /** What to show while the field is empty. */
  placeholderText: string;
  /** What to show beside the field. */
  label?: string | null;
  /** What to show below the field. */
  hintText?: string | null;
  /** The position within the set. */
  sortOrder?: number | null;
  /**
   * A pattern that the value must match. RemitKit reads the notation that engines have in common,
   * with `\p{L}`, `\A`, `\z`, `(?i)` and named groups, and tries it on values up to `maxLength`, for
   * some hundredths of a second at most. If that does not decide, or engines read the pattern or the
   * value in different ways, the service decides.
   */
  regex?: string | null;
  minLength?: number | null;
  maxLength?: number | null;
  /** The earliest date. */
  minValue?: string | null;
  /** The latest date. */
  maxValue?: string | null;
  /** The choices of a dropdown. */
  options?: {
    /** The value to send. */
    id: string;
    /** The text to show. */
    name?: string | null;
  }[] | null;
  /** Where to fetch the choices, with `{FIELD_ID}` for the values of other fields. */
  optionsSource?: string | null;
  dependencies?: {
    /** The field is required if one of these holds. */
    isRequired?: FieldDependency[] | null;
  } | null;
}

/** A condition on another field. */
export interface FieldDependency {
  comparisonOperator: "EQUAL_TO" | "NOT_EQUAL_TO" | "GREATER_THAN" | "LESS_THAN" | Unlisted;
  comparisonValues: string[];
  /** The other field. */
  fieldId: string;
}

/** A group of fields. */
export interface FieldSet {
  fieldSetId: string;
  /** The heading. */
  fieldSetName: string;
  fields: FieldDefinition[];
}

/** A sender. */
export interface Sender {
  senderId: string;
  senderType?: PartyType | null;
  firstName?: string | null;
  lastName?: string | null;
  companyName?: string | null;
  kycStatus?: KycStatus | null;
  /** ISO 8601. */
  createdAt?: string | null;
  /** Whether the sender can no longer send. */
  isDeactivated?: boolean | null;
  fields?: RecordField[] | null;
}

/** A recipient. */
export interface Recipient {
  recipientId: string;
  recipientType?: PartyType | null;
  senderId?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  companyName?: string | null;
  /** ISO 8601. */
  createdAt?: string | null;
  fields?: RecordField[] | null;
}

/** Where a recipient gets the money: a bank account, a card, a wallet. */
export interface RecipientAccount {
  recipientAccountId: string;
  dstCountryIso3Code?: string | null;
  dstCurrencyIso3Code?: string | null;
  transferMethod?: TransferMethod | null;
  /** May be masked. */
  accountNumber?: string | null;
  /** ISO 8601. */
  createdAt?: string | null;
  fields?: RecordField[] | null;
}

/** A session in which a customer enters one card in the hosted form. */
export interface CardSession {
  id: string;
  status: "INCOMPLETE" | "SUCCEEDED" | "EXPIRED" | Unlisted;
  /** When the session ends, ISO 8601. */
  expirationDate: string;
  /** The card's id, once the card is verified. */
  cardId: string | null;
}

/** A transfer. */
export interface Transfer {
  transferId: string;
  /** The number that the customer can quote. */
  confirmationNumber?: string | null;
  status?: TransferStatusName | null;
  /** The quote that it was executed with. */
  quote?: Quote | null;
  senderDetails?: unknown;
  recipientDetails?: unknown;
  recipientAccountDetails?: unknown;
  /** Legal texts to show with the receipt. The interface does not define their shape. */
  disclaimers?: Disclosures | null;
  /** ISO 8601. */
  createdAt?: string | null;
  /** When the recipient can have the money, ISO 8601. */
  dateAvailable?: string | null;
  fields?: RecordField[] | null;
  /** The client that made it. */
  customer?: unknown;
}

/** A transfer in a list, where the service gives amounts as decimals (`29.99`) and not in minor units. */
export interface ListedTransfer {
  transferId: string;
  confirmationNumber?: string | null;
  status?: TransferStatusName | null;
  quote?: {
    sendAmount?: ListedAmount | null;
    receiveAmount?: ListedAmount | null;
    totalCost?: ListedAmount | null;
    /** Fees and rebates. */
    adjustments?: {
      /** Negative if it is in the sender's favor. */
      amount?: ListedAmount | null;
      id?: string | null;
      label?: string | null;
    }[] | null;
  } | null;
  /** ISO 8601. */
  createdAt?: string | null;
}

/** A decimal amount in a list of transfers, such as `29.99`. For display, not for calculation. */
export interface ListedAmount {
  /** A number, or exact text from 2^53 minor units on, where JavaScript would round a number. */
  value?: number | string | null;
  currency?: Currency | null;
}

/** The status history of a transfer. */
export interface TransferStatuses {
  statuses: {
    status: TransferStatusName;
    /** ISO 8601. */
    changedDate?: string | null;
  }[];
}

/** Whether a transfer was made with a quote. */
export interface TransferProgress {
  /** The transfer, once created. */
  transferId?: string | null;
  transferRecordStatus: "NotInProgress" | "Initializing" | "Failed" | "Created" | Unlisted;
}

/** The processing state of a transfer request. */
export interface TransferRequestRecord {
  transferRequestId?: string | null;
  status?: {
    id?: string | null;
    name?: "UNKNOWN" | "CREATED" | "PROCESSING" | "INVALID" | "FAILED_TO_PROCESS" | "PROCESSED" | "CANCELED" | (string & {}) | null;
  } | null;
}

/** What to quote. Country and currency codes are three uppercase letters. */
export interface QuoteRequest {
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
  /** `SEND_AMOUNT` by default. */
  quoteBy?: QuoteBy | null | undefined;
  dstCountryIso3Code: string;
  /** The currency that the sender pays in. */
  srcCurrencyIso3Code: string;
  /** The currency that the recipient gets. */
  dstCurrencyIso3Code: string;
  /** Minor units of the currency on the side that `quoteBy` fixes, at least 0. */
  amount: MinorUnits;
  /** The recipient's account; makes a quote for PUSH_TO_CARD most accurate. */
  recipientAccountId?: string | null | undefined;
}

/** A collected value, as requests carry it. */
export interface FieldValue {
  /** The id of the field. */
  id: string;
  /** Text, or a phone number; a date is `YYYY-MM-DD`, a choice is the id of its option. */
  value: string | PhoneNumber;
}

/**
 * For which corridor to fetch recipient or account fields. Country and currency codes are three
 * uppercase letters.
 */
export interface CorridorFieldsQuery {
  dstCountryIso3Code: string;
  dstCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
  /** `PERSON` by default. */
  recipientType?: PartyType | null | undefined;
}

/** For what kind of sender to fetch fields. */
export interface SenderFieldsQuery {
  /** `PERSON` by default. */
  senderType?: PartyType | null | undefined;
}

/** For which corridor to fetch transfer fields. Country and currency codes are three uppercase letters. */
export interface TransferFieldsQuery {
  dstCountryIso3Code: string;
  dstCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
}

/** A sender to create, update or replace. */
export interface SenderRequest {
  /** `PERSON` by default. */
  senderType?: PartyType | null | undefined;
  /**
   * The dynamic fields, as a `FieldForm` makes them of what a customer typed; for an update only
   * those to change.
   */
  fields: (FieldValue | RecordField)[];
  /** If absent, `null` or empty: the default group on creation, and unchanged on update. */
  senderGroupId?: string | null | undefined;
}

/**
 * A recipient to create or replace. The corridor decides which fields are required; without it the
 * fields are checked against the form of recipient fields that was fetched last, if any. Country and
 * currency codes are three uppercase letters.
 */
export interface RecipientRequest {
  /** A person by default. */
  userType?: PartyType | null | undefined;
  /** The dynamic fields, as a `FieldForm` makes them of what a customer typed. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
  dstCountryIso3Code?: string | null | undefined;
  dstCurrencyIso3Code?: string | null | undefined;
  transferMethod?: TransferMethod | null | undefined;
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
}

/** Which recipients to list. */
export interface RecipientFilter {
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
}

/**
 * An account to create or replace. The corridor decides which fields are required; without it the fields
 * are checked against the form of account fields that was fetched last, if any. Country and currency
 * codes are three uppercase letters.
 */
export interface RecipientAccountRequest {
  dstCountryIso3Code?: string | null | undefined;
  dstCurrencyIso3Code?: string | null | undefined;
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
  /** The account number, if the transfer method has one. Never a card number. */
  accountNumber?: string | null | undefined;
  /** The dynamic fields; a card is `{ id: "CARD_ID", value: cardId }`. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
}

/**
 * What a session is for: the card that receives the money (`RECIPIENT`), or the one that pays
 * (`SENDER`).
 */
export interface CardSessionRequest {
  entityMode: "RECIPIENT" | "SENDER" | Unlisted;
}

/** A transfer to execute. Country and currency codes are three uppercase letters. */
export interface TransferRequest {
  dstCountryIso3Code: string;
  /** The currency that the recipient gets. */
  dstCurrencyIso3Code: string;
  /** The currency that the sender pays in. */
  srcCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` by default. */
  transferMethod?: TransferMethod | null | undefined;
  /** `SEND_AMOUNT` by default. */
  quoteBy?: QuoteBy | null | undefined;
  /** The quoted amount: minor units of the currency on the side that `quoteBy` fixes, at least 0. */
  amount: MinorUnits;
  /** The quote, which is good for one transfer. */
  quoteHistoryId: string;
  recipientId: string;
  /** The recipient's account; cash pickup has none. */
  recipientAccountId?: string | null | undefined;
  /** Whether the service holds the transfer until it is released. */
  customerHold?: boolean | null | undefined;
  /** Makes the transfer unrepeatable. Preparing the transfer fetches one by default. */
  nonce?: string | null | undefined;
  /**
   * What the page calls the payment, such as its order: any text, of at most 255 characters. Binds the
   * attempts at one payment to each other on this device, so that no second one is sent beside one
   * that may have been. Kept in the journal, never sent.
   */
  paymentId?: string | null | undefined;
  /** The dynamic fields, as a `FieldForm` makes them of what a customer typed. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
  purposeOfRemittance?: string | null | undefined;
  sourceOfFunds?: string | null | undefined;
  /** How the sender pays in. */
  sourceTransferMethod?: string | null | undefined;
  /** The account that the sender pays from. */
  sourceAccountId?: string | null | undefined;
}

/** Which transfers to list. */
export interface TransferFilter {
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
  /** How many to return at most. */
  limit?: number | null | undefined;
  /** How many to skip. */
  offset?: number | null | undefined;
}

/** Why to cancel a held transfer. */
export interface HoldCancellation {
  reason: "SUSPECTED_FRAUD" | "CONFIRMED_FRAUD" | "EVALUATION_EXPIRED" | "CUSTOMER_REQUEST" | Unlisted;
}

import type { TransferMethod } from "./corridor.js";
import type { FieldValue, PartyType, RecordField } from "./fields.js";
import type { CallOptions } from "./remit-kit.js";

/**
 * A recipient to create or replace. The corridor decides which fields are required; without it the fields are
 * checked against the form that `recipientFields` returned last, if any. Codes are three uppercase letters.
 */
export interface RecipientRequest {
  /** A person by default. */
  userType?: PartyType | null | undefined;
  /** The dynamic fields. See `FieldForm.toFields`. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
  dstCountryIso3Code?: string | null | undefined;
  dstCurrencyIso3Code?: string | null | undefined;
  transferMethod?: TransferMethod | null | undefined;
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
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

/** Which recipients to list. */
export interface RecipientFilter {
  /** The sender, if the token does not name one. */
  senderId?: string | null | undefined;
}

/**
 * An account to create or replace. The corridor decides which fields are required; without it the fields are
 * checked against the form that `recipientAccountFields` returned last, if any. Codes are three uppercase
 * letters.
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

/** The calls about recipients and their accounts, as part of `RemitKit`. */
export interface RecipientCalls {
  /** Is not retried blindly: a lost reply is an error of kind `outcome_unknown`. */
  createRecipient(request: RecipientRequest, options?: CallOptions): Promise<Recipient>;
  /** Replaces the whole record. */
  replaceRecipient(recipientId: string, request: RecipientRequest, options?: CallOptions): Promise<Recipient>;
  getRecipient(recipientId: string, options?: CallOptions): Promise<Recipient>;
  deleteRecipient(recipientId: string, options?: CallOptions): Promise<void>;
  recipients(filter?: RecipientFilter, options?: CallOptions): Promise<Recipient[]>;

  /** Is not retried blindly: a lost reply is an error of kind `outcome_unknown`. */
  createRecipientAccount(
    recipientId: string, request: RecipientAccountRequest, options?: CallOptions,
  ): Promise<RecipientAccount>;
  /** Replaces the whole record. */
  replaceRecipientAccount(
    recipientId: string, accId: string, request: RecipientAccountRequest, options?: CallOptions,
  ): Promise<RecipientAccount>;
  getRecipientAccount(recipientId: string, accId: string, options?: CallOptions): Promise<RecipientAccount>;
  deleteRecipientAccount(recipientId: string, accId: string, options?: CallOptions): Promise<void>;
  recipientAccounts(recipientId: string, options?: CallOptions): Promise<RecipientAccount[]>;
}

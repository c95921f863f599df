import type { TransferMethod } from "./corridor.js";
import type { FieldValue, PartyType, RecordField } from "./fields.js";
import type { CallOptions } from "./remit-kit.js";

/**
 * A recipient to create or replace. The corridor says which fields are asked for; without it the fields are
 * held to the form that `recipientFields` gave last, where there is one.
 */
export interface RecipientRequest {
  /** The service's default is a person. */
  userType?: PartyType | null | undefined;
  /** The dynamic fields. See `FieldForm.toFields`. */
  fields?: (FieldValue | RecordField)[] | null | undefined;
  /** Three uppercase letters. */
  dstCountryIso3Code?: string | null | undefined;
  /** Three uppercase letters. */
  dstCurrencyIso3Code?: string | null | undefined;
  transferMethod?: TransferMethod | null | undefined;
  /** The sender, where the token does not name one. */
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
  /** The sender, where the token does not name one. */
  senderId?: string | null | undefined;
}

/**
 * An account to create or replace. The corridor says which fields are asked for; without it the fields are
 * held to the form that `recipientAccountFields` gave last, where there is one.
 */
export interface RecipientAccountRequest {
  /** Three uppercase letters. */
  dstCountryIso3Code?: string | null | undefined;
  /** Three uppercase letters. */
  dstCurrencyIso3Code?: string | null | undefined;
  /** The service's default is `BANK_ACCOUNT`. */
  transferMethod?: TransferMethod | null | undefined;
  /** The number of the account, where the transfer method has one. Never a card's. */
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
  /** Perhaps masked. */
  accountNumber?: string | null;
  /** ISO 8601. */
  createdAt?: string | null;
  fields?: RecordField[] | null;
}

/** The calls about recipients and their accounts. `RemitKit` has them. */
export interface RecipientCalls {
  /** Not sent again blindly: a lost answer is an error of kind `outcome_unknown`. */
  createRecipient(request: RecipientRequest, options?: CallOptions): Promise<Recipient>;
  /** Replaces the whole record. */
  replaceRecipient(recipientId: string, request: RecipientRequest, options?: CallOptions): Promise<Recipient>;
  getRecipient(recipientId: string, options?: CallOptions): Promise<Recipient>;
  deleteRecipient(recipientId: string, options?: CallOptions): Promise<void>;
  recipients(filter?: RecipientFilter, options?: CallOptions): Promise<Recipient[]>;

  /** Not sent again blindly: a lost answer is an error of kind `outcome_unknown`. */
  createRecipientAccount(
    recipientId: string,
    request: RecipientAccountRequest,
    options?: CallOptions,
  ): Promise<RecipientAccount>;
  /** Replaces the whole record. */
  replaceRecipientAccount(
    recipientId: string,
    accId: string,
    request: RecipientAccountRequest,
    options?: CallOptions,
  ): Promise<RecipientAccount>;
  getRecipientAccount(recipientId: string, accId: string, options?: CallOptions): Promise<RecipientAccount>;
  deleteRecipientAccount(recipientId: string, accId: string, options?: CallOptions): Promise<void>;
  recipientAccounts(recipientId: string, options?: CallOptions): Promise<RecipientAccount[]>;
}

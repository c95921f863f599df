import type { Recipient, RecipientAccount, RecipientAccountRequest, RecipientFilter } from "./records.js";
import type { RecipientRequest } from "./records.js";
import type { CallOptions } from "./remit-kit.js";

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

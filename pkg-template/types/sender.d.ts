import type { FieldValue, PartyType, RecordField } from "./fields.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** A sender to create, update or replace. */
export interface SenderRequest {
  /** `PERSON` by default. */
  senderType?: PartyType | null | undefined;
  /** The dynamic fields; for `updateSender` only those to change. See `FieldForm.toFields`. */
  fields: (FieldValue | RecordField)[];
  /** If omitted, `null` or empty: the default group on creation, and unchanged on update. */
  senderGroupId?: string | null | undefined;
}

/** The state of the identity check. */
export type KycStatus =
  "UNKNOWN" | "SKIPPED" | "PASSED" | "ID_REQUIRED" | "FAILED" | "PENDING" | "REQUEST_FAILED" | Unlisted;

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
  isDeactivated?: boolean | null;
  fields?: RecordField[] | null;
}

/** The calls about senders, as part of `RemitKit`. */
export interface SenderCalls {
  /** Is not retried blindly: a lost reply is an error of kind `outcome_unknown`. */
  createSender(request: SenderRequest, options?: CallOptions): Promise<Sender>;
  /** Changes the given fields and leaves the others. */
  updateSender(senderId: string, request: SenderRequest, options?: CallOptions): Promise<Sender>;
  /** Replaces the whole record. */
  replaceSender(senderId: string, request: SenderRequest, options?: CallOptions): Promise<Sender>;
  getSender(senderId: string, options?: CallOptions): Promise<Sender>;
  deleteSender(senderId: string, options?: CallOptions): Promise<void>;
  /** Returns the sender that the token belongs to. */
  senderId(options?: CallOptions): Promise<{ senderId: string }>;
}

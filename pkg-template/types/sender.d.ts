import type { FieldValue, PartyType, RecordField } from "./fields.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** A sender to create, change or replace. */
export interface SenderRequest {
  /** `PERSON` if left out. */
  senderType?: PartyType | null | undefined;
  /** The dynamic fields; with `updateSender` only those to change. See `FieldForm.toFields`. */
  fields: (FieldValue | RecordField)[];
  /** The default group on creation, and unchanged on update, when left out, `null` or empty. */
  senderGroupId?: string | null | undefined;
}

/** How far the identity check is. Open for values that come later. */
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

/** The calls about senders. `RemitKit` has them. */
export interface SenderCalls {
  /** Not sent again blindly: a lost answer is an error of kind `outcome_unknown`. */
  createSender(request: SenderRequest, options?: CallOptions): Promise<Sender>;
  /** Changes the fields that are given and leaves the others. */
  updateSender(senderId: string, request: SenderRequest, options?: CallOptions): Promise<Sender>;
  /** Replaces the whole record. */
  replaceSender(senderId: string, request: SenderRequest, options?: CallOptions): Promise<Sender>;
  getSender(senderId: string, options?: CallOptions): Promise<Sender>;
  deleteSender(senderId: string, options?: CallOptions): Promise<void>;
  /** The sender that the token stands for. */
  senderId(options?: CallOptions): Promise<{ senderId: string }>;
}

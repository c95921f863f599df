import type { FieldValue, PartyType, RecordField } from "./fields.js";

/** A sender to create, change or replace. */
export interface SenderRequest {
  senderType: PartyType;
  /** The dynamic fields; with `updateSender` only those to change. See `FieldForm.toFields`. */
  fields: FieldValue[];
  /** The default group on creation, and unchanged on update, when left out. */
  senderGroupId?: string | undefined;
}

/** How far the identity check is. Open for values that come later. */
export type KycStatus =
  "UNKNOWN" | "SKIPPED" | "PASSED" | "ID_REQUIRED" | "FAILED" | "PENDING" | "REQUEST_FAILED" | (string & {});

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

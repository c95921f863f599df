import type { Sender, SenderRequest } from "./records.js";
import type { CallOptions } from "./remit-kit.js";

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

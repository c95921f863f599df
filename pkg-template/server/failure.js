import { RemitError } from "../remit-error.js";

// Kind and resolution of the codes that only `remitkit/server` raises; errors.js has those of pages.
const CODES = {
  TokenUnavailable: ["authentication", "name_the_sender"],
  Unauthorized: ["authentication", "name_the_sender"],
  AccessDenied: ["authentication", "name_the_sender"],
  SenderNotFound: ["not_found", "name_the_sender"],
  NetworkFailure: ["unavailable", "try_again_later"],
  ServiceUnavailable: ["unavailable", "try_again_later"],
  TooManyRequests: ["unavailable", "try_again_later"],
  UnreadableReply: ["unavailable", "try_again_later"],
  Timeout: ["timeout", "try_again_later"],
};

/** Returns an error. `message` must not quote what was sent or received: it may contain a secret. */
export function serverFailure(code, message, details) {
  const [kind, resolution] = CODES[code];
  const retryable = kind === "unavailable" || kind === "timeout";
  return new RemitError(code, message, { kind, resolution, retryable, ...details });
}

import type { ErrorContext, KeyValueCache, NodeRequest, RequestHandler } from "./http.js";
import type { TransferStatusName } from "./records.js";

/** What the service sends when a transfer's status changes, with its own names. */
export interface TransferStatusEvent {
  TransferId: string;
  /** Its letter case varies. */
  Status: TransferStatusName;
  /** ISO 8601, with up to seven decimals of a second. Text as the service sent it: it is not checked. */
  StatusChangedDate: string;
  /** Why it was canceled, if it was. As long as the body allows, so mind a column's length. */
  CancellationReason: string | null;
}

/**
 * Checks the API key and reads the event.
 *
 * @param request A Fetch `Request`, or a Node request (or Fastify's) whose body is unread (up to 64 KiB,
 * within 10 seconds; gzip and deflate are inflated) or was left by a parser as `request.body`: an object,
 * text or bytes.
 * @param apiKey The key in the service's `Authorization` header, bare or after `Basic` as it is (not in
 * base64, nor after `Bearer`); a list while you rotate it. Compared in constant time, before the body is
 * read.
 * @throws {RemitError} `Unauthorized` for another key; `InvalidRequest`, naming the member, for an invalid
 * body; `InvalidRequest` for `request` if something else has read the body, which is not the sender's fault;
 * `Timeout` or `NetworkFailure` for an incomplete one; `InvalidConfiguration` if `apiKey` is empty.
 */
export function parseTransferWebhook(
  request: Request | NodeRequest, apiKey: string | readonly string[],
): Promise<TransferStatusEvent>;

/** The options of {@link createWebhookReceiver}. */
export interface WebhookReceiverOptions {
  /** As for {@link parseTransferWebhook}. */
  apiKey: string | readonly string[];
  /**
   * Processes an event. If it throws, rejects, or takes longer than five minutes, the answer is 500 and the
   * service may send the event again; the event is remembered only once this has resolved, however late.
   */
  onTransferStatus: (event: TransferStatusEvent) => void | Promise<void>;
  /**
   * Where several backends remember the events of seven days; by default this process remembers the last
   * 10,000. Two receivers of the same events need separate namespaces.
   */
  cache?: KeyValueCache | undefined;
  /**
   * Called with the reason whenever an event is answered with 4xx or 5xx, and with a cache's failures. By
   * default prints one line with `console.error`, equal ones once in five seconds.
   */
  onError?: ((error: unknown, context: ErrorContext) => void) | undefined;
}

/**
 * Creates a request handler for webhooks. It recognizes an event that it has processed, by `TransferId`,
 * `Status` (in any letter case) and `StatusChangedDate`, and answers it with 200 without calling
 * `onTransferStatus`.
 *
 * It answers with 4xx only for what the sender did wrong: 400, 401, 405, 408 (the body took longer than 10
 * seconds), 413 and 415. If the body broke off, was read by something else, or could not be processed, the
 * answer is 5xx, and the service sends the event again.
 *
 * Processing is at least once, not exactly once: an event is processed twice if a backend stops half-way, if
 * two backends (or one Worker) receive it at the same moment, or if it arrives again after five minutes of
 * processing. Make `onTransferStatus` idempotent, and do not rely on the order of events.
 *
 * @throws {RemitError} of kind `configuration`, naming the invalid option.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): RequestHandler;

import type { KeyValueCache, NodeRequest, RequestHandler } from "./http.js";
import type { TransferStatusName } from "./transfer.js";

/** What the service says when a transfer's status has changed, in its own words. */
export interface TransferStatusEvent {
  TransferId: string;
  /** Open for values that come later; their case varies. */
  Status: TransferStatusName;
  /** ISO 8601, with up to seven digits of a second. */
  StatusChangedDate: string;
  /** Why it was cancelled, if it was: at any length that the body may have, so mind a column's. */
  CancellationReason: string | null;
}

/**
 * Checks the API key and reads the event.
 *
 * @param request A Fetch `Request`, or a request of Node's whose body was not read yet (64 KiB, 10 seconds)
 * or was read by a parser that left it as `request.body`: an object, text or bytes.
 * @param apiKey The key of the service's `Authorization` header, bare or after `Basic`. Several while one
 * replaces another. Compared in constant time, and before the body is read.
 * @throws {RemitError} `Unauthorized` for another key; `InvalidRequest`, naming the member, for another body;
 * `Timeout` or `NetworkFailure` if the body did not come in full; `InvalidConfiguration` if `apiKey` is
 * empty.
 */
export function parseTransferWebhook(
  request: Request | NodeRequest,
  apiKey: string | readonly string[],
): Promise<TransferStatusEvent>;

/** What a webhook receiver is made of. */
export interface WebhookReceiverOptions {
  /** As for {@link parseTransferWebhook}. */
  apiKey: string | readonly string[];
  /**
   * Takes care of an event. If it throws or rejects, or takes longer than five minutes, the answer is 500 and
   * the service may send the event again; only when it has resolved, however late, is the event remembered.
   */
  onTransferStatus: (event: TransferStatusEvent) => void | Promise<void>;
  /**
   * Where seven days' events are remembered, if several backends receive them; else this process remembers
   * the last 10,000. Two receivers that are to get the same events need a namespace each.
   */
  cache?: KeyValueCache | undefined;
  /**
   * Is told why an event was answered with 4xx or 500, and of a cache that fails. One line on `console.error`
   * if left out.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * A request handler for webhooks that recognises an event it has taken care of before, by `TransferId`,
 * `Status` and `StatusChangedDate`, and answers it with 200 without calling `onTransferStatus`.
 *
 * That is at least once, not exactly once: a backend that stops between the two, two (or one Cloudflare
 * Worker) that get the same event at the same moment, or one that gets it again after five minutes with the
 * first still under way, take care of it twice. Let `onTransferStatus` do no harm then, and do not rely on the
 * order in which events come.
 *
 * @throws {RemitError} of kind `configuration`, naming the option that cannot be right.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): RequestHandler;

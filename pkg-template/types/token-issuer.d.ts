import type { KeyValueCache, NodeRequest, RequestHandler } from "./http.js";
import type { CallOptions } from "./remit-kit.js";

/** The options of {@link createTokenIssuer}. */
export interface TokenIssuerOptions {
  /** The service's base address, without `/v1`: https, or http on a loopback host. Also the `audience`. */
  baseUrl: string | URL;
  clientId: string;
  /** Sent only to the token endpoint; appears in no error or log. */
  clientSecret: string;
  /**
   * Where several backends share tokens until their renewal; this process's memory by default. Entries are
   * encrypted with a key derived from `clientSecret` and bound to their cache key; altered ones are ignored.
   * With `compareAndSet`, backends do not overwrite each other's tokens. A cache that fails, or takes longer
   * than half a second, delays no call further and fails none.
   */
  cache?: KeyValueCache | undefined;
  /**
   * How long one attempt to fetch a token may take, in milliseconds, 100 to 120000; 10 seconds by default.
   */
  timeoutMs?: number | undefined;
  /** Called with a cache's failures, and with the reason for a 5xx answer. By default prints one line. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A token as the page's `createRemitKit` takes it. `expires_in` counts from the moment it is handed out. */
export interface IssuedToken {
  access_token: string;
  /** Whole seconds until it expires. */
  expires_in: number;
  token_type: "Bearer";
}

/**
 * A token for all senders of the client, which must not leave the server. `JSON.stringify`, logs and
 * `{ ...token }` omit `access_token`: read it by name.
 */
export interface ClientToken {
  readonly access_token: string;
  /** Whole seconds until it expires. */
  readonly expires_in: number;
  readonly token_type: "Bearer";
}

export interface TokenCallOptions extends CallOptions {
  /** Fetches a new token because the cached one was revoked, and replaces that, also in the cache. */
  renew?: boolean | undefined;
}

/** For whom a handler issues tokens, and to which pages. */
export interface TokenHandlerOptions<R = Request | NodeRequest> {
  /**
   * Returns the sender of the signed-in customer, from your own session and never from what the page sends:
   * `undefined` or `null` if nobody is signed in (answered with 401), `false` if this customer may not send
   * (403).
   */
  senderId: (request: R) => string | false | null | undefined | Promise<string | false | null | undefined>;
  /**
   * The origins of the shop's pages, such as `["https://shop.example.com"]`, if the `Host` that reaches the
   * backend is not theirs or not reliable. Requests of other origins are answered with 403. CORS headers are
   * up to your framework.
   */
  origins?: readonly string[] | undefined;
}

/**
 * Fetches tokens for the shop's customers and caches them until their renewal: a minute, or a tenth of their
 * lifetime, before they expire. Concurrent calls for one sender share a single request; not in a Cloudflare
 * Worker, as Cloudflare cancels everything that the request of a customer who left has started. Several
 * backends may each fetch a token at the same time, once; all of these are valid. A token fetched to replace
 * a refused one supersedes all earlier ones on every backend, by a number in the cache and not by the
 * backends' clocks.
 *
 * Temporary failures (no connection, no reply in time, status 408, 429 or 5xx, an unreadable reply) are
 * retried: three attempts and 30 seconds in total, honouring a `Retry-After` of up to 30 seconds. All calls
 * share a budget of 20 retries, refilled by one each second.
 */
export interface TokenIssuer {
  /**
   * Returns a token for this sender alone, to hand to the sender's page.
   *
   * @throws {RemitError} `invalid_request` if `senderId` is not a UUID; `authentication` if the service
   * refuses the client; `not_found` (`SenderNotFound`); `unavailable`, `timeout`, `aborted`.
   */
  senderToken(senderId: string, options?: TokenCallOptions): Promise<IssuedToken>;
  /** Returns a token for all senders of the client, for the backend's own calls. No handler hands one out. */
  clientToken(options?: TokenCallOptions): Promise<ClientToken>;
  /**
   * Returns a request handler that hands a page its token: to `POST` requests only, from pages of the shop's
   * own origin by `Sec-Fetch-Site` and `Origin`, never cached. It answers with
   * `{ access_token, expires_in, token_type }`, or with `{ error }` and 401, 403, 405, 500, 502, 503 or 504;
   * `onError` receives the reason for a 5xx. It does not read the request's body. A page whose token was
   * refused sends `Cache-Control: no-cache`, as `fetch` does with `cache: "reload"`, and gets a token that is
   * at most a second old.
   */
  handler<R extends Request | NodeRequest = Request | NodeRequest>(
    options: TokenHandlerOptions<R>,
  ): RequestHandler<R>;
}

/**
 * Creates a token issuer. Sends nothing yet.
 *
 * @throws {RemitError} of kind `configuration`, naming the invalid option.
 */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer;

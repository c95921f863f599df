import type { KeyValueCache, NodeRequest, RequestHandler } from "./http.js";
import type { CallOptions } from "./remit-kit.js";

/** What a {@link TokenIssuer} is made of. */
export interface TokenIssuerOptions {
  /**
   * The service's base address, without `/v1`: https, or http on this machine. Also what tokens are asked for
   * (`audience`).
   */
  baseUrl: string | URL;
  clientId: string;
  /** Sent to the token endpoint and nowhere else; stands in no error and no log. */
  clientSecret: string;
  /**
   * Where tokens are kept until their renewal, if several backends are to share them; this process's memory
   * if left out. What is put there is encrypted and bound to its key, with a key of its own that is derived
   * from `clientSecret`; what does not stand that test is not believed. One with `compareAndSet` keeps
   * backends from overwriting each other. A cache that fails, or takes longer than half a second, delays no
   * call further and stops none.
   */
  cache?: KeyValueCache | undefined;
  /**
   * How long one attempt at the token endpoint may take, in milliseconds, 100 to 120000; 10 seconds if left
   * out.
   */
  timeoutMs?: number | undefined;
  /**
   * Is told of a cache that fails, and why a handler answered with a 5xx status. One line on `console.error`
   * if left out.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** A token as the page's `createRemitKit` takes it. `expires_in` counts from the moment it is handed out. */
export interface IssuedToken {
  access_token: string;
  /** Whole seconds until it ends. */
  expires_in: number;
  token_type: "Bearer";
}

/**
 * A token for all senders of the client, which must not leave the server. `JSON.stringify`, logs and
 * `{ ...token }` leave `access_token` out: read the member.
 */
export interface ClientToken {
  readonly access_token: string;
  /** Whole seconds until it ends. */
  readonly expires_in: number;
  readonly token_type: "Bearer";
}

export interface TokenCallOptions extends CallOptions {
  /**
   * Asks the service for a new token though one is held, as the held one was revoked. The new one replaces it
   * in the cache too.
   */
  renew?: boolean | undefined;
}

/** For whom a handler gives tokens, and to whose pages. */
export interface TokenHandlerOptions<R = Request | NodeRequest> {
  /**
   * The sender of the customer who is signed in, from your own session: never from what the page says.
   * `undefined` or `null` if nobody is (the answer is 401), `false` if this customer may not send (403).
   */
  senderId: (request: R) => string | false | null | undefined | Promise<string | false | null | undefined>;
  /**
   * The origins of the shop's pages, such as `["https://shop.example.com"]`, where the `Host` that reaches
   * the backend is not theirs, or should not be relied on. A request of another origin is refused with 403.
   * CORS headers remain your framework's affair.
   */
  origins?: readonly string[] | undefined;
}

/**
 * Gets tokens for the shop's customers and keeps them until their renewal, which is a minute, or a tenth of
 * their life, before they end. Of any number of calls for one sender at the same time, one fetches; in a
 * Cloudflare Worker each does, as Cloudflare cancels all that the request of a customer who left has begun.
 * Several backends cannot be kept from fetching at the same time, each once: no token is the worse for it. A
 * token that was asked for in place of a refused one counts above all that were there before, on every
 * backend, by a number in the cache and not by the backends' clocks.
 *
 * A passing failure (no connection, no answer in time, status 408, 429 or 5xx, an unreadable reply) is tried
 * again, three attempts and 30 seconds in all; a `Retry-After` of up to 30 seconds is waited for. All calls
 * share a budget of 20 retries at once and one more each second.
 */
export interface TokenIssuer {
  /**
   * A token that is good for this sender alone, to be handed to the sender's page.
   *
   * @throws {RemitError} `invalid_request` if `senderId` is no UUID; `authentication` if the service refuses
   * the client; `not_found` (`SenderNotFound`); `unavailable`, `timeout`, `aborted`.
   */
  senderToken(senderId: string, options?: TokenCallOptions): Promise<IssuedToken>;
  /**
   * A token that is good for all senders of the client, for the backend's own calls. No handler ever gives
   * one out.
   */
  clientToken(options?: TokenCallOptions): Promise<ClientToken>;
  /**
   * A request handler that hands a page its token: `POST` alone, to pages of the shop's own origin by
   * `Sec-Fetch-Site` and `Origin`, never cached. Answers `{ access_token, expires_in, token_type }`, else
   * `{ error }` with 401, 403, 405, or 500, 502, 503 and 504, of which `onError` is told the reason. The
   * request's body is not read. A page whose token was refused asks with `Cache-Control: no-cache`, which is
   * `fetch`'s `cache: "reload"`, and gets one that is no older than a second.
   */
  handler<R extends Request | NodeRequest = Request | NodeRequest>(
    options: TokenHandlerOptions<R>,
  ): RequestHandler<R>;
}

/**
 * Sends nothing yet.
 *
 * @throws {RemitError} of kind `configuration`, naming the option that cannot be right.
 */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer;

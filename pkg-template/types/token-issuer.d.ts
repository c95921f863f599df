import type { ErrorContext, KeyValueCache, NodeRequest, RequestHandler } from "./http.js";
import type { CallOptions } from "./remit-kit.js";

/**
 * One secret, or several while you rotate it: the first is sent, and the next one if the service refuses it;
 * each opens the shared cache, so that backends with a secret in common see each other's renewals.
 */
export type ClientSecret = string | readonly string[];

/** The part of `fetch` that the issuer uses; undici's and the global one have it. */
export type TokenFetch = (
  url: string,
  init: {
    method: "POST";
    headers: Record<string, string>;
    body: string;
    cache: "no-store";
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  // `ReadableStream<Uint8Array>`, whose types differ among runtimes.
  readonly body: unknown;
}>;

/** The options of {@link createTokenIssuer}. */
export interface TokenIssuerOptions {
  /**
   * The service's base address, without `/v1`: https, or http on a loopback host or one of
   * `allowInsecureHosts`. Also the `audience`.
   */
  baseUrl: string | URL;
  clientId: string;
  /**
   * Sent only to the token endpoint; appears in no error or log. A function, as for a vault, is asked before
   * the first request, and again once the service refuses what it returned (`invalid_client`).
   */
  clientSecret: ClientSecret | (() => ClientSecret | Promise<ClientSecret>);
  /**
   * Where several backends share tokens until their renewal; this process's memory by default. Entries are
   * encrypted with a key derived from `clientSecret` and bound to their cache key, which reveals no sender;
   * altered ones are ignored. With `compareAndSet`, backends do not overwrite each other's tokens. A cache
   * that fails, or takes longer than half a second, delays no call further and fails none.
   */
  cache?: KeyValueCache | undefined;
  /**
   * How long one attempt to fetch a token may take, in milliseconds, 100 to 120000; 10 seconds by default.
   */
  timeoutMs?: number | undefined;
  /**
   * How long all attempts together may take, with the pauses between them, in milliseconds, 100 to 300000; by
   * default 20 seconds, or `timeoutMs` if that is more. A page gives up after 30 seconds, and many a proxy
   * too.
   */
  totalTimeoutMs?: number | undefined;
  /** How often a temporary failure is tried in all, 1 to 10; 3 by default. */
  maxAttempts?: number | undefined;
  /**
   * How many token requests may be under way at a time, 1 to 10000; 50 by default. Others wait in line.
   * Senders whose last request failed get at most half of the places.
   */
  maxConcurrent?: number | undefined;
  /**
   * Hosts that may be reached by http although they are not this machine, such as `["sandbox"]` in docker
   * compose. Whoever is between here and there can read the secret: for tests only.
   */
  allowInsecureHosts?: readonly string[] | undefined;
  /** Sends the requests instead of the global `fetch`: through a proxy, or with a client certificate. */
  fetch?: TokenFetch | undefined;
  /**
   * Called with a cache's failures, with the reason for a 5xx answer, and with pages refused for their origin
   * (each origin once a minute). By default prints one line, equal ones once in five seconds.
   */
  onError?: ((error: unknown, context: ErrorContext) => void) | undefined;
  /** Called with what happens, for logs and metrics. It holds neither tokens nor secrets. */
  onEvent?: ((event: TokenEvent) => void) | undefined;
}

/** What an issuer reports to `onEvent`. */
export type TokenEvent =
  | {
      /** A request to the token endpoint has ended. */
      readonly type: "attempt";
      /** Absent for the client's token. */
      readonly senderId?: string | undefined;
      /** From 1; twice the same if the service refused one secret and got the next. */
      readonly attempt: number;
      readonly durationMs: number;
      /** Of the endpoint's reply, if there was one. */
      readonly status?: number | undefined;
      readonly requestId?: string | undefined;
      /** The error's code, if it failed. */
      readonly code?: string | undefined;
    }
  | {
      /** A token was handed out, or could not be. */
      readonly type: "token";
      readonly senderId?: string | undefined;
      /** Whether it needed no request. */
      readonly cached: boolean;
      readonly durationMs: number;
      readonly code?: string | undefined;
    }
  | {
      /** A handler has answered a request. */
      readonly type: "response";
      readonly status: number;
      readonly durationMs: number;
      /** Once the session was found. */
      readonly senderId?: string | undefined;
      /** The reason that the page was given, such as `other_origin`. */
      readonly error?: string | undefined;
      readonly code?: string | undefined;
      /** Of a page that was refused for its origin: what its request said. */
      readonly origin?: string | undefined;
      readonly host?: string | undefined;
    };

/** A token as the page's `createRemitKit` takes it. `expires_in` counts from the moment it is handed out. */
export interface IssuedToken {
  access_token: string;
  /** Whole seconds until it expires; 0 in its last second. */
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
   * (403). Answered with 504 if it takes longer than five seconds. TypeScript takes the type of `request`
   * from the parameter's: `(request: express.Request) => …`.
   */
  senderId: (request: R) => string | false | null | undefined | Promise<string | false | null | undefined>;
  /**
   * The origins of the shop's pages, such as `["https://shop.example.com"]`, or a function that tells whether
   * an origin is one of them, as for previews. Recommended in production, and needed if the `Host` that
   * reaches the backend is not theirs. Pages inside an app have origins such as `capacitor://localhost`, by
   * their exact text. Requests of other origins are answered with 403. CORS headers are up to your framework.
   */
  origins?: readonly string[] | ((origin: string) => boolean | Promise<boolean>) | undefined;
}

/**
 * Fetches tokens for the shop's customers and caches them until their renewal: a minute, or a tenth of their
 * lifetime, before they expire. Concurrent calls for one sender share a single request; not in a Cloudflare
 * Worker, as Cloudflare cancels everything that the request of a customer who left has started. Several
 * backends may each fetch a token at the same time, once; all of these are valid. A token fetched to replace
 * a refused one supersedes all earlier ones on every backend, by a number in the cache and not by the
 * backends' clocks.
 *
 * Temporary failures (no connection, no reply in time, status 408, 429 or 5xx, a reply that is not JSON) are
 * retried: `maxAttempts` within `totalTimeoutMs`, honoring a `Retry-After` that fits in. All calls share a
 * budget of 20 retries, refilled by one each second. A sender whose requests keep failing is asked for once
 * in two seconds, or in the `Retry-After` that it got, and its calls fail at once in between; those of other
 * senders only if several have failed in a row, or the client's token.
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
  /**
   * For start-up and readiness: gets the client's token, which verifies `baseUrl` and the credentials and
   * costs a request only if none is cached, and writes to the shared cache and reads it.
   *
   * @returns whether the cache keeps what it is given; `undefined` without one. A cache that fails does not
   * keep the shop from its tokens, so it is no error.
   * @throws {RemitError} as `clientToken` does.
   */
  check(options?: CallOptions): Promise<{ cache: "ok" | "failed" | undefined }>;
  /**
   * For an orderly stop: ends the requests under way, whose calls reject with `Aborted` (a handler answers
   * 503), and sends no more. What is cached is still handed out.
   */
  close(): void;
}

/**
 * Creates a token issuer. Sends nothing yet.
 *
 * @throws {RemitError} of kind `configuration`, naming the invalid option.
 */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer;

/** The part of a Node request that is used: an `IncomingMessage`, or what Express and others make of it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** The part of a Node response that is used: a `ServerResponse`, or what Express and others make of it. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** The part of Fastify's reply that is used: whoever hijacks it answers with `raw`. */
export interface HijackableReply {
  hijack(): unknown;
  readonly raw: NodeResponse;
}

/** What an error that `onError` is told of is about. Empty for a failure of the shared cache. */
export interface ErrorContext {
  /** The request that a handler was answering. */
  readonly request?: Request | NodeRequest;
  /** The sender, once the session was found. */
  readonly senderId?: string;
}

/**
 * A request handler for both kinds of servers: `(request) => Promise<Response>` for Next, Hono (`c.req.raw`),
 * Deno and Bun, and `(request, response) => Promise<void>` for Node's `http`, Express, Fastify and Next's
 * `pages/api`. It uses the second form if and only if there is a second argument with `writeHead` and `end`,
 * or Fastify's `hijack`. It always answers: it calls no `next`, and rejects only if it gets neither form.
 */
export interface RequestHandler<R = Request | NodeRequest> {
  (
    request: Exclude<R, Request>,
    response: NodeResponse | HijackableReply,
    next?: (error?: unknown) => void,
  ): Promise<void>;
  (request: Extract<R, Request>): Promise<Response>;
}

/** A store with expiry that a shop's backends share, such as a Keyv over Redis. A `Map` will do in tests. */
export interface KeyValueCache {
  /** Returns the value, or a promise of it; `undefined` if there is none. */
  get(key: string): unknown;
  /** Sets a value, which may be forgotten after `ttlMs` milliseconds. */
  set(key: string, value: string, ttlMs?: number): unknown;
  /**
   * Sets a value atomically if `get` would return `expected` (`undefined` for none), and returns whether it
   * did. Replaces `set` for tokens. Without it, one of two backends that write at the same moment may
   * overwrite the other's token, until the backend with the newer token is asked again.
   */
  compareAndSet?(key: string, expected: unknown, value: string, ttlMs: number): boolean | Promise<boolean>;
}

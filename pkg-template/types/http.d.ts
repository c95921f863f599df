/** What is needed of a request of Node's: an `IncomingMessage`, or what Express and others make of it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** What is needed of a response of Node's: a `ServerResponse`, or what Express and others make of it. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/**
 * A request handler in both of the forms that servers know: `(request) => Promise<Response>` for Next, Hono
 * (`c.req.raw`), Deno and Bun, and `(request, response) => Promise<void>` for Node's `http`, Express and
 * Next's `pages/api`. It is the second form if, and only if, there is a second argument with `writeHead` and
 * `end`. It always answers: it calls no `next`, and rejects only if it is given neither form.
 */
export interface RequestHandler<R = Request | NodeRequest> {
  (request: Exclude<R, Request>, response: NodeResponse, next?: (error?: unknown) => void): Promise<void>;
  (request: Extract<R, Request>): Promise<Response>;
}

/**
 * What keeps text by key for a time, and is shared by the backends of a shop: a Keyv over any of its stores,
 * such as Redis. A `Map` will do in tests.
 */
export interface KeyValueCache {
  /** What was set, at once or later; `undefined` if there is nothing. */
  get(key: string): unknown;
  /** `ttlMs`: after so many milliseconds it may be forgotten. */
  set(key: string, value: string, ttlMs?: number): unknown;
  /**
   * Where the store can: sets only if `get` would give `expected` now, in one step, and says whether it did.
   * `undefined` stands for nothing. Used for tokens in place of `set`. Without it two backends that write at
   * the same moment may overwrite each other's, until the one with the newer token is asked again.
   */
  compareAndSet?(
    key: string,
    expected: unknown,
    value: string,
    ttlMs: number,
  ): boolean | Promise<boolean>;
}

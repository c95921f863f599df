/// <reference lib="esnext.disposable" />
import type { CardCalls } from "./card.js";
import type { CorridorCalls } from "./corridor.js";
import type { Messages, RemitError } from "./error.js";
import type { FieldCalls } from "./fields.js";
import type { WasmModule } from "./page.js";
import type { PushToCardFlow, PushToCardOptions } from "./push-to-card.js";
import type { QuoteCalls } from "./quote.js";
import type { RecipientCalls } from "./recipient.js";
import type { SenderCalls } from "./sender.js";
import type { TransferCalls } from "./transfer.js";

/** The token endpoint's own reply to your server's request with a `sender_id`. */
export interface SenderToken {
  access_token: string;
  /** Seconds until it expires. Without it the token is used until the service refuses it. */
  expires_in?: number;
  token_type?: string;
}

/**
 * A store for transfer attempts until their outcome is known: a `Map`, or anything that keeps text by key,
 * synchronously or not. It receives no token and no card data, but the members of a transfer.
 */
export interface JournalStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Must have stored the value when it returns, or when its promise fulfils. */
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  /** The keys; others than strings are ignored. A list with an `undefined` in it is a failure. */
  keys(): Iterable<string> | Promise<Iterable<string>>;
}

/** A request that was made for a call. Contains no token, no full address, and no customer data. */
export interface DiagnosticEntry {
  /** The method of RemitKit, such as `"quote"`. */
  operation: string;
  method: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** The HTTP status; 0 if there was no reply. */
  status: number;
  durationMs: number;
  /** The service's trace id. */
  requestId?: string;
}

export interface RemitKitOptions {
  /** The service's base address, without `/v1`: https, or http on a loopback host. */
  baseUrl: string | URL;
  /** The card form's base address; its origin must differ from the page's. */
  cardUrl: string | URL;
  /**
   * A sender-level token, or a function that fetches one from your server. `createRemitKit` calls it for the
   * first API call. It is called again if that failed or was not used within 10 seconds, and before a token
   * expires. Client credentials are refused.
   */
  token: string | SenderToken | (() => string | SenderToken | Promise<string | SenderToken>);
  /**
   * The language of quotes, such as `"en-US"` or `"es_MX"`; the page's by default, and for what names no
   * language.
   */
  locale?: string | undefined;
  /**
   * Your own texts for customers, by code, in any language, in addition to the built-in English and Spanish.
   * They become the `userMessage` of an error and the `message` of a problem, and take precedence over the
   * service's, as the built-in Spanish does.
   */
  messages?: Messages | undefined;
  /**
   * How long nothing of a reply may arrive before an attempt of its request ends, in milliseconds, 100 to
   * 120000; 10 seconds by default. All attempts of a call together take at most 30 seconds, or this if it is
   * longer.
   */
  timeoutMs?: number | undefined;
  /**
   * The sender whose tokens `token` returns, if the page knows it. Otherwise RemitKit asks `GET /sender-id`
   * once for each token that a transfer needs. A transfer attempt belongs to its sender: another sender's
   * token cannot list, send or erase it.
   */
  senderId?: string | undefined;
  /**
   * Where transfer attempts are kept until their outcome is known. `"session"` (default): the tab's
   * `sessionStorage`, which survives a reload. `"local"`: IndexedDB, which all tabs of the origin share and
   * which survives them and the browser; a transfer's dynamic fields then stay on the device until it is
   * settled. `"memory"`: this page only. Or your own store.
   */
  journal?: "session" | "local" | "memory" | JournalStore | undefined;
  /**
   * The whole wasm, `remitkit_core_bg.wasm`, if a bundler cannot find its parts beside the package: its
   * address, a response, its bytes, or the compiled module.
   */
  wasm?: string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule | undefined;
  /**
   * Called as each request ends. Nothing leaves the page. With it, and not without, each request is also a
   * `performance.measure` named `remitkit:` and the operation, whose `detail` is
   * `{ operation, attempt, status }`. The browser keeps these until the page calls
   * `performance.clearMeasures`.
   */
  onDiagnostic?: ((entry: DiagnosticEntry) => void) | undefined;
}

/** The last argument of every call to the service, except `pendingTransfers`. */
export interface CallOptions {
  /**
   * Aborts the call with an error of kind `aborted`, or `outcome_unknown` if it may have created something or
   * moved money. A submission ends within a second.
   */
  signal?: AbortSignal | undefined;
}

/** A request that RemitKit has no method for. */
export interface RawRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its version, such as `"/v1/corridors"`. */
  path: `/${string}`;
  query?: Record<string, string | number | boolean> | undefined;
  /** Plain data, sent as JSON. */
  body?: unknown;
}

/**
 * One configuration of the service. Every call rejects only with a {@link RemitError}, and checks its
 * arguments before it sends anything. Replies use the service's own names.
 */
export interface RemitKit
  extends CorridorCalls, QuoteCalls, FieldCalls, SenderCalls, RecipientCalls, CardCalls, TransferCalls {
  /**
   * Goes from a corridor through the card form to a prepared transfer, step by step; never submits the
   * transfer. Reads its options at once. Invalid ones reject the first `next()`, before the customer enters a
   * card; those of the card form reject the step that shows it, and `transfer` the step that prepares it.
   *
   * @throws {RemitError} at once, if the options are not an object or cannot be read.
   */
  pushToCard(flow: PushToCardOptions, options?: CallOptions): PushToCardFlow;

  /** Sends any other request, with the same token, retries and errors. The reply is not checked. */
  request<Reply = unknown>(request: RawRequest, options?: CallOptions): Promise<Reply>;
  /**
   * Returns an error's text for the customer in this kit's language. The error may be another kit's: after a
   * change of language, a page words what it shows again.
   *
   * @throws {RemitError} of kind `invalid_request` for anything but a {@link RemitError}.
   */
  userMessageOf(error: RemitError): string;
  /** Returns the content security policy for this configuration: sources by directive. */
  contentSecurityPolicy(): Record<string, string[]>;
  /** Removes the kit's card forms and waits for calls in flight; later calls reject. May be called again. */
  destroy(): Promise<void>;
  [Symbol.dispose](): void;
}

/**
 * Loads the wasm, once for the page, and checks the options.
 *
 * @throws {RemitError} of kind `configuration` for an invalid option, naming it; of kind `unavailable` if the
 * wasm could not be loaded: call it again.
 */
export function createRemitKit(options: RemitKitOptions): Promise<RemitKit>;

/** What to load ahead. */
export interface PreloadOptions extends Pick<RemitKitOptions, "wasm"> {
  /**
   * Also load what the first quote does not need: the card form, fields and transfers. By default these load
   * when the page is idle after its first call, or with the call that needs them.
   */
  everything?: boolean | undefined;
}

/**
 * Loads and compiles the wasm before the first {@link createRemitKit}, for example while the customer is
 * still busy with something else. You need not await the promise or handle its rejection: `createRemitKit`,
 * and each call that needs more, tries again.
 *
 * @throws {RemitError} as {@link createRemitKit}.
 */
export function preload(options?: PreloadOptions): Promise<void>;

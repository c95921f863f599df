/// <reference lib="esnext.disposable" />
import type { CardCalls } from "./card.js";
import type { CorridorCalls } from "./corridor.js";
import type { Messages } from "./error.js";
import type { FieldCalls } from "./fields.js";
import type { WasmModule } from "./page.js";
import type { PushToCardFlow, PushToCardOptions } from "./push-to-card.js";
import type { QuoteCalls } from "./quote.js";
import type { RecipientCalls } from "./recipient.js";
import type { SenderCalls } from "./sender.js";
import type { TransferCalls } from "./transfer.js";

/** The token endpoint's own reply, made on your server with a `sender_id`. */
export interface SenderToken {
  access_token: string;
  /** Seconds until it ends. Without it the token is used until the service refuses it. */
  expires_in?: number;
  token_type?: string;
}

/**
 * Where transfer attempts are kept until their outcome is known. A `Map` is one; so is anything that keeps
 * text by key, at once or later. It is given no token and no card data, but what a transfer says.
 */
export interface JournalStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Must have kept the value when it returns, or when its promise is fulfilled. */
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  keys(): Iterable<string> | Promise<Iterable<string>>;
}

/**
 * What was done to answer a call. Holds no token, no address beyond the operation, and no customer's data.
 */
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
  /** The service's base address, without `/v1`: https, or http on this machine. */
  baseUrl: string | URL;
  /** The card form's base address, of another origin than the page. */
  cardUrl: string | URL;
  /**
   * A sender-level token, or a function that gets one from your server. It is called by `createRemitKit` for
   * the first call, and again where that has failed, was not used within 10 seconds, or before a token ends.
   * Client credentials have no place here and are refused.
   */
  token: string | SenderToken | (() => string | SenderToken | Promise<string | SenderToken>);
  /** The language of quotes, such as `"en-US"`; the page's if left out. */
  locale?: string | undefined;
  /**
   * What customers are told, by code: texts of your own, in any language, beside the built-in English and
   * Spanish. They become the `userMessage` of an error and the `message` of a problem, whatever the service
   * says.
   */
  messages?: Messages | undefined;
  /** How long one attempt of a request may take, 100 to 120000; 10 seconds if left out. */
  timeoutMs?: number | undefined;
  /**
   * The sender whose tokens `token` gives, where the page knows it. If left out, `GET /sender-id` is asked
   * once for each token that a transfer needs. A transfer attempt belongs to its sender: nobody else's token
   * lists, sends or erases it.
   */
  senderId?: string | undefined;
  /**
   * Where transfer attempts are kept until their outcome is known. `"session"`, if left out: the tab's
   * `sessionStorage`, which outlives a reload. `"local"`: IndexedDB, which every tab of the origin shares and
   * which outlives them and the browser; a transfer's dynamic fields are then on the device until it is
   * settled. `"memory"`: this page alone. Or your own store.
   */
  journal?: "session" | "local" | "memory" | JournalStore | undefined;
  /**
   * The whole wasm, `remitkit_core_bg.wasm`, where its parts cannot be found beside the package: its address,
   * a response, its bytes, or the compiled module.
   */
  wasm?: string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule | undefined;
  /**
   * Is told what is sent and how it was answered. Nothing of it leaves the page. With it, and not without,
   * each request is also a `performance.measure` named `remitkit:` and the operation, with
   * `{ operation, attempt, status }` as its `detail`. The browser keeps these until the page calls
   * `performance.clearMeasures`.
   */
  onDiagnostic?: ((entry: DiagnosticEntry) => void) | undefined;
}

/** The last argument of every call that asks the service, except `pendingTransfers`. */
export interface CallOptions {
  /**
   * Ends the call with an error of kind `aborted`; where it may have created something or moved money, of
   * kind `outcome_unknown`. A submission ends within a second.
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
 * One configuration of the service. Every call rejects with a {@link RemitError} and with nothing else, and
 * checks what it is given before anything is sent. Replies have the service's own names and may be frozen.
 */
export interface RemitKit
  extends CorridorCalls,
    QuoteCalls,
    FieldCalls,
    SenderCalls,
    RecipientCalls,
    CardCalls,
    TransferCalls {
  /**
   * Leads from a corridor through the card form to a prepared transfer, step by step; it never submits the
   * transfer itself. Its options are read at once. If they cannot work, the first `next()` rejects, before
   * anybody is asked for a card; those of the card form are judged with the step that shows it, and
   * `transfer` with the step that prepares it.
   *
   * @throws {RemitError} at once, if the options are no object or hold what cannot be read.
   */
  pushToCard(flow: PushToCardOptions, options?: CallOptions): PushToCardFlow;

  /** Any other request, with the same token, retry and errors. The reply is not checked. */
  request<Reply = unknown>(request: RawRequest, options?: CallOptions): Promise<Reply>;
  /** The content security policy that this configuration needs: sources by directive. */
  contentSecurityPolicy(): Record<string, string[]>;
  /** Removes its card forms and waits for the calls in flight; later calls reject. May be called again. */
  destroy(): Promise<void>;
  [Symbol.dispose](): void;
}

/**
 * Loads the wasm, once for the page, and checks the options.
 *
 * @throws {RemitError} of kind `configuration` if an option cannot work, naming it; of kind `unavailable` if
 * the wasm could not be loaded, which may be tried again.
 */
export function createRemitKit(options: RemitKitOptions): Promise<RemitKit>;

/** What is to be loaded ahead. */
export interface PreloadOptions extends Pick<RemitKitOptions, "wasm"> {
  /**
   * Also what the first quote does not need: the card form, fields and transfers. Without it that comes when
   * the page is idle after its first call, or with the call that needs it.
   */
  everything?: boolean | undefined;
}

/**
 * Loads the wasm ahead of the first {@link createRemitKit}, which then has it at hand: called while the
 * customer is still busy with something else, it takes loading and compiling out of the way to the first
 * quote. Nobody has to wait for the promise, nor to handle its rejection: `createRemitKit`, and each call
 * that needs more, tries again.
 *
 * @param options - `wasm` as {@link RemitKitOptions} has it, where a bundler needs help, and whether to load
 * `everything`.
 * @throws {RemitError} as {@link createRemitKit}.
 */
export function preload(options?: PreloadOptions): Promise<void>;

/// <reference lib="esnext.disposable" />
import type { SenderToken } from "../types/remit-kit.js";
import type { cardSessionBehaviours } from "./triggers.js";

/** How a session's form behaves: normal, expired, silent, from another origin, or refusing to be framed. */
export type CardSessionBehaviour = (typeof cardSessionBehaviours)[number];

/** The addresses and credentials of a sandbox. They open nothing else, so other processes may have them. */
export interface SandboxAddresses {
  /** For `createRemitKit`. */
  baseUrl: string;
  /** For `createRemitKit`. */
  cardUrl: string;
  /** A sender with hardly any limits. */
  senderId: string;
  clientId: string;
  clientSecret: string;
}

/** A fault to inject before the sandbox. It hits `count` matching requests, after skipping `skip`. */
export interface SandboxFault {
  /**
   * `latency`: a delay. `status`: this status instead of the reply. `drop`: the connection closes without a
   * reply. `truncate`: the reply breaks off. `nonJson`: a gateway's page. `duplicate`: the request is
   * delivered twice. `late`: no reply, and the request is delivered later. `slow`: the reply arrives in
   * pieces.
   */
  kind: "latency" | "status" | "drop" | "truncate" | "nonJson" | "duplicate" | "late" | "slow";
  /**
   * Before anything (default), during a transfer (`latency` only), at the commit (rolled back), or after it.
   */
  when?: "before" | "during" | "commit" | "after";
  /** Every method by default. */
  method?: string;
  /**
   * Such as `"/v1/transfers"`; a `*` matches any text. A path under `/v2/add-card/` matches the card form.
   * One that no route can match is refused.
   */
  path: string;
  /** 1 by default. */
  count?: number;
  /** 0 by default. */
  skip?: number;
  /** The percentage of requests that it hits; 100 by default. */
  percent?: number;
  /** 503 by default, 502 with `nonJson`. */
  status?: number;
  retryAfterSeconds?: number;
  delayMilliseconds?: number;
  /** Closes the connection with a TCP reset. */
  reset?: boolean;
}

/** A request that reached the sandbox. Names and codes only: no secrets, no personal data. */
export interface SandboxRequest {
  readonly number: number;
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  /** The route that matched, such as `"/v1/transfers/{transfer}"`, or the path if none did. */
  readonly route: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly bodyNames?: readonly string[];
  readonly fieldIds?: readonly string[];
  readonly authorized: boolean;
  readonly status: number;
  readonly codes?: readonly string[];
  /** The kind of the fault that hit it. */
  readonly fault?: string;
  readonly milliseconds: number;
}

/** A recorded transfer, straight from the sandbox's database. Amounts are those of the interface. */
export interface SandboxTransfer {
  readonly transferId: string;
  readonly confirmationNumber: string;
  readonly senderId: string;
  readonly recipientId: string;
  readonly status: string;
  /** Why it failed or was canceled, if a reason was given. */
  readonly reason: string | null;
  /** Whether the customer or the system holds it. The service's own interface does not say. */
  readonly held: boolean;
  /** When the system's hold ends, or ended, in ISO 8601; `null` if it never held the transfer. */
  readonly systemHoldUntil: string | null;
  readonly [name: string]: unknown;
}

/** What a webhook tells about a transfer, as the shop's backend receives it. */
export interface SandboxWebhookEvent {
  readonly TransferId: string;
  readonly Status: string;
  readonly StatusChangedDate: string;
  readonly CancellationReason: string | null;
}

/** A webhook that was sent. */
export interface SandboxDelivery {
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly event: SandboxWebhookEvent;
  /** The receiver's answer, or `null` if there was none. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: string | null;
}

/** How to deliver a transfer's events. */
export interface SandboxDeliveryOptions {
  /** Delivers these statuses in this order, reached or not; the latest by default. */
  statuses?: readonly string[] | undefined;
  /** How often each is delivered; once by default. */
  times?: number | undefined;
  /** How long to wait before. */
  delayMs?: number | undefined;
  /** The letter case of the status, which varies; as it is by default. */
  letterCase?: "upper" | "lower" | undefined;
  /** Instead of the sandbox's key. */
  key?: string | undefined;
  /** Instead of the sandbox's receiver: an http address. */
  url?: string | undefined;
}

/** Where a sandbox sends webhooks. */
export interface SandboxWebhook {
  /** An http address, such as that of your backend's `createWebhookReceiver`. */
  url: string | URL;
  /** The API key, sent in `Authorization`. */
  key: string;
  /** Whether each status is sent once it is reached; true by default. Otherwise only `deliver` sends. */
  automatic?: boolean | undefined;
}

/** A recorded card session. */
export interface SandboxCardSession {
  readonly id: string;
  readonly status: "INCOMPLETE" | "SUCCEEDED" | "EXPIRED";
  readonly expirationDate: string;
  readonly cardId: string | null;
  readonly senderId: string;
  readonly behaviour: CardSessionBehaviour;
  readonly createdAt: string;
}

/** A sender's limits: amounts in US cents, and counts. Omitted ones are unlimited. */
export interface SandboxLimits {
  send24Hours?: number;
  send7Days?: number;
  totalCost24Hours?: number;
  count24Hours?: number;
  count7Days?: number;
  /** What one recipient may receive. */
  recipient24Hours?: number;
  recipient7Days?: number;
  recipientMonth?: number;
  recipientCount24Hours?: number;
  recipientCountMonth?: number;
  /** The maximum for one transfer. */
  oneTransfer?: number;
}

/** Text in one language, or in several by their codes, the first being the default. */
export type SandboxText = string | { readonly [language: string]: string };

/** When an entry applies: where each of the members that are given fits. */
export interface SandboxWhen {
  /** Destination countries by ISO 3 code; `"NONE"` stands for a request that names no corridor. */
  countries?: readonly string[];
  transferMethods?: readonly string[];
  types?: readonly ("PERSON" | "BUSINESS")[];
  /** Whether the destination country has `states`. */
  states?: boolean;
}

/** A field as the fields endpoints return it, with what applies to it. */
export interface SandboxField {
  when?: SandboxWhen;
  fieldId: string;
  /** `"TEXT"` by default. */
  fieldType?: "TEXT" | "PHONE_NUMBER" | "DATE" | "DROPDOWN";
  name: SandboxText;
  label?: SandboxText;
  /** False by default; or where it is required. */
  isRequired?: boolean | SandboxWhen;
  visibility?: "SHOW_AND_REQUIRED" | "SHOW_AND_OPTIONAL" | "HIDE_AND_OPTIONAL" | "HIDE_AND_REQUIRED";
  placeholderText?: SandboxText;
  hintText?: SandboxText;
  /** A pattern, or the name of one in `patterns`. */
  regex?: string;
  minLength?: number;
  maxLength?: number;
  /** Of a date: a day, `"today"`, or years from it such as `"today-18y"`. */
  minValue?: string;
  maxValue?: string;
  /** Of a dropdown: a list, names by id, or the destination country (all countries where there is none). */
  options?:
    | readonly { id: string; name: SandboxText; description?: SandboxText }[]
    | { readonly [id: string]: SandboxText }
    | "COUNTRIES";
  /** A path of the sandbox; `{country}` stands for the destination, `{FIELD_ID}` for that field's value. */
  optionsSource?: string;
  sortOrder?: number;
  dependencies?: {
    isRequired?: readonly {
      comparisonOperator: "EQUAL_TO" | "NOT_EQUAL_TO" | "GREATER_THAN" | "LESS_THAN";
      comparisonValues: readonly string[];
      fieldId: string;
    }[];
  };
}

/** Of several entries for one set, or for one field of it, the first that applies counts. */
export interface SandboxFieldSet {
  when?: SandboxWhen;
  fieldSetId: string;
  fieldSetName: SandboxText;
  fields: readonly SandboxField[];
}

/** The field sets of the fields endpoints. Those that are given replace what was there. */
export interface SandboxFields {
  senderFields?: readonly SandboxFieldSet[];
  recipientFields?: readonly SandboxFieldSet[];
  recipientAccountFields?: readonly SandboxFieldSet[];
  transferFields?: readonly SandboxFieldSet[];
}

/** A currency, as amounts contain it, and its price. */
export interface SandboxCurrency {
  iso3Code: string;
  name: string;
  symbol: string;
  /** From 0 to 4. */
  decimalPlaces: number;
  iso4217Code: string | number;
  roundDirection?: "STANDARD" | "UP";
  /** The price of a US dollar, in millionths of a major unit. */
  microsPerDollar: number;
}

/** A country, as quotes contain it, and its corridors: any destination currency by any method. */
export interface SandboxCountry {
  iso3Code: string;
  iso2Code: string;
  /** Digits only. */
  phoneCode: string;
  name: string;
  destinationCurrencies?: readonly string[];
  sourceCurrencies?: readonly string[];
  transferMethods?: readonly string[];
  /** Whether `quoteBy` may be `RECEIVE_AMOUNT`; true by default. */
  quoteByReceiveAmount?: boolean;
  /** The tax on the amount sent. */
  taxBasisPoints?: number;
  /** Cities by state, where cash is paid out. */
  states?: { readonly [state: string]: readonly string[] };
  /** Branches by bank. */
  banks?: { readonly [bank: string]: readonly string[] };
  /** Who pays out cash; bounds are in US cents. */
  payers?: readonly SandboxPayer[];
  /** Instead of those that all countries have. */
  fields?: SandboxFields;
}

/** Who pays out cash, and where. The bounds of a transfer are in US cents. */
export interface SandboxPayer {
  name: string;
  locations: readonly { name: string; min: number; max: number }[];
}

/** A number for the card form, and its result. */
export interface SandboxCard {
  /** 13 to 19 digits with a valid check digit. */
  number: string;
  result:
    | "success"
    | "successInCurrency"
    | "successThenBlocked"
    | "successIssuedAbroad"
    | "fail"
    | "expired";
  /** Why it fails: one of the documented codes. */
  code?: string;
  /** The only currency that the card accepts, with `successInCurrency`. */
  currency?: string;
  name?: string;
  description?: string;
}

/**
 * A service of your own, as data. An entry replaces that of the same code or number; `fields`, `banks`,
 * `payers` and `limits` replace those from before.
 */
export interface SandboxConfig {
  /** Whether the built-in countries and test cards stay; true by default. */
  keepBuiltIn?: boolean;
  /** Patterns that fields name. */
  patterns?: { readonly [name: string]: string };
  currencies?: readonly SandboxCurrency[];
  countries?: readonly SandboxCountry[];
  /** Branches by bank, of countries without their own. */
  banks?: { readonly [bank: string]: readonly string[] };
  /** Who pays out cash, of countries without their own; bounds are in US cents. */
  payers?: readonly SandboxPayer[];
  /** The limits of new senders. */
  limits?: SandboxLimits;
  cards?: readonly SandboxCard[];
  /** Amounts that end in a code, in addition to the built-in ones. */
  triggers?: readonly {
    operation: "quote" | "transfer";
    code: string;
    means: { kind: "amount"; amount: number };
  }[];
  /** The fields of countries without their own. */
  fields?: SandboxFields;
}

/** How long new tokens, quotes and sessions are valid, in seconds, up to a day. Omitted: unchanged. */
export interface SandboxLifetimes {
  tokenSeconds?: number;
  quoteSeconds?: number;
  cardSessionSeconds?: number;
}

/**
 * A running sandbox. Its methods reject with a `RemitError`: `NetworkFailure` if it does not answer,
 * `InvalidRequest` with its reason if it refuses.
 */
export interface Sandbox extends Readonly<SandboxAddresses> {
  /**
   * Returns a token as `createRemitKit` takes it: `token: () => sandbox.token()`. For the sandbox's own
   * sender, for the given one, or with `null` a client-level token, which names no sender.
   */
  token(senderId?: string | null): Promise<SenderToken & { access_token: string }>;
  /** The clock of tokens, quotes, card sessions, limits and transfers. */
  readonly clock: {
    now(): Promise<Date>;
    /**
     * Advances the clock, in milliseconds rounded up to whole seconds; `reset` sets it back. Returns the
     * time.
     */
    advance(ms: number): Promise<Date>;
    /** Sets the clock to a time that is not before its own. Returns the time. */
    set(time: Date | string | number): Promise<Date>;
    /** Stops the clock, which `advance` and `set` still move. Returns the time. */
    freeze(): Promise<Date>;
    resume(): Promise<Date>;
  };
  readonly webhooks: {
    /** Delivers events of a transfer now, whatever was delivered before. Returns the receiver's answers. */
    deliver(transferId: string, options?: SandboxDeliveryOptions): Promise<SandboxDelivery[]>;
    /** Returns the newest deliveries, the oldest first. */
    list(): Promise<SandboxDelivery[]>;
  };
  readonly faults: {
    /** Returns all pending faults. */
    add(...faults: SandboxFault[]): Promise<SandboxFault[]>;
    list(): Promise<SandboxFault[]>;
    clear(): Promise<void>;
  };
  readonly cardSessions: {
    /** Returns the recorded sessions, newest first. */
    list(): Promise<SandboxCardSession[]>;
    /** Sets how the next sessions behave, one each, in this order. */
    next(...behaviours: CardSessionBehaviour[]): Promise<void>;
  };
  /** Returns the requests, oldest first; with `after`, those after the request of that number. */
  requests(options?: { after?: number }): Promise<SandboxRequest[]>;
  forgetRequests(): Promise<void>;
  /** Returns every recorded transfer, in the order of creation. */
  transfers(): Promise<SandboxTransfer[]>;
  /** Releases a transfer that the service itself holds; rejects if it does not. */
  releaseTransfer(transferId: string): Promise<void>;
  /**
   * Lets a transfer fail that has not ended, held or not: now, or in so many seconds of the sandbox's clock.
   */
  failTransfer(
    transferId: string,
    options?: { reason?: string | undefined; afterSeconds?: number | undefined },
  ): Promise<void>;
  /**
   * Adds countries with their corridors and fields, and whatever else a configuration has, and returns all
   * corridors. `reset` takes them away.
   */
  addCorridors(config: SandboxConfig): Promise<unknown[]>;
  /** Adds a test card, or changes what one results in. */
  addCard(card: SandboxCard): Promise<void>;
  /**
   * Moves a rate by millionths (10000: one percent more for the recipient), which invalidates quotes. Further
   * moves add up.
   */
  moveRate(currencyIso3Code: string, millionths: number): Promise<void>;
  /** Adds US cents to a method's fee, up to 10000 in all, which invalidates quotes; fewer than 0 lower it. */
  moveFee(transferMethod: string, cents: number): Promise<void>;
  /** Shortens or extends the lifetimes of new quotes, card sessions and tokens, also by the page's clock. */
  setLifetimes(lifetimes: SandboxLifetimes): Promise<void>;
  /** For the sandbox's own sender, or another. `{}` lifts all limits; only `reset` restores the initial. */
  setLimits(limits: SandboxLimits, senderId?: string): Promise<void>;
  /** Sets what a client's settlement account holds, in US cents. */
  setBalance(cents: number, clientId?: string): Promise<void>;
  /** Restores the initial state, except that tokens stay valid. */
  reset(): Promise<void>;
  /** Copies records, clock, faults and lifetimes, in memory, and returns the copy's id. 50 are kept. */
  snapshot(): Promise<string>;
  /** Restores a snapshot, and clears the request log. Tokens stay valid. */
  restore(snapshotId: string): Promise<void>;
  /** Returns the addresses alone. */
  toJSON(): SandboxAddresses;
}

export interface SandboxOptions {
  /** The service's port; any free one by default. */
  port?: number | undefined;
  /** The card form's port; any free one by default. */
  cardPort?: number | undefined;
  /**
   * A file that keeps all data across starts; in memory by default. One sandbox at a time may have it. After
   * `stop` it can be copied, as a fixture.
   */
  db?: string | URL | undefined;
  /** A service of your own, as data: an object, or a JSON file that has one. */
  config?: SandboxConfig | string | URL | undefined;
  /** Derives all identifiers and numbers from this seed and the order of requests. */
  seed?: number | bigint | undefined;
  /** The origins whose pages may embed the card form; any port of 127.0.0.1 and localhost by default. */
  frameAncestors?: readonly string[] | undefined;
  /**
   * The origins whose pages may control the sandbox with `connectSandbox`, in addition to its own; any port
   * of 127.0.0.1 and localhost by default, written as `["http://127.0.0.1:*", "http://localhost:*"]`.
   * Anything but a browser's page always may.
   */
  controlOrigins?: readonly string[] | undefined;
  /**
   * Validates every exchange against the interface's document; `GET /sandbox/contract` lists the violations.
   */
  contract?: boolean | undefined;
  /** The time at which the sandbox's clock starts; by default this machine's. */
  now?: Date | string | number | undefined;
  /** Starts with a clock that stands still. */
  frozen?: boolean | undefined;
  /** Where to send webhooks. */
  webhook?: SandboxWebhook | undefined;
  /**
   * The address to listen on, such as `"0.0.0.0"` for a phone; loopback by default. Whoever reaches it
   * controls the sandbox.
   */
  listen?: string | undefined;
  /** Further accepted host names. */
  hosts?: readonly string[] | undefined;
  /** The program; by default `REMITKIT_SANDBOX`, else the npm package `remitkit-sandbox`, else from PATH. */
  program?: string | URL | undefined;
  /** Aborts the start. */
  signal?: AbortSignal | undefined;
}

/** A sandbox started by this process. It ends with the process, and does not keep it alive. */
export interface StartedSandbox extends Sandbox {
  readonly pid: number;
  /** Stops the sandbox and waits until it has ended. May be called again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the sandbox's program, in Node.
 *
 * Rejects with `InvalidConfiguration` if the program is not found, saying what to install, or does not start,
 * with its own message; with `Aborted` after the signal.
 */
export function startSandbox(options?: SandboxOptions): Promise<StartedSandbox>;

/**
 * Connects to a running sandbox, by its addresses or by those that `sandboxGlobalSetup` left in the
 * environment. Works in a page too, if its origin is among the sandbox's `controlOrigins`. Throws
 * `InvalidConfiguration` without addresses.
 */
export function connectSandbox(addresses?: SandboxAddresses): Sandbox;

/**
 * Creates a global setup for Vitest and Playwright: it starts a sandbox before all tests and returns its
 * teardown. The workers find it with `connectSandbox()`, in Vitest also with `inject("remitkitSandbox")`.
 */
export function sandboxGlobalSetup(
  options?: SandboxOptions,
): (context?: unknown) => Promise<() => Promise<void>>;

/**
 * Creates a fixture for `test.extend` of Playwright and Vitest: one sandbox for each test, or each worker.
 */
export function sandboxFixture(
  options?: SandboxOptions,
): (fixtures: {}, use: (sandbox: StartedSandbox) => Promise<void>) => Promise<void>;

// For Vitest's `inject("remitkitSandbox")`, if Vitest is installed.
// @ts-ignore
declare module "vitest" {
  interface ProvidedContext {
    remitkitSandbox: SandboxAddresses;
  }
}

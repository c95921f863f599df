/// <reference lib="esnext.disposable" />
import type { SenderToken } from "../types/remit-kit.js";
import type { cardSessionBehaviours } from "./triggers.js";

/**
 * How the form of a card session behaves: as it should, over when it opens, mute, from another origin than
 * asked, or refusing to be shown.
 */
export type CardSessionBehaviour = (typeof cardSessionBehaviours)[number];

/**
 * Where a sandbox is and what opens it. Plain text, which may go to other processes: it opens nothing but
 * that sandbox.
 */
export interface SandboxAddresses {
  /** For `createRemitKit`. */
  baseUrl: string;
  /** For `createRemitKit`. */
  cardUrl: string;
  /** A sender whose limits hardly bind. */
  senderId: string;
  clientId: string;
  clientSecret: string;
}

/**
 * What goes wrong between a caller and the sandbox. It meets `count` fitting requests, after `skip` that
 * pass.
 */
export interface SandboxFault {
  /**
   * `latency`: a wait. `status`: this status instead of the answer. `drop`: the connection closes without an
   * answer. `truncate`: the answer breaks off. `nonJson`: a gateway's page. `duplicate`: the request is
   * delivered twice. `late`: no answer, and the request is delivered later. `slow`: the answer comes in
   * pieces.
   */
  kind: "latency" | "status" | "drop" | "truncate" | "nonJson" | "duplicate" | "late" | "slow";
  /**
   * Before the service has done anything (if left out), during a transfer (`latency` alone), at the commit,
   * which undoes what was done, or after it.
   */
  when?: "before" | "during" | "commit" | "after";
  /** Every method if left out. */
  method?: string;
  /**
   * Such as `"/v1/transfers"`; a star stands for any text. A path under `/v2/add-card/` meets the card form.
   */
  path: string;
  /** 1 if left out. */
  count?: number;
  /** 0 if left out. */
  skip?: number;
  /** How many in a hundred it meets; 100 if left out. */
  percent?: number;
  /** 503 if left out, 502 with `nonJson`. */
  status?: number;
  retryAfterSeconds?: number;
  delayMilliseconds?: number;
  /** A TCP reset where the connection closes. */
  reset?: boolean;
}

/** A request that reached the sandbox. Names and codes: no secret, no person's data. */
export interface SandboxRequest {
  readonly number: number;
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  /** The route that took it, such as `"/v1/transfers/{transfer}"`, or the path that none took. */
  readonly route: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly bodyNames?: readonly string[];
  readonly fieldIds?: readonly string[];
  readonly authorized: boolean;
  readonly status: number;
  readonly codes?: readonly string[];
  /** The kind of the fault that it met. */
  readonly fault?: string;
  readonly milliseconds: number;
}

/**
 * A transfer that the sandbox has recorded, straight from its database. Further properties are those of the
 * interface.
 */
export interface SandboxTransfer {
  readonly transferId: string;
  readonly confirmationNumber: string;
  readonly senderId: string;
  readonly recipientId: string;
  readonly [name: string]: unknown;
}

/** A card session that the sandbox has recorded, the newest first. */
export interface SandboxCardSession {
  readonly id: string;
  readonly status: "INCOMPLETE" | "SUCCEEDED" | "EXPIRED";
  readonly expirationDate: string;
  readonly cardId: string | null;
  readonly senderId: string;
  readonly behaviour: CardSessionBehaviour;
  readonly createdAt: string;
}

/** A sender's limits: amounts in US cents, and counts. What is left out has no limit. */
export interface SandboxLimits {
  send24Hours?: number;
  send7Days?: number;
  totalCost24Hours?: number;
  count24Hours?: number;
  count7Days?: number;
  /** What one recipient may be sent. */
  recipient24Hours?: number;
  recipient7Days?: number;
  recipientMonth?: number;
  recipientCount24Hours?: number;
  recipientCountMonth?: number;
  /** The most that one transfer may send. */
  oneTransfer?: number;
}

/**
 * How long what is handed out from now on is good for, in seconds, up to a day. What is left out stays as it
 * is.
 */
export interface SandboxLifetimes {
  tokenSeconds?: number;
  quoteSeconds?: number;
  cardSessionSeconds?: number;
}

/**
 * A running sandbox. Its methods reject with a `RemitError`: `NetworkFailure` where it does not answer,
 * `InvalidRequest` with its own words where it refuses.
 */
export interface Sandbox extends Readonly<SandboxAddresses> {
  /**
   * A token, as `createRemitKit` takes it: `token: () => sandbox.token()`. For the announced sender, or this
   * one, or with `null` a client-level token, which names no sender.
   */
  token(senderId?: string | null): Promise<SenderToken & { access_token: string }>;
  /** Tokens, quotes, card sessions, limits and transfers all go by this clock. */
  readonly clock: {
    now(): Promise<Date>;
    /**
     * Moves it on, in milliseconds, rounded up to whole seconds. Gives the new time. Only `reset` moves it
     * back.
     */
    advance(ms: number): Promise<Date>;
  };
  readonly faults: {
    /** Gives all that wait now. */
    add(...faults: SandboxFault[]): Promise<SandboxFault[]>;
    list(): Promise<SandboxFault[]>;
    clear(): Promise<void>;
  };
  readonly cardSessions: {
    list(): Promise<SandboxCardSession[]>;
    /** How the next sessions behave, one each, in this order. */
    next(...behaviours: CardSessionBehaviour[]): Promise<void>;
  };
  /** What reached it, the oldest first; with `after`, what came after the request of that number. */
  requests(options?: { after?: number }): Promise<SandboxRequest[]>;
  forgetRequests(): Promise<void>;
  /** Every recorded transfer, in the order in which they were made. */
  transfers(): Promise<SandboxTransfer[]>;
  /** Ends the system's hold on a transfer. */
  releaseTransfer(transferId: string): Promise<void>;
  /**
   * Moves the rate to a currency by so many millionths (10000: one percent more for the recipient); quotes
   * made at another no longer hold.
   */
  moveRate(currencyIso3Code: string, millionths: number): Promise<void>;
  /**
   * Adds so many US cents, up to 10000, to the fee of a method; quotes made with another no longer hold. 0
   * takes that back.
   */
  moveFee(transferMethod: string, cents: number): Promise<void>;
  /** Lets quotes, card sessions and tokens end soon, by the page's clock too. */
  setLifetimes(lifetimes: SandboxLifetimes): Promise<void>;
  /** For the announced sender, or another. */
  setLimits(limits: SandboxLimits, senderId?: string): Promise<void>;
  /** What a client's settlement account holds, in US cents. */
  setBalance(cents: number, clientId?: string): Promise<void>;
  /** Everything as at the start, except that tokens stay good. */
  reset(): Promise<void>;
  /** The addresses alone. */
  toJSON(): SandboxAddresses;
}

export interface SandboxOptions {
  /** The service's port; any free one if left out. */
  port?: number | undefined;
  /** The card form's port; any free one if left out. */
  cardPort?: number | undefined;
  /** Keeps everything in this file, across starts. If left out, everything is gone at the end. */
  db?: string | URL | undefined;
  /** Makes all identifiers and numbers follow from it and from the order of requests. */
  seed?: number | bigint | undefined;
  /** The origins whose pages may embed the card form; any port of 127.0.0.1 and localhost if left out. */
  frameAncestors?: readonly string[] | undefined;
  /**
   * The origins whose pages may steer the sandbox with `connectSandbox`, beside its own; any port of
   * 127.0.0.1 and localhost if left out, as in `["http://127.0.0.1:*", "http://localhost:*"]`. Whatever is no
   * browser's page may always.
   */
  controlOrigins?: readonly string[] | undefined;
  /** Holds every exchange against the interface's document; `GET /sandbox/contract` tells what strayed. */
  contract?: boolean | undefined;
  /**
   * The sandbox's program. If left out: `REMITKIT_SANDBOX`, else the npm package `remitkit-sandbox`, else the
   * one on PATH.
   */
  program?: string | URL | undefined;
  /** Ends a start that takes too long. */
  signal?: AbortSignal | undefined;
}

/**
 * A sandbox that this process has started. It ends with this process, however that ends, and keeps nothing
 * waiting that is done.
 */
export interface StartedSandbox extends Sandbox {
  readonly pid: number;
  /** Ends it and waits until it has ended. May be called again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the sandbox's program, in Node.
 *
 * Rejects with `InvalidConfiguration` where the program is not found, with what to install, and where it does
 * not start, with the words in which it says why; with `Aborted` after the signal.
 */
export function startSandbox(options?: SandboxOptions): Promise<StartedSandbox>;

/**
 * A sandbox that another process has started, or another entry: by its addresses, or by those that
 * `sandboxGlobalSetup` has left in the environment. Works in a page too, if its origin is one of the
 * sandbox's `controlOrigins`. Throws `InvalidConfiguration` where there are none.
 */
export function connectSandbox(addresses?: SandboxAddresses): Sandbox;

/**
 * A global setup for Vitest and for Playwright: starts a sandbox before all tests and gives what stops it.
 * Its addresses are in the environment of the workers, for `connectSandbox()`, and with Vitest also under
 * `inject("remitkitSandbox")`.
 */
export function sandboxGlobalSetup(
  options?: SandboxOptions,
): (context?: unknown) => Promise<() => Promise<void>>;

/**
 * A fixture for the `test.extend` of Playwright and of Vitest: a sandbox of its own for each test, or each
 * worker.
 */
export function sandboxFixture(
  options?: SandboxOptions,
): (fixtures: {}, use: (sandbox: StartedSandbox) => Promise<void>) => Promise<void>;

// For Vitest's `inject("remitkitSandbox")`, where there is Vitest.
// @ts-ignore
declare module "vitest" {
  interface ProvidedContext {
    remitkitSandbox: SandboxAddresses;
  }
}

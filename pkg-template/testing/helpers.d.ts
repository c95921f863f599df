import type { Sandbox, SandboxTransfer } from "./sandbox.js";

/** What of Playwright's locators is used. */
export interface LocatorLike {
  fill(value: string): Promise<unknown>;
  click(): Promise<unknown>;
}

/** Playwright's `FrameLocator` and `Frame`, as far as it is used. */
export interface FormLike {
  locator(selector: string): LocatorLike;
}

/** Playwright's `Page`, as far as it is used. */
export interface PageLike extends FormLike {
  mainFrame(): unknown;
  frameLocator(selector: string): FormLike;
}

export interface CardDetails {
  /** One of `testCards`, or a number. */
  card: { readonly number: string } | string;
  /** Such as `"12/34"`; some years ahead if left out. */
  expiry?: string | undefined;
  /** `"123"` if left out. */
  securityCode?: string | undefined;
  /** `"Ana Garcia"` if left out. */
  name?: string | undefined;
  /** `false`: fills in the form and presses nothing. */
  verify?: boolean | undefined;
}

/**
 * Fills in the sandbox's card form and presses the button that verifies the card: in the one form of
 * Playwright's page, also within shadow roots, or in the form of a frame or frame locator. Events follow on
 * the page; this does not wait for them.
 */
export function fillCardForm(target: PageLike | FormLike, details: CardDetails): Promise<void>;

/**
 * Waits until the sandbox has recorded so many transfers (`count`, 1 if left out), which have these values,
 * and no more of them within a moment; gives them.
 *
 * Rejects with an `AssertionError` of numbers `expected` and `actual`, as test runners show it, once there
 * are more, or after `timeoutMs` (5000). `quietMs` (300) is the moment.
 */
export function expectTransfers(
  sandbox: Pick<Sandbox, "transfers">,
  expected: number | ({ count?: number } & Record<string, string | number | undefined>),
  options?: { timeoutMs?: number; quietMs?: number },
): Promise<SandboxTransfer[]>;

/** One thing to change in a request that is good otherwise. A `value` of null means: leave it out. */
export type RequestTrigger =
  | { readonly amount: number }
  | { readonly property: string; readonly value: string | null }
  | { readonly field: string; readonly value: string | null }
  | { readonly lastName: string }
  | { readonly ways: readonly object[] };

/**
 * A copy of a request, changed so that the sandbox answers it with the trigger's code: by one of its ways, or
 * by the first that a request alone can take. Throws `InvalidRequest`, with the rule in words, where there is
 * none. What the SDK finds wrong by itself is sent to nobody.
 */
export function withTrigger<Request extends object>(request: Request, trigger: RequestTrigger): Request;

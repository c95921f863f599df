import type { Sandbox, SandboxTransfer } from "./sandbox.js";

/** The part of Playwright's `Locator` that is used. */
export interface LocatorLike {
  fill(value: string): Promise<unknown>;
  click(): Promise<unknown>;
}

/** The part of Playwright's `FrameLocator` and `Frame` that is used. */
export interface FormLike {
  locator(selector: string): LocatorLike;
}

/** The part of Playwright's `Page` that is used. */
export interface PageLike extends FormLike {
  mainFrame(): unknown;
  frameLocator(selector: string): FormLike;
}

export interface CardDetails {
  /** One of `testCards`, or a card number. */
  card: { readonly number: string } | string;
  /** Such as `"12/34"`; some years ahead by default. */
  expiry?: string | undefined;
  /** `"123"` by default. */
  securityCode?: string | undefined;
  /** `"Ana Garcia"` by default. */
  name?: string | undefined;
  /** `false` to fill in the form without submitting it. */
  verify?: boolean | undefined;
}

/**
 * Fills in the sandbox's card form and submits it: the only form of a Playwright page, also within shadow
 * roots, or the form of a frame or frame locator. Does not wait for the events that follow on the page.
 */
export function fillCardForm(target: PageLike | FormLike, details: CardDetails): Promise<void>;

/**
 * Waits until the sandbox has recorded exactly `count` transfers (1 by default) with these values, with no
 * more within `quietMs` (300), and returns them.
 *
 * Rejects with an `AssertionError` with `expected` and `actual` counts, as test runners show it, once there
 * are more, or after `timeoutMs` (5000).
 */
export function expectTransfers(
  sandbox: Pick<Sandbox, "transfers">,
  expected: number | ({ count?: number } & Record<string, string | number | undefined>),
  options?: { timeoutMs?: number; quietMs?: number },
): Promise<SandboxTransfer[]>;

/**
 * Waits until each fault has met as many requests as it is for: one that met none has tested nothing. Leaves
 * out those with a `percent`.
 *
 * Rejects with an `AssertionError` that names the others, after `timeoutMs` (1000).
 */
export function expectFaultsUsed(
  sandbox: { readonly faults: Pick<Sandbox["faults"], "list"> },
  options?: { timeoutMs?: number },
): Promise<void>;

/** A change to an otherwise valid request. A `value` of null removes the member. */
export type RequestTrigger =
  | { readonly amount: number }
  | { readonly property: string; readonly value: string | null }
  | { readonly field: string; readonly value: string | null }
  | { readonly lastName: string }
  | { readonly ways: readonly object[] };

/**
 * Returns a copy of a request, changed so that the sandbox answers it with the trigger's code: by the given
 * way, or by the trigger's first way that a request can carry. Throws `InvalidRequest`, with the rule in
 * words, if there is none. The SDK may refuse the request before it sends it.
 */
export function withTrigger<Request extends object>(request: Request, trigger: RequestTrigger): Request;

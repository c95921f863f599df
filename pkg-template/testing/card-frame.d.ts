/// <reference lib="esnext.disposable" />

import type { CardFormEvent } from "../types/card.js";

/** The messages that the card form sends. */
export type CardMessage = Exclude<CardFormEvent["type"], "READY" | "LOAD_FAILED">;

/**
 * Who sends a message: the form; a frame inside it with the form's origin; or one inside it with another
 * origin. The SDK must believe only the first.
 */
export type CardFrameSpeaker = "form" | "inner-frame" | "other-origin";

/** One step of a fake card frame. `delayMs` is the wait before it. */
export type CardFrameStep =
  | CardMessage
  | {
      event: CardMessage;
      from?: CardFrameSpeaker;
      delayMs?: number;
      /** With a sandbox: the card that is verified before a success; `testCards.success` by default. */
      card?: string;
      /** `false` for a success that the service does not know of. */
      verify?: boolean;
    }
  /** Any plain data that JSON can hold. */
  | { message: unknown; from?: CardFrameSpeaker; delayMs?: number }
  /** Waits until "Continue" is pressed in the frame. */
  | { until: "click"; delayMs?: number }
  /** Navigates the frame to another origin, which sends the following messages. */
  | { move: "other-origin"; delayMs?: number };

/** The steps of every opening, or a function that returns the steps of each; the first `opening` is 1. */
export type CardFrameScript =
  readonly CardFrameStep[] | ((opened: { sessionId: string; opening: number }) => readonly CardFrameStep[]);

/** How the frame loads: at once, never (no reply), dropped (no connection), or refusing to be framed. */
export type CardFrameLoading = "normal" | "never" | "dropped" | "unframeable";

export interface FakeCardFrameOptions {
  /** Empty by default. The page has a button for each message in any case. */
  script?: CardFrameScript | undefined;
  loading?: CardFrameLoading | undefined;
  /** The delay before the page is sent, in milliseconds. */
  delayMs?: number | undefined;
  /** Any free port by default. */
  port?: number | undefined;
  /**
   * The sandbox whose sessions the frame shows. The SDK reads a session back before it believes a success, so
   * the frame has the sandbox verify a card first.
   */
  sandbox?: { readonly cardUrl: string } | undefined;
}

export interface FakeCardFrame {
  /** For `createRemitKit`, in place of the sandbox's. */
  readonly cardUrl: string;
  /** Each opening by the SDK, with its theme parameters. */
  readonly opened: readonly { sessionId: string; parameters: Record<string, string> }[];
  /** Sets what the next openings play. */
  play(script: CardFrameScript, options?: { loading?: CardFrameLoading; delayMs?: number }): void;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server, in Node, for a card form that plays any sequence of events on its own origin, for tests in
 * a browser. It takes no card.
 *
 * Rejects with `InvalidConfiguration` if the port is taken, and with `InvalidRequest` for an invalid script.
 */
export function fakeCardFrame(options?: FakeCardFrameOptions): Promise<FakeCardFrame>;

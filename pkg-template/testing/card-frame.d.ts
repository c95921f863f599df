/// <reference lib="esnext.disposable" />

/** The four messages that the card form sends. */
export type CardMessage =
  | "CARD_VALIDATION_START"
  | "CARD_VALIDATION_STOP_SUCCESS"
  | "CARD_VALIDATION_STOP_FAIL"
  | "CARD_VALIDATION_STOP_EXPIRED";

/**
 * Who says it: the form; a frame within the form, of the form's origin; or one within it of another origin.
 * The SDK must believe the first alone.
 */
export type CardFrameSpeaker = "form" | "inner-frame" | "other-origin";

/** One step of a fake card frame. `delayMs` is the wait before it. */
export type CardFrameStep =
  | CardMessage
  | {
      event: CardMessage;
      from?: CardFrameSpeaker;
      delayMs?: number;
      /**
       * With a sandbox: the card with which it verifies the session before a success is said;
       * `testCards.success` if left out.
       */
      card?: string;
      /** `false`: a success that the service knows nothing of. */
      verify?: boolean;
    }
  /** Any plain data, which JSON can hold. */
  | { message: unknown; from?: CardFrameSpeaker; delayMs?: number }
  /** Waits until someone presses "Continue" in the frame. */
  | { until: "click"; delayMs?: number }
  /** The frame itself goes to another origin, from where the following steps are said. */
  | { move: "other-origin"; delayMs?: number };

/** What a frame plays: the same each time, or as told for each opening, of which the first is 1. */
export type CardFrameScript =
  | readonly CardFrameStep[]
  | ((opened: { sessionId: string; opening: number }) => readonly CardFrameStep[]);

/**
 * How it loads: at once, never (the request stays unanswered), not (the connection breaks off), or refusing
 * to be shown in a frame.
 */
export type CardFrameLoading = "normal" | "never" | "dropped" | "unframeable";

export interface FakeCardFrameOptions {
  /** Nothing if left out. Its buttons, one for each message, are there in any case. */
  script?: CardFrameScript | undefined;
  loading?: CardFrameLoading | undefined;
  /** The wait before the page is sent, in milliseconds. */
  delayMs?: number | undefined;
  /** Any free one if left out. */
  port?: number | undefined;
  /**
   * The sandbox whose sessions the frame shows. The SDK believes no success before it has read the session
   * back, so the frame has the sandbox verify a card before it says so.
   */
  sandbox?: { readonly cardUrl: string } | undefined;
}

export interface FakeCardFrame {
  /** For `createRemitKit`, instead of the sandbox's. */
  readonly cardUrl: string;
  /** Each time that the SDK has opened it, with the parameters of the theme. */
  readonly opened: readonly { sessionId: string; parameters: Record<string, string> }[];
  /** What is played when it is opened from now on. */
  play(script: CardFrameScript, options?: { loading?: CardFrameLoading; delayMs?: number }): void;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A card form that plays any sequence of events, in Node: a server on an origin of its own, for tests in a
 * browser. It takes no card.
 *
 * Rejects with `InvalidConfiguration` for a port that is taken, and `InvalidRequest` for a script that cannot
 * be.
 */
export function fakeCardFrame(options?: FakeCardFrameOptions): Promise<FakeCardFrame>;

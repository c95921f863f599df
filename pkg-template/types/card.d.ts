/// <reference lib="esnext.disposable" />
import type { CallOptions } from "./remit-kit.js";
import type { PageElement, PageFrame } from "./page.js";
import type { Unlisted } from "./unlisted.js";

/** A session in which a customer enters one card in the hosted form. */
export interface CardSession {
  id: string;
  status: "INCOMPLETE" | "SUCCEEDED" | "EXPIRED" | Unlisted;
  /** ISO 8601. */
  expirationDate: string;
  /** The card, once it has been verified. */
  cardId: string | null;
}

/** What a session is for: the card that money is pushed to, or the one it is pulled from. */
export interface CardSessionRequest {
  entityMode: "RECIPIENT" | "SENDER" | Unlisted;
}

/** A CSS colour, such as `"#0a7"` or `"rgb(0 170 119)"`. */
export type Color = string;

/**
 * How the hosted form looks and speaks. What is left out keeps the form's own looks. `lightTheme` and
 * `darkTheme` are two to begin with, and `themeContrast` tells which colours of a theme are hard to read.
 */
export interface Theme {
  /**
   * The font of all text but buttons and headlines. A name that the card form knows, or a list of families.
   */
  font?: string | undefined;
  /** The font of buttons. A name that the card form knows, or a list of families. */
  buttonFont?: string | undefined;
  /** The font of headlines. A name that the card form knows, or a list of families. */
  headlineFont?: string | undefined;
  /** What can be clicked, and links. */
  primary?: Color | undefined;
  /** The fill of what is selected. */
  primaryLight?: Color | undefined;
  /** Headlines, labels and filled inputs. */
  text?: Color | undefined;
  /** Subheads, placeholders and labels. */
  textSecondary?: Color | undefined;
  /** The fill of the main container. */
  foreground?: Color | undefined;
  /** The large surface behind it. */
  background?: Color | undefined;
  /** The outline of inputs. */
  inputLine?: Color | undefined;
  /** Separators. */
  divider?: Color | undefined;
  /** Icons. */
  icon?: Color | undefined;
  /** Messages of success. */
  success?: Color | undefined;
  /** Messages of error. */
  danger?: Color | undefined;
  /** The fill of validation warnings. */
  dangerLight?: Color | undefined;
  /** The text of buttons. */
  buttonText?: Color | undefined;
  /** The fill of buttons. */
  buttonColor?: Color | undefined;
  /** The corners of buttons: a CSS length, such as `"8px"` or `"50%"`. */
  buttonRadius?: string | undefined;
  /** The case of the text of buttons. */
  buttonTextCase?: "UPPER" | "lower" | "Capitalize" | "Default" | undefined;
  /** The letter spacing of primary, secondary and tertiary buttons: a CSS length, such as `"0.05em"`. */
  buttonLetterSpacing?: string | undefined;
  /** The picture of the card: a colour, or the https address of an image. */
  cardBackground?: Color | `https://${string}` | undefined;
  /** The language of the form. */
  lng?: "en" | "es-MX" | undefined;
  /** Whether a header names the step. */
  showStep?: boolean | 0 | 1 | undefined;
  /** Whether the picture of the card is shown beside the form; never on a phone. */
  showCardAnimation?: boolean | 0 | 1 | undefined;
}

/**
 * Why a card form could not be loaded: the event `LOAD_FAILED`, what the customer is told of it, and the way
 * to try again.
 */
export type LoadFailure = Omit<Extract<CardFormEvent, { type: "LOAD_FAILED" }>, "type"> & {
  /** In the customer's language. */
  readonly message: string;
  /** Begins a new session in the same place, as `renew` does. */
  retry(): Promise<void>;
};

/** Texts of your own in the message that stands in the place of a card form which could not be loaded. */
export interface LoadErrorTexts {
  message?: string | undefined;
  /** The button that tries again. */
  button?: string | undefined;
}

/**
 * What stands in the form's place from `LOAD_FAILED` until the form is there:
 *
 * - `"auto"`: a message in the customer's language (`locale` of `createRemitKit`; English or Spanish, or
 *   `messages.CardFormLoadFailed`) with a button that tries again, in the theme's colours and fonts;
 * - texts of your own in it, for other languages;
 * - an element of your own, or a function that gives one, texts or `"auto"`, and is called at each failure.
 *   Where it gives nothing the place stays empty.
 *
 * Each of them leaves `completed` open, as the customer may try again. With `"never"` nothing is shown, the
 * frame stays as the browser has it, and `completed` rejects with `CardFormLoadFailed`.
 */
export type LoadError =
  | "auto"
  | "never"
  | LoadErrorTexts
  | PageElement
  | ((failure: LoadFailure) => "auto" | LoadErrorTexts | PageElement | null | undefined | void);

/** How to show the card form. */
export interface CardFormOptions {
  /**
   * Where to show it: an element, which may stand in a shadow root, or a selector that finds one in the
   * document.
   */
  container: PageElement | string;
  /** A session of your own; a new one is created if left out. */
  sessionId?: string | undefined;
  theme?: Theme | undefined;
  /** The accessible name of the frame; `"Card details"` if left out. */
  title?: string | undefined;
  /** The height that is reserved for the frame, in CSS pixels, 100 to 4000; 620 if left out. */
  height?: number | undefined;
  /** How long the frame may take to load, in milliseconds, 100 to 120000; 20 seconds if left out. */
  loadTimeoutMs?: number | undefined;
  /** What stands in the form's place where it could not be loaded; `"auto"` if left out. */
  loadError?: LoadError | undefined;
  /**
   * Whether the form takes the focus once it has loaded, unless the customer has moved it elsewhere in the
   * meantime. Not if left out.
   */
  autoFocus?: boolean | undefined;
}

/** What happens in a card form. */
export type CardFormEvent =
  /**
   * The frame has loaded something, and the form's server has answered a request beside it. A page cannot see
   * what it is: browsers report their own error page, for a form that refuses to be framed, in the same way.
   * Where the page's policy does not allow the form's origin in `connect-src`, that is so for a refused
   * connection, an unknown host or a bad certificate too. What proves the form is its first CARD_VALIDATION
   * event.
   */
  | { readonly type: "READY" }
  /**
   * It has not, and why: `"timeout"`; `"offline"`; `"blocked"` by the page's content security policy, whose
   * `directive` must allow the form's origin, or by the browser, without a directive; `"unreachable"` where
   * its server is not to be had: the connection is refused, the host unknown, its certificate bad, or its
   * answers are kept from other pages by `Cross-Origin-Resource-Policy`. `READY` may still follow, after a
   * timeout or once the form speaks; `renew` tries again.
   */
  | {
      readonly type: "LOAD_FAILED";
      readonly reason: "timeout" | "offline" | "blocked" | "unreachable" | (string & {});
      readonly directive?: "frame-src" | "child-src" | "default-src" | (string & {});
    }
  /** The customer has pressed the button that verifies the card. */
  | { readonly type: "CARD_VALIDATION_START" }
  /** The card was verified. Await `completed` for its id. */
  | { readonly type: "CARD_VALIDATION_STOP_SUCCESS" }
  /** The card was not verified; the customer may try again in the form. */
  | { readonly type: "CARD_VALIDATION_STOP_FAIL" }
  /** The session is over. `renew` begins another in the same place. */
  | { readonly type: "CARD_VALIDATION_STOP_EXPIRED" };

/** The card that a form came to. */
export interface CompletedCard {
  /** For the field `CARD_ID` of a recipient account. */
  cardId: string;
  sessionId: string;
}

/**
 * The hosted card form on the page. Card data goes from its frame to the service alone; the page never sees
 * it.
 *
 * Iterate it for its events: `for await (const event of form)`. The iteration ends when the card is completed
 * or the form is destroyed. Events that came before the first reader are kept, the newest 64 of them.
 */
export interface CardForm {
  readonly sessionId: string;
  /** The address that the frame shows. */
  readonly url: string;
  /** When the session ends, ISO 8601, as the service says it. */
  readonly expirationDate: string;
  /** The same in milliseconds since 1970; `undefined` if the service's date cannot be read. */
  readonly expiresAt: number | undefined;
  /** The frame. */
  readonly element: PageFrame | undefined;
  /**
   * Settles once: with the card, read back from the session, or with a {@link RemitError}. If the form goes
   * on after that, by `renew` or because it loaded late, this is a new promise. A form that could not be
   * loaded leaves it open while the customer is offered to try again (see {@link LoadError}).
   */
  readonly completed: Promise<CompletedCard>;
  /**
   * Calls `listener` for each event of the type, and soon for those that came before anyone listened. After
   * `destroy` nothing is heard any more.
   *
   * @returns a function that ends it.
   */
  on<T extends CardFormEvent["type"]>(
    type: T,
    listener: (event: Extract<CardFormEvent, { type: T }>) => void,
  ): () => void;
  /**
   * How many seconds the session has left by this page's clock, rounded up, and 0 once it is over. Call it as
   * often as you show it. It is a hint: the session is over when `CARD_VALIDATION_STOP_EXPIRED` says so.
   */
  secondsLeft(): number | undefined;
  /**
   * Shows the form in another theme or language. It is loaded anew, so what was typed into it is gone. While
   * the container is not in the page this is refused, as `renew` is, and nothing changes.
   */
  update(options: { theme: Theme }): void;
  /** Begins a new session in the same place. */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, where it could not be loaded, to the button that tries again. */
  focus(): void;
  /** Removes the frame and everything that belongs to it. May be called again. */
  destroy(): void;
  [Symbol.asyncIterator](): AsyncIterableIterator<CardFormEvent>;
  [Symbol.dispose](): void;
}

/** The calls about cards and the form in which they are entered. `RemitKit` has them. */
export interface CardCalls {
  /** A new session for the recipient's card, or for what the request says. */
  createCardSession(request?: CardSessionRequest, options?: CallOptions): Promise<CardSession>;
  getCardSession(sessionId: string, options?: CallOptions): Promise<CardSession>;
  /** The address of the card form alone, to show it in a way of your own. */
  cardFormUrl(sessionId: string, theme?: Theme): string;
  /** Shows the hosted card form on the page. */
  cardForm(form: CardFormOptions, options?: CallOptions): Promise<CardForm>;
}

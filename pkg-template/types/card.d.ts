/// <reference lib="esnext.disposable" />
import type { CardSession, CardSessionRequest } from "./records.js";
import type { CallOptions } from "./remit-kit.js";
import type { PageElement, PageFrame } from "./page.js";

/** A CSS color, such as `"#0a7"` or `"rgb(0 170 119)"`. */
export type Color = string;

/**
 * The look and language of the hosted form. Omitted parameters keep the form's defaults. Start from
 * `lightTheme` or `darkTheme`; `themeContrast` reports the colors of a theme that are hard to read.
 */
export interface Theme {
  /** Font of all text but buttons and headlines: a name that the card form knows, or a list of families. */
  font?: string | undefined;
  /** Font of buttons: a name that the card form knows, or a list of families. */
  buttonFont?: string | undefined;
  /** Font of headlines: a name that the card form knows, or a list of families. */
  headlineFont?: string | undefined;
  /** Links and whatever else can be clicked. */
  primary?: Color | undefined;
  /** Fill of selected items. */
  primaryLight?: Color | undefined;
  /** Headlines, labels and filled inputs. */
  text?: Color | undefined;
  /** Subheads, placeholders and labels. */
  textSecondary?: Color | undefined;
  /** Fill of the main container. */
  foreground?: Color | undefined;
  /** The large surface behind the main container. */
  background?: Color | undefined;
  /** Outline of inputs. */
  inputLine?: Color | undefined;
  /** Separators. */
  divider?: Color | undefined;
  /** Icons. */
  icon?: Color | undefined;
  /** Success messages. */
  success?: Color | undefined;
  /** Error messages. */
  danger?: Color | undefined;
  /** Fill of validation warnings. */
  dangerLight?: Color | undefined;
  /** Text of buttons. */
  buttonText?: Color | undefined;
  /** Fill of buttons. */
  buttonColor?: Color | undefined;
  /** Corner radius of buttons: a CSS length, such as `"8px"` or `"50%"`. */
  buttonRadius?: string | undefined;
  /** Letter case of button text. */
  buttonTextCase?: "UPPER" | "lower" | "Capitalize" | "Default" | undefined;
  /** Letter spacing of primary, secondary and tertiary buttons: a CSS length, such as `"0.05em"`. */
  buttonLetterSpacing?: string | undefined;
  /** Background of the picture of the card: a color, or the https address of an image. */
  cardBackground?: Color | `https://${string}` | undefined;
  /** Language of the form. */
  lng?: "en" | "es-MX" | undefined;
  /** Whether a header names the current step. */
  showStep?: boolean | 0 | 1 | undefined;
  /** Whether a picture of the card is shown beside the form; never on a phone. */
  showCardAnimation?: boolean | 0 | 1 | undefined;
}

/**
 * Why a card form failed to load: the event `LOAD_FAILED`, with the customer's message and a way to retry.
 */
export type LoadFailure = Omit<Extract<CardFormEvent, { type: "LOAD_FAILED" }>, "type"> & {
  /** In the customer's language. */
  readonly message: string;
  /** Starts a new session in the same place, as `renew` does. */
  retry(): Promise<void>;
};

/** Your own texts for the message that replaces a card form which failed to load. */
export interface LoadErrorTexts {
  message?: string | undefined;
  /** Label of the button that tries again. */
  button?: string | undefined;
}

/**
 * What replaces the form from `LOAD_FAILED` until the form has loaded, or stands below it if the frame has
 * loaded a page that may be the form (`hasLoaded`):
 *
 * - `"auto"`: a message in the customer's language (by `locale` of `createRemitKit`: English or Spanish, or
 *   `messages.CardFormLoadFailed`) with a button to try again, in the theme's colors and fonts;
 * - your own texts in that message, for other languages;
 * - your own element, or a function that returns one, texts or `"auto"`; it is called at each failure. If it
 *   returns nothing, the place stays empty.
 *
 * With all of these `completed` stays pending, as the customer may try again. With `"never"` nothing is
 * shown, the frame stays as the browser has it, and `completed` rejects with `CardFormLoadFailed`.
 */
export type LoadError =
  | "auto"
  | "never"
  | LoadErrorTexts
  | PageElement
  | ((failure: LoadFailure) => "auto" | LoadErrorTexts | PageElement | null | undefined | void);

/** Where and how to show the card form. */
export interface CardFormOptions {
  /** An element, which may be in a shadow root, or a selector that finds one in the document. */
  container: PageElement | string;
  /** A session that you created; a new one by default. */
  sessionId?: string | undefined;
  theme?: Theme | undefined;
  /** The accessible name of the frame; `"Card details"` by default. */
  title?: string | undefined;
  /** The height reserved for the frame, in CSS pixels, 100 to 4000; 620 by default. */
  height?: number | undefined;
  /** How long the frame may take to load, in milliseconds, 100 to 120000; 20 seconds by default. */
  loadTimeoutMs?: number | undefined;
  /** What replaces the form if it fails to load; `"auto"` by default. */
  loadError?: LoadError | undefined;
  /** Whether the form takes the focus once loaded, unless the customer has moved it; `false` by default. */
  autoFocus?: boolean | undefined;
}

/** An event of a card form. */
export type CardFormEvent =
  /**
   * The frame has loaded, and the form's server has answered a separate request. A page cannot see what the
   * frame shows: the browser's error page, for a form that refuses to be framed, loads in the same way. If
   * the page's policy does not allow the form's origin in `connect-src`, so do a refused connection, an
   * unknown host and a bad certificate. Only the first CARD_VALIDATION event proves that the form is there.
   */
  | { readonly type: "READY" }
  /**
   * The form failed to load: `"timeout"`; `"offline"`; `"blocked"` by the page's content security policy,
   * whose `directive` must allow the form's origin, or by the browser, without a directive; `"unreachable"`
   * if the connection is refused, the host unknown, the certificate bad, or `Cross-Origin-Resource-Policy`
   * keeps the answers from other pages. `READY` may still follow, after a timeout or once the form sends a
   * message; `renew` tries again.
   *
   * With `hasLoaded` the frame has loaded a page although the form's server does not answer: the browser's
   * error page, or the form itself, if a content blocker or a firewall stops only the separate request. It
   * stays visible, so leave it on the page: the customer may be typing. This may follow a failure without
   * `hasLoaded`.
   */
  | {
      readonly type: "LOAD_FAILED";
      readonly reason: "timeout" | "offline" | "blocked" | "unreachable" | (string & {});
      readonly directive?: "frame-src" | "child-src" | "default-src" | (string & {});
      readonly hasLoaded?: true;
    }
  /** The customer has pressed the button that verifies the card. */
  | { readonly type: "CARD_VALIDATION_START" }
  /** The card was verified. Await `completed` for its id. */
  | { readonly type: "CARD_VALIDATION_STOP_SUCCESS" }
  /** The card was not verified; the customer may try again in the form. */
  | { readonly type: "CARD_VALIDATION_STOP_FAIL" }
  /** The session has expired. `renew` starts another in the same place. */
  | { readonly type: "CARD_VALIDATION_STOP_EXPIRED" };

/** The card that a customer entered in a form. */
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
 * or the form is destroyed. Events before the first reader are kept, up to the newest 64.
 */
export interface CardForm {
  readonly sessionId: string;
  /** The address that the frame shows. */
  readonly url: string;
  /** When the session expires: ISO 8601, as the service returns it. */
  readonly expirationDate: string;
  /**
   * The same in milliseconds since 1970 by the device's clock, so that `expiresAt - Date.now()` is what is
   * left even if that clock is wrong; `undefined` where {@link secondsLeft} is.
   */
  readonly expiresAt: number | undefined;
  /** The frame. */
  readonly element: PageFrame | undefined;
  /**
   * Settles once: with the card, read back from the session, or with a {@link RemitError}. If the form
   * continues after that, through `renew` or because it loaded late, this is a new promise. It stays
   * pending while a form that failed to load offers the customer to try again (see {@link LoadError}). It
   * rejects with `CardFormRemoved` if a script of the page removes the frame and does not put it back
   * within two seconds.
   *
   * It does not depend on the form's messages, which another script of the page may stop: RemitKit also reads
   * the session when the customer returns to the page, and before and after it ends.
   */
  readonly completed: Promise<CompletedCard>;
  /**
   * Calls `listener` for each event of the type, and soon for events that came before anyone listened; never
   * after `destroy`.
   *
   * @returns a function that unsubscribes.
   */
  on<T extends CardFormEvent["type"]>(
    type: T,
    listener: (event: Extract<CardFormEvent, { type: T }>) => void,
  ): () => void;
  /**
   * Returns how many seconds the session has left, rounded up, and 0 once it has expired. Call it whenever
   * you display it. It counts from the service's reply by a clock that nobody sets, and by the device's, as the
   * first may stand still in sleep: the later counts. How long it had left then is told by the reply's `Date`,
   * if the page may read it. Otherwise the device's clock has to be right: `undefined` if that is evidently
   * wrong, or the service's date is unreadable. It is a hint: `CARD_VALIDATION_STOP_EXPIRED` is what ends
   * the session.
   */
  secondsLeft(): number | undefined;
  /**
   * Shows the form in another theme or language. This reloads it, and discards what the customer has typed.
   * While the container is not in the page, it throws and changes nothing, as does `renew`.
   */
  update(options: { theme: Theme }): void;
  /** Starts a new session in the same place. */
  renew(options?: CallOptions): Promise<void>;
  /** Moves the focus into the form or, if it failed to load, to the button that tries again. */
  focus(): void;
  /** Removes the frame and everything that belongs to it. May be called again. */
  destroy(): void;
  [Symbol.asyncIterator](): AsyncIterableIterator<CardFormEvent>;
  [Symbol.dispose](): void;
}

/** The calls about cards and the card form, as part of `RemitKit`. */
export interface CardCalls {
  /** Creates a session, for the recipient's card by default. */
  createCardSession(request?: CardSessionRequest, options?: CallOptions): Promise<CardSession>;
  getCardSession(sessionId: string, options?: CallOptions): Promise<CardSession>;
  /** Returns the address of the card form, for a page that shows it in its own way. */
  cardFormUrl(sessionId: string, theme?: Theme): string;
  /** Shows the hosted card form on the page. */
  cardForm(form: CardFormOptions, options?: CallOptions): Promise<CardForm>;
}

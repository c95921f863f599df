import { CARD_EVENT_TYPES } from "./card-event-types.js";
import { contentOf } from "./content.js";
import { failure, isRemitError } from "./errors.js";
import { readSignal } from "./signal.js";

/** The default height: what the form needs at 320 CSS pixels of width, as in the core. */
export const CARD_FORM_HEIGHT = 620;
/** The frame's default title, as in the core. */
const TITLE = "Card details";
/** The codes that another theme, title or height may mend. */
const OF_OPTIONS = ["InvalidConfiguration", "InvalidRequest"];

/**
 * The card form of a component. A component may unmount in the same turn, as in React's StrictMode, while a
 * form takes a request: begin it a turn later, and remove it also while it is being created.
 */
export class CardFormController {
  #remit;
  #options;
  #tell;
  #showing;
  #abort;
  #form;
  // The options that were refused.
  #refused;
  #followed;
  #removals = 0;

  /** `remit` is a kit or a promise of one, `tell` the listeners `event`, `completed` and `error`. */
  constructor(remit, options, tell) {
    this.#remit = remit;
    this.#options = options;
    this.#tell = tell;
    this.#begin();
  }

  /** None once its kit has ended, which removed the frame. */
  get form() {
    return this.#form?.element.parentNode ? this.#form : undefined;
  }

  /**
   * Applies another theme, title or height. Another theme loads the form again; an equal one does nothing.
   */
  change(changes) {
    const before = this.#options;
    this.#options = { ...before, ...changes };
    // A form that isn't there yet applies them once it is.
    if (this.#form !== undefined) {
      this.#takeOn(before);
    } else {
      this.#beginAgain();
    }
  }

  /** A new session in the same place, also where a form could not be shown or was removed. */
  async renew(options) {
    const signal = readSignal(options);
    const removals = this.#removals;
    for (let showing; showing !== this.#showing;) {
      showing = this.#showing;
      await showing;
    }
    // A form that was removed meanwhile must not come back to a page that has gone on.
    if (removals !== this.#removals) {
      throw removed();
    }
    if (this.#form === undefined) {
      const showing = this.#show(undefined, signal);
      this.#showing = showing.catch(() => {});
      await showing;
      if (this.#form === undefined) {
        throw removed();
      }
      return;
    }
    try {
      await this.#form.renew(options);
    } catch (error) {
      // The caller gets this error; don't report it again as the form's outcome.
      this.#followed = this.#form?.completed;
      throw error;
    }
    this.#follow();
  }

  focus() {
    this.form?.focus();
  }

  /** Removes the form. No events any more, until `renew`. */
  destroy() {
    this.#removals += 1;
    this.#refused = undefined;
    this.#abort?.abort();
    this.#form?.destroy();
    this.#form = undefined;
  }

  #begin() {
    const asked = this.#options;
    this.#showing = this.#show(asked.sessionId).catch((error) => {
      this.#tell.error(error);
      if (OF_OPTIONS.includes(error.code)) {
        this.#refused = asked;
        this.#beginAgain();
      }
    });
  }

  #beginAgain() {
    if (this.#refused !== undefined && !isSameLook(this.#refused, this.#options)) {
      this.#refused = undefined;
      this.#begin();
    }
  }

  async #show(sessionId, signal) {
    const abort = new AbortController();
    this.#abort = abort;
    await null;
    if (abort.signal.aborted) {
      return;
    }
    const stop = () => abort.abort();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) {
      stop();
    }
    const asked = this.#options;
    let form;
    try {
      const remit = await this.#remit;
      form = await remit.cardForm(present({ ...asked, sessionId }), { signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted || signal?.aborted) {
        throw readable(error);
      }
      return;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    if (abort.signal.aborted) {
      form.destroy();
      return;
    }
    this.#form = form;
    for (const type of CARD_EVENT_TYPES) {
      form.on(type, (event) => {
        // A form that loaded late, or that other code renewed, has a new `completed`.
        this.#follow();
        this.#tell.event(event, form);
      });
    }
    this.#follow();
    this.#takeOn(asked);
  }

  #follow() {
    const form = this.#form;
    const completed = form?.completed;
    if (completed === undefined || completed === this.#followed) {
      return;
    }
    this.#followed = completed;
    completed.then(
      (card) => this.#form === form && this.#tell.completed(card),
      (error) => {
        if (this.#form !== form) {
          return;
        }
        if (error.code === "CardFormDestroyed") {
          this.#form = undefined;
        }
        this.#tell.error(error);
      },
    );
  }

  #takeOn(before) {
    const { theme, title, height } = this.#options;
    const { element } = this.#form;
    if (title !== before.title) {
      element.title = title || TITLE;
    }
    if (height !== before.height) {
      element.style.setProperty("height", `${height}px`);
    }
    if (contentOf(theme ?? {}) !== contentOf(before.theme ?? {})) {
      try {
        this.#form.update({ theme: theme ?? {} });
      } catch (error) {
        this.#tell.error(error);
      }
    }
  }
}

function isSameLook(one, other) {
  const [a, b] = [one, other].map(({ theme, title, height }) => contentOf([theme, title, height]));
  return a === b;
}

const removed = () => failure("CardFormDestroyed", "The card form was closed.");

const present = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** A kit rejects with a RemitError; anything else comes from what was passed in its place. */
export function readable(cause) {
  if (isRemitError(cause)) {
    return cause;
  }
  return failure("InvalidConfiguration", "`remit` must be what createRemitKit gives, or a promise of it.", {
    option: "remit",
    cause,
  });
}

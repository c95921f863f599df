import { CARD_EVENT_TYPES } from "./card-event-types.js";
import { contentOf } from "./content.js";
import { failure, isRemitError } from "./errors.js";
import { readSignal } from "./signal.js";

/** What the form needs at 320 CSS pixels of width, as the core has it: the height that is reserved where none is given. */
export const CARD_FORM_HEIGHT = 620;
/** The frame's title where none is given, as the core has it. */
const TITLE = "Card details";
/** What another theme, title or height may mend. */
const OF_OPTIONS = ["InvalidConfiguration", "InvalidRequest"];

/**
 * A card form of a component. A component comes and goes, in React's StrictMode twice in one turn, while a form takes a request to be made: so it is begun a
 * turn later, by when one that went at once has asked for nothing, and removed also if it is only just being made.
 */
export class ShownCardForm {
  #remit;
  #options;
  #tell;
  #showing;
  #abort;
  #form;
  // The options with which it was refused.
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

  /** Not one that has ended with its kit: that took its frame along. */
  get form() {
    return this.#form?.element.parentNode ? this.#form : undefined;
  }

  /** Takes on another theme, title or height. A theme loads the form anew; nothing is done for one that says the same. */
  change(changes) {
    const before = this.#options;
    this.#options = { ...before, ...changes };
    // One that is not there yet takes it on when it is.
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
    // Called before it was removed, it must not bring the form back to a page that has gone on.
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
      // Told to whoever called, and not once more as what the form came to.
      this.#followed = this.#form?.completed;
      throw error;
    }
    this.#follow();
  }

  focus() {
    this.form?.focus();
  }

  /** Removes the form; nothing is told any more, until `renew`. */
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
        // A form that loaded late, or that somebody else renewed, has another outcome from here on.
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

/** What a kit rejects with is a RemitError; anything else comes from what was given in its place. */
export function readable(cause) {
  if (isRemitError(cause)) {
    return cause;
  }
  return failure("InvalidConfiguration", "`remit` must be what createRemitKit gives, or a promise of it.", {
    option: "remit",
    cause,
  });
}
